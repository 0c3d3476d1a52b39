// What is known of agents before one is started: the models of a harness, whether their cost can be counted, which variables
// are its own. Passed to the validation of plans and requests.

import { isTier } from '../model/core/model-tiers.ts';
import type { HarnessRules } from '../model/spending/harness-rules.ts';
import { findPrice } from '../model/spending/prices.ts';
import { type AgentKind, type Models, tiersOf } from './agent-kind.ts';
import { listPrices } from './list-prices.ts';

export async function createRules(kinds: readonly AgentKind[]): Promise<HarnessRules> {
  const models = new Map<string, Models>();
  for (const { name, models: load } of kinds) if (load !== undefined) models.set(name, await load());
  return {
    names: kinds.map(({ name }) => name),
    tiers: tiersOf(kinds),
    modelFlaw: (harness, model, own) => (isTier(model) ? null : (models.get(harness)?.flaw(model, own) ?? null)),
    // The others report their cost, or have none.
    isUnpriced(harness, model, own) {
      const of = models.get(harness);
      return (
        of !== undefined &&
        !isTier(model) &&
        !of.isAlias(model) &&
        findPrice({ listed: listPrices, own }, model) === null
      );
    },
    price(harness, model, own) {
      const of = models.get(harness);
      const name = of === undefined ? model : of.listed(model);
      return name === null ? null : findPrice({ listed: listPrices, own }, name);
    },
    heedsTools: (harness) => kinds.some(({ name, heedsTools }) => name === harness && heedsTools === true),
    ownsVariable: (variable) => kinds.some(({ ownVariables }) => ownVariables?.test(variable) === true),
  };
}
