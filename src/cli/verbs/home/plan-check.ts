// `signalbox plan check`: lists all problems of a plan. Starts nothing and needs no daemon.

import { shownJson } from '../../../std/plain-text.ts';
import { exits, type Verb } from '../../client/context.ts';
import { loadPlan, tellProblems } from '../../run/load-plan.ts';
import { inputsOf } from '../../run/plan-arguments.ts';

export interface PlanCheckOptions {
  readonly strict?: boolean;
  readonly input?: readonly string[];
  readonly json?: boolean;
}

export const planCheck: Verb<PlanCheckOptions> = async (context, [file = ''], { strict = false, input, json }) => {
  const { plan, problems } = await loadPlan(context, file, { inputs: inputsOf(input), complete: false, strict });
  if (json === true) {
    const tasks = plan?.tasks.length ?? null;
    await context.terminal.print(`${shownJson({ file, ok: plan !== null, tasks, problems })}\n`);
  } else {
    tellProblems(context, problems);
    const count = plan?.tasks.length === 1 ? '1 task' : `${plan?.tasks.length} tasks`;
    const warned = problems.length === 0 ? 'no problems' : 'no errors';
    if (plan !== null) await context.terminal.print(`${file}: ${count}, ${warned}\n`);
  }
  return plan === null ? exits.usage : exits.ok;
};
