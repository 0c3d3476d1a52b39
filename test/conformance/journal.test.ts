// Every store against the one suite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryDisk, openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { openSqliteJournal } from '../../src/store/sqlite/sqlite-journal.ts';
import { journalConformance } from './journal.ts';

journalConformance('memory', async () => {
  const disk = createMemoryDisk();
  return {
    journal: openMemoryJournal(disk),
    reopen: async () => openMemoryJournal(disk),
    cleanUp: async () => {},
  };
});

journalConformance('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  const path = join(folder, 'journal.db');
  return {
    journal: await openSqliteJournal({ path }),
    reopen: () => openSqliteJournal({ path }),
    cleanUp: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
