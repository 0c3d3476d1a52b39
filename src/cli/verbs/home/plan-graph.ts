// `signalbox plan graph`: which task needs which, as text, Mermaid or JSON.

import { drawGraph, type GraphFormat } from '../../../plan/preview/draw-graph.ts';
import { exits, type Verb } from '../../client/context.ts';
import { loadPlan, tellProblems } from '../../run/load-plan.ts';

export const planGraph: Verb<{ readonly format: GraphFormat }> = async (context, [file = ''], { format }) => {
  const { plan, problems } = await loadPlan(context, file, { inputs: {}, complete: false, strict: false });
  tellProblems(context, problems);
  if (plan === null) return exits.usage;
  await context.terminal.print(drawGraph(plan, format));
  return exits.ok;
};
