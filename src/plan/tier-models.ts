// The models that tiers mean, for clients: the schema of the configuration's key, and how a model is shown.

import { joinTiers, modelNamed, type TierTable } from '../model/core/model-tiers.ts';
import { models } from '../wire/models-request.ts';

export { models as modelsFile, type TierTable };

/** `opus (strong)`; null = a tier for which the harness has no model. */
export function shownModel(usual: TierTable, own: TierTable, harness: string, word: string): string | null {
  const name = modelNamed(joinTiers(usual, own), harness, word);
  return name === null || name === word ? name : `${name} (${word})`;
}
