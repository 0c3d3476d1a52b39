// What is known of agents before one is started: the models of a harness, whether their cost can be counted, which variables
// are its own. Passed to the validation of plans and requests.

import type { HarnessRules } from '../model/spending/harness-rules.ts';
import { findPrice } from '../model/spending/prices.ts';
import type { AgentKind, Models } from './agent-kind.ts';
import { listPrices } from './list-prices.ts';

export async function createRules(kinds: readonly AgentKind[]): Promise<HarnessRules> {
  const models = new Map<string, Models>();
  for (const { name, models: load } of kinds) if (load !== undefined) models.set(name, await load());
  return {
    names: kinds.map(({ name }) => name),
    modelFlaw: (harness, model, own) => models.get(harness)?.flaw(model, own) ?? null,
    // The others report their cost, or have none.
    isUnpriced(harness, model, own) {
      const of = models.get(harness);
      return of !== undefined && !of.isAlias(model) && findPrice({ listed: listPrices, own }, model) === null;
    },
    heedsTools: (harness) => kinds.some(({ name, heedsTools }) => name === harness && heedsTools === true),
    ownsVariable: (variable) => kinds.some(({ ownVariables }) => ownVariables?.test(variable) === true),
  };
}
