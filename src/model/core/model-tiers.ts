// Tiers: models named by what they are for, so that a role or a plan fits every harness. Each harness has a table of its own; a run
// keeps the table that was valid when it was submitted, so that its children and resolvers get the same models.

export const modelTiers = ['strong', 'fast', 'cheap'] as const;
export type ModelTier = (typeof modelTiers)[number];

/** A tier that is left out has no model of its own: the agent's default is used. */
export type TierModels = Readonly<Partial<Record<ModelTier, string>>>;

/** By harness. */
export type TierTable = Readonly<Record<string, TierModels>>;

export function isTier(word: string): word is ModelTier {
  return (modelTiers as readonly string[]).includes(word);
}

/** The name by which the harness knows a model; null = a tier for which it has none. */
export function modelNamed(table: TierTable, harness: string, word: string): string | null {
  return isTier(word) ? (modelsOf(table, harness)[word] ?? null) : word;
}

/** The settings with the name of a model in place of its tier. */
export function withModelNamed<Settings extends Readonly<Record<string, string>>>(
  table: TierTable,
  harness: string,
  settings: Settings,
): Settings | Record<string, string> {
  const { model: word, ...others } = settings;
  if (word === undefined || !isTier(word)) return settings;
  const model = modelNamed(table, harness, word);
  return model === null ? others : { ...others, model };
}

/** Lines of the second table replace those of the first. */
export function joinTiers(usual: TierTable, own: TierTable): TierTable {
  const names = [...new Set([...Object.keys(usual), ...Object.keys(own)])];
  return Object.fromEntries(names.map((name) => [name, { ...modelsOf(usual, name), ...modelsOf(own, name) }]));
}

/** The tiers of which a model is, in a harness; none for a model that is in no tier. */
export function tiersOf(table: TierTable, harness: string, model: string): readonly ModelTier[] {
  return modelTiers.filter((tier) => modelsOf(table, harness)[tier] === model);
}

function modelsOf(table: TierTable, harness: string): TierModels {
  return Object.hasOwn(table, harness) ? (table[harness] ?? {}) : {};
}
