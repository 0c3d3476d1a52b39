// What the fold of a journal says was spent, for the checker, which adds it up by itself.

import { loadHost, loadRun } from '../../src/engine/loading.ts';
import { spentOn } from '../../src/model/host.ts';
import type { RunId } from '../../src/model/ids.ts';
import { type MemoryDisk, openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import type { BookData } from './checker-history.ts';

/** By each run, task and tree, and by all together; of a journal that cannot be replayed nothing, which others tell. */
export async function booksOf({ streams }: MemoryDisk, hostName: string): Promise<ReadonlyMap<string, BookData>> {
  const journal = openMemoryJournal({ streams, snapshots: new Map() });
  const books = new Map<string, BookData>();
  try {
    for (const name of streams.keys()) {
      const run = name.startsWith('run_') ? await loadRun(journal, name as RunId) : null;
      if (run === null) continue;
      books.set(name, run.usage);
      for (const { spec, usage, treeUsage } of run.tasks.values()) {
        books.set(`task ${spec.id}`, usage);
        books.set(`tree ${spec.id}`, treeUsage);
      }
    }
    const host = await loadHost(journal, hostName);
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
