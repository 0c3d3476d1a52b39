// What the fold of a journal says was spent, for the checker, which adds it up by itself.

import { spentOn } from '../../../src/model/host/host.ts';
import type { BookData } from '../checker/history.ts';
import type { Replay } from './replay.ts';

/** By each run, task and tree, and by all together; of a journal that cannot be replayed nothing, which others tell. */
export async function booksOf(replay: Replay, hostName: string): Promise<ReadonlyMap<string, BookData>> {
  const books = new Map<string, BookData>();
  try {
    for (const name of replay.runIds) {
      const run = await replay.run(name);
      if (run === null) continue;
      books.set(name, run.spending.usage);
      for (const {
        spec,
        spending: { usage, treeUsage },
      } of run.tasks.values()) {
        books.set(`task ${spec.id}`, usage);
        books.set(`tree ${spec.id}`, treeUsage);
      }
    }
    const host = await replay.host(hostName);
    const days = Object.keys({ ...host.days, ...host.ran });
    return books.set('all', sumOf(days.map((day) => spentOn(host, day))));
  } catch {
    return new Map();
  }
}

function sumOf(books: readonly BookData[]): BookData {
  const of = (name: keyof BookData): number => books.reduce((sum, book) => sum + book[name], 0);
  return {
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    cacheWriteTokens: of('cacheWriteTokens'),
    costMicroUsd: of('costMicroUsd'),
    unknownCosts: of('unknownCosts'),
    turns: of('turns'),
    timeMs: of('timeMs'),
  };
}
