// What a planner is told of the agents there are: the tiers of each with its models and prices, and what splitting work costs.

import { joinTiers, modelTiers, type TierTable } from '../model/core/model-tiers.ts';
import type { HarnessRules } from '../model/spending/harness-rules.ts';
import { costAt, type PriceTable } from '../model/spending/prices.ts';
import type { AgentFit } from '../wire/agent-views.ts';
import { usualTask } from './preview/model-costs.ts';

/** `usual`: the harness of tasks that name none. `own`: the user's models for tiers. */
export function agentsForPlanner(
  agents: readonly Pick<AgentFit, 'harness' | 'title'>[],
  usual: string,
  own: TierTable,
  known: { readonly harnesses: HarnessRules; readonly own: PriceTable },
): string {
  const tiers = joinTiers(known.harnesses.tiers, own);
  const listed = agents.some(({ harness }) => harness === usual)
    ? agents
    : [{ harness: usual, title: usual }, ...agents];
  const lines = listed.map(({ harness, title }) => {
    const models = modelTiers.flatMap((tier) => modelText(tier, tiers[harness]?.[tier], harness, known));
    const own = harness === usual ? ', for tasks that name no harness' : '';
    return `- \`harness: ${harness}\` (${title}${own}): ${models.join('; ') || 'one model; tiers change nothing'}`;
  });
  return [
    '## Agents and models',
    'These can work here; name no others:',
    lines.join('\n'),
    `A figure in brackets is what a task of ordinary size costs (${usualTask.turns} requests), the first reading of the repository included.`,
  ].join('\n\n');
}

function modelText(
  tier: string,
  model: string | undefined,
  harness: string,
  { harnesses, own }: { readonly harnesses: HarnessRules; readonly own: PriceTable },
): string[] {
  if (model === undefined) return [];
  const price = harnesses.price(harness, model, own);
  const cost = price === null ? 'price unknown' : `~$${(costAt(price, usualTask) / 1e6).toFixed(2)}`;
  return [`\`model: ${tier}\` = ${model} (${cost})`];
}
