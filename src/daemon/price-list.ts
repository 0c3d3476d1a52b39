// What usage costs: list prices, overridden by those in the user's own file. The file is read whenever a price is asked
// for, so that a change counts at once. A broken file is ignored and reported.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listPrices, listPricesOf } from '../harness/list-prices.ts';
import type { HarnessRules } from '../model/spending/harness-rules.ts';
import { type PriceTable, priceOf } from '../model/spending/prices.ts';
import type { Usage } from '../model/spending/usage.ts';
import { errnoOf } from '../std/files.ts';
import { parsePrices, priceFile } from '../wire/price-file.ts';
import type { PricesView } from '../wire/status-views.ts';

export interface OpenPrices {
  /** In millionths of a dollar; null = unknown. */
  price(model: string | null, usage: Usage): number | null;
  /** The harness reports no cost of its own, and the model has no known price. */
  isUnpriced(harness: string, model: string): boolean;
  /** Why this harness cannot use the model; null = no reason is known. */
  flawOfModel(harness: string, model: string): string | null;
  look(): PricesView;
}

interface Own {
  readonly table: PriceTable;
  readonly flaw: string | null;
}

const none: Own = { table: new Map(), flaw: null };
const bytesMax = 1024 * 1024;

/** `onFlaw` is called once for each broken version of the file. */
export function openPrices(home: string, rules: HarnessRules, onFlaw: (flaw: string) => void): OpenPrices {
  const path = join(home, priceFile);
  let seen = { mark: '', own: none };
  const own = (): Own => {
    const mark = markOf(path);
    if (mark === seen.mark) return seen.own;
    seen = { mark, own: mark === '' ? none : readOwn(path) };
    if (seen.own.flaw !== null) onFlaw(seen.own.flaw);
    return seen.own;
  };
  return {
    price: (model, usage) => priceOf({ listed: listPrices, own: own().table }, model, usage),
    isUnpriced: (harness, model) => rules.isUnpriced(harness, model, own().table),
    flawOfModel: (harness, model) => rules.modelFlaw(harness, model, own().table),
    look() {
      const { table, flaw } = own();
      return { listedOn: listPricesOf, path, own: table.size, flaw };
    },
  };
}

/** The first problem with models that a task names. */
export function flawOfModels(prices: OpenPrices, harness: string, models: readonly string[]): string | null {
  const flaw = models.map((model) => prices.flawOfModel(harness, model)).find((each) => each !== null) ?? null;
  return flaw === null ? null : `${flaw} (what a gateway of yours has is known by its price in ${prices.look().path})`;
}

export function flawOfPrices(prices: OpenPrices, harness: string, models: readonly string[]): string | null {
  const unknown = models.find((model) => prices.isUnpriced(harness, model));
  if (unknown === undefined) return null;
  const example = `{ "${unknown}": { "input": 3, "output": 15 } }`;
  return `money is limited, and what "${unknown}" costs is not known: write its price into ${prices.look().path}, as in ${example}`;
}

/** Changes with the file; empty where there is none. */
function markOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? '' : `${String(error)}`;
  }
}

function readOwn(path: string): Own {
  const broken = (why: string): Own => ({
    table: none.table,
    flaw: `${path} is not used: ${why}; until it is fixed, costs are estimated with list prices of ${listPricesOf}`,
  });
  try {
    if (statSync(path).size > bytesMax) return broken('it is larger than a megabyte');
    const read = parsePrices(readFileSync(path, 'utf8'));
    return 'flaw' in read ? broken(read.flaw) : { table: read.own, flaw: null };
  } catch (error) {
    return broken(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
