// Which models a harness knows, so that a mistyped name is told before an agent is started for it. Claude Code's are known by their
// families: a later version of one of them has a name that nobody can list today.

import { orMeant } from '../../std/nearest.ts';
import { priceTable } from './price-table.ts';
import { findPrice, isAlias, modelAliases, type PriceTable, plainName } from './prices.ts';

const ownIds = [...priceTable.keys()].filter((name) => name.startsWith('claude-'));

/** `claude-opus`, `claude-haiku`, and `claude-3` of the older names. */
const families = [...new Set(ownIds.map((id) => /^claude-(?:[a-z]+|\d+)/.exec(id)?.[0] ?? id))];

/**
 * What is wrong with asking this kind of agent for this model; null = nothing is known to be. `own`: the user's prices, which also
 * name what a gateway of theirs has.
 */
export function modelFlaw(harness: string, model: string, own: PriceTable): string | null {
  if (harness !== 'claude' || isKnown(model, own)) return null;
  return `Claude Code has no model "${model}"${orMeant(model, [...modelAliases, ...ownIds])}`;
}

function isKnown(model: string, own: PriceTable): boolean {
  const name = plainName(model);
  const isOfFamily = families.some((family) => name === family || name.startsWith(`${family}-`));
  return isAlias(model) || isOfFamily || findPrice({ listed: new Map(), own }, model) !== null;
}
