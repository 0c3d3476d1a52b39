// What the validation of plans and requests needs to know about harnesses. Made from the list of harnesses and passed in.

import type { TierTable } from '../core/model-tiers.ts';
import type { Price, PriceTable } from './prices.ts';

export interface HarnessRules {
  readonly names: readonly string[];
  /** The models that tiers mean where the configuration says nothing else. */
  readonly tiers: TierTable;
  /** Why this harness cannot use a model; null = no reason is known. `own`: the user's prices. */
  modelFlaw(harness: string, model: string, own: PriceTable): string | null;
  /** Whether costs of this harness are estimated and the model has no known price. */
  isUnpriced(harness: string, model: string, own: PriceTable): boolean;
  /** What a model costs, an alias as its present version; null = unknown. */
  price(harness: string, model: string, own: PriceTable): Price | null;
  /** Whether its agents have exactly the tools of their role. */
  heedsTools(harness: string): boolean;
  /** Whether a harness sets this environment variable itself to configure its agents. */
  ownsVariable(name: string): boolean;
}

/** Harnesses of which nothing is known but their names. */
export function onlyNames(...names: readonly string[]): HarnessRules {
  return {
    names,
    tiers: {},
    modelFlaw: () => null,
    isUnpriced: () => false,
    price: () => null,
    heedsTools: () => false,
    ownsVariable: () => false,
  };
}
