// The models of Claude Code, so that a mistyped name is reported before an agent starts. They are known by their families:
// names of later versions cannot be listed today.

import { findPrice, type PriceTable, plainName } from '../../model/spending/prices.ts';
import { orMeant } from '../../std/nearest.ts';
import type { Models } from '../agent-kind.ts';
import { listPrices } from '../list-prices.ts';

/** Claude Code's aliases of its current models. */
const aliases: readonly string[] = ['default', 'best', 'opus', 'sonnet', 'haiku', 'fable', 'mythos', 'opusplan'];

/** The versions that the aliases meant when the prices were listed. */
const current: Readonly<Record<string, string>> = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-1',
  mythos: 'claude-mythos-5-1',
};

const ids = [...listPrices.keys()].filter((name) => name.startsWith('claude-'));

/** `claude-opus`, `claude-haiku`, and `claude-3` of the older names. */
const families = [...new Set(ids.map((id) => /^claude-(?:[a-z]+|\d+)/.exec(id)?.[0] ?? id))];

export const claudeModels: Models = {
  flaw(model, own) {
    return isKnown(model, own) ? null : `Claude Code has no model "${model}"${orMeant(model, [...aliases, ...ids])}`;
  },
  isAlias,
  listed: (model) => (isAlias(model) ? (current[model.replace(/\[1m\]$/, '')] ?? null) : model),
};

function isKnown(model: string, own: PriceTable): boolean {
  const name = plainName(model);
  const isOfFamily = families.some((family) => name === family || name.startsWith(`${family}-`));
  return isAlias(model) || isOfFamily || findPrice({ listed: new Map(), own }, model) !== null;
}

function isAlias(model: string): boolean {
  return aliases.includes(model.replace(/\[1m\]$/, ''));
}
