// What the checks of plans and requests have to know of the kinds of agents. Made of the list of harnesses, and lent.

import type { PriceTable } from './prices.ts';

export interface HarnessRules {
  readonly names: readonly string[];
  /** What is wrong with asking this kind of agent for a model; null = nothing is known to be. `own`: the user's prices. */
  modelFlaw(harness: string, model: string, own: PriceTable): string | null;
  /** What it costs is estimated, and for this model nobody knows a price. */
  isUnpriced(harness: string, model: string, own: PriceTable): boolean;
  /** Its agents have the tools of their role and no others. */
  heedsTools(harness: string): boolean;
  /** A variable by which a harness says what its agents are and may do. */
  ownsVariable(name: string): boolean;
}

/** Kinds of agents of which nothing is known but their names. */
export function onlyNames(...names: readonly string[]): HarnessRules {
  return {
    names,
    modelFlaw: () => null,
    isUnpriced: () => false,
    heedsTools: () => false,
    ownsVariable: () => false,
  };
}
