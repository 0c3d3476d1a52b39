// The models of Codex, so that a mistyped name is told before an agent is started for it. They are known by their families: a later
// version of one of them has a name that nobody can list today.

import { findPrice, plainName } from '../../model/spending/prices.ts';
import { orMeant } from '../../std/nearest.ts';
import type { Models } from '../agent-kind.ts';
import { listPrices } from '../list-prices.ts';

const family = /^(?:gpt-[5-9]|o[34](?:-|$)|codex-)/;

const ids = [...listPrices.keys()].filter((name) => family.test(name));

export const codexModels: Models = {
  flaw(model, own) {
    const isKnown = family.test(plainName(model)) || findPrice({ listed: new Map(), own }, model) !== null;
    return isKnown ? null : `Codex has no model "${model}"${orMeant(model, ids)}`;
  },
  isAlias: () => false,
  listed: (model) => model,
};
