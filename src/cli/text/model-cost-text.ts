// The models of a plan, and what choosing them by tier saves, as text. Pure.

import { type ModelCosts, usualTask } from '../../plan/preview/model-costs.ts';
import { count, dollars } from './figures.ts';

const namesMax = 4;

export function modelCostLines(costs: ModelCosts | null): string[] {
  if (costs === null) return [];
  const { models, withTiers, allStrong, unknown } = costs;
  const lines = models.map(({ harness, model, tier, tasks }, i) => {
    const name = tier === null ? model : `${tier} = ${model}`;
    return `${i === 0 ? 'models:' : ''}`.padEnd(12) + `${name} (${harness}): ${listed(tasks)}`;
  });
  const left = unknown.length === 0 ? [] : [`${''.padEnd(12)}no model or price is known of: ${listed(unknown)}`];
  if (allStrong === 0) return [...lines, ...left];
  const saved = Math.round((1 - withTiers / allStrong) * 100);
  const less = saved === 0 ? 'the same' : `${Math.abs(saved)} % ${saved > 0 ? 'less' : 'more'}`;
  const size = count(usualTask.cacheReadTokens + usualTask.cacheWriteTokens + usualTask.inputTokens);
  return [
    ...lines,
    ...left,
    `estimate:   ~${dollars(withTiers)} with these models, ~${dollars(allStrong)} with the strong one for all: ${less}`,
    `${''.padEnd(12)}at list prices, were each task one of ${size} tokens in (most from the cache) and ${count(usualTask.outputTokens)} out`,
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return more > 0 ? `${names.slice(0, namesMax).join(', ')} and ${more} more` : names.join(', ');
}
