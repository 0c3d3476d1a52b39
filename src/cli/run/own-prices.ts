// The user's own prices, for validating a plan without a daemon.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownPrices } from '../../plan/check/check-prices.ts';
import type { Problem } from '../../plan/file/problem.ts';
import { errnoOf } from '../../std/files.ts';
import { parsePrices, priceFile } from '../../wire/price-file.ts';

export interface OwnPrices {
  readonly prices: KnownPrices;
  /** Reports a broken file, which is not used. */
  readonly problems: readonly Problem[];
}

export async function ownPrices(home: string, isLimited: boolean): Promise<OwnPrices> {
  const file = join(home, priceFile);
  const without = (message: string): OwnPrices => ({
    prices: { own: new Map(), file, isLimited },
    problems: [{ severity: 'warning', message, file, line: 1, column: 1, suggestion: null }],
  });
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { ...without(''), problems: [] };
    return without(`these prices are not used: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = parsePrices(text);
  if ('flaw' in read) return without(`these prices are not used: ${read.flaw}`);
  return { prices: { own: read.own, file, isLimited }, problems: [] };
}
