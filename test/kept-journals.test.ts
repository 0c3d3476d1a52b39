// Journals kept of every format since the first, as SQLite files: each must open, verify and replay to the outcomes it had. A
// journal of a released format is never changed: raise the format (src/store/sqlite/migrations.ts) and keep a new one beside
// it. Until 0.2.0 is released, format 7 is written again when an event changes:
//
//   npx tsc -p test/sim/tsconfig.json && node .cache/sim/test/sim/journal/keep-journal-main.js test/fixtures/journals

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHost, loadRun } from '../src/engine/load-stream.ts';
import type { RunId } from '../src/model/core/ids.ts';
import { formatCurrent, formatFirst } from '../src/store/sqlite/migrations.ts';
import { openSqliteJournal } from '../src/store/sqlite/sqlite-journal.ts';
import { outcomesOf } from './sim/journal/outcomes.ts';

const folder = new URL('./fixtures/journals/', import.meta.url).pathname;
const formatOf = (name: string): number => Number(/^format-(\d+)\.db$/.exec(name)?.[1] ?? 0);
const kept = readdirSync(folder).filter((name) => formatOf(name) >= formatFirst);

describe('kept journals', () => {
  it('there is one of every format from the first to the current one [EV-3]', () => {
    const formats = kept.map(formatOf).sort((a, b) => a - b);
    expect(formats).toEqual(Array.from({ length: formatCurrent - formatFirst + 1 }, (_, i) => formatFirst + i));
  });

  it.each(kept)('%s opens, verifies and replays to the outcomes it had [EV-3]', async (name) => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-kept-'));
    try {
      cpSync(join(folder, name), join(home, 'journal.db'));
      const journal = await openSqliteJournal({ path: join(home, 'journal.db') });
      try {
        expect(await journal.verify()).toEqual([]);
        const expected = JSON.parse(readFileSync(join(folder, name.replace('.db', '.json')), 'utf8')) as Outcomes;
        const heads = await journal.heads({ prefix: 'run_' });
        const runs: Record<string, unknown> = {};
        for (const { stream } of heads) {
          const run = await loadRun(journal, stream as RunId);
          if (run !== null) runs[stream] = outcomesOf(run);
        }
        expect(runs).toEqual(expected.runs);
        expect((await loadHost(journal, 'sim')).held.size).toBe(expected.slotsHeld);
      } finally {
        await journal.close();
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

interface Outcomes {
  readonly runs: Readonly<Record<string, unknown>>;
  readonly slotsHeld: number;
}
