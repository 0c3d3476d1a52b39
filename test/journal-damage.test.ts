// A damaged SQLite journal is reported, names what is damaged, and is not made worse. How a running journal meets a
// full disk, a kill and a second owner stands in the files beside this one.

import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Journal, JournalDefect } from '../src/ports/journal.ts';
import { openReader } from '../src/store/sqlite/reader.ts';
import { openSqliteJournal } from '../src/store/sqlite/sqlite-journal.ts';
import { faultCode, faultText, part, readAll } from './conformance/journal-tools.ts';

let folder = '';
let sound = '';
let copies = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-damage-'));
  sound = join(folder, 'sound.db');
  const journal = await openSqliteJournal({ path: sound });
  const texts = Array.from({ length: 40 }, (_, i) => `{"marker":"event-${i + 1}-of-it"}`);
  for (const [i, text] of texts.entries()) await journal.append([part('run_1', i, [text]), part('run_2', i, ['{}'])]);
  await journal.saveSnapshot({ stream: 'run_1', seq: 40, format: 1, data: '{"snapshot":true}' });
  await journal.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the sound journal, damaged. */
function damaged(damage: (path: string) => void): string {
  const path = join(folder, `copy-${++copies}.db`);
  copyFileSync(sound, path);
  damage(path);
  return path;
}

const bySql =
  (sql: string) =>
  (path: string): void => {
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
  };

async function looking<T>(path: string, look: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = await openSqliteJournal({ path, readOnly: true });
  try {
    return await look(journal);
  } finally {
    await journal.close();
  }
}

const names = (defects: readonly JournalDefect[]): string[] => defects.map((d) => `${d.stream} ${d.seq}`);

test('a sound journal has no defects', async () => {
  expect(await looking(sound, (journal) => journal.verify())).toEqual([]);
});

const flips = {
  pos: 'pos + 1000',
  stream: "'run_3'",
  seq: 'seq + 1000',
  prev_pos: 'prev_pos + 1000',
  at: 'at + 1',
  type: "'notes'",
  data: "replace(data, 'marker', 'marked')",
  prev_hash: "replace(prev_hash, substr(prev_hash, 1, 1), 'g')",
  hash: "replace(hash, substr(hash, 1, 1), 'g')",
};

// Asked of the reader itself, without its thread: so many cases.
for (const [column, value] of Object.entries(flips)) {
  for (const seq of [1, 5, 33, 40]) {
    test(`an altered ${column} of event ${seq} is named by stream and number, and other streams stay readable [JRN-4] [JRN-3]`, async () => {
      const path = damaged(bySql(`UPDATE events SET ${column} = ${value} WHERE stream = 'run_1' AND seq = ${seq}`));
      const { ops, close } = openReader(path);
      const reader: Pick<Journal, 'read'> = { read: async (...args) => ops.read(...args) };
      // A wrong pointer back shows as the event before it not being found; before the first there is none to find.
      const named = column === 'prev_pos' ? seq - 1 : seq;
      if (named > 0) {
        const report = new RegExp(`^journal_corrupt: stream run_1, event ${named}:`);
        expect(await faultText(readAll(reader, 'run_1'))).toMatch(report);
        expect(await faultCode(readAll(reader, 'run_1', 10))).toBe('journal_corrupt');
      }
      expect(names(ops.verify(null))).toContain(`run_1 ${seq}`);
      expect(names(ops.verify('run_1'))).toContain(`run_1 ${seq}`);
      expect(ops.verify('run_2')).toEqual([]);
      expect(await readAll(reader, 'run_2')).toHaveLength(40);
      close();
    });
  }
}

test('a flipped bit of a stored event in the file itself is found', async () => {
  const path = damaged((copy) => {
    const bytes = readFileSync(copy);
    // Everywhere: a page that was split keeps a stale copy.
    for (let at = bytes.indexOf('event-7-'); at !== -1; at = bytes.indexOf('event-7-', at)) {
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    }
    writeFileSync(copy, bytes);
  });
  await looking(path, async (journal) => {
    expect(await faultText(readAll(journal, 'run_1'))).toMatch(/^journal_corrupt: stream run_1, event 7:/);
    expect(names(await journal.verify())).toContain('run_1 7');
  });
});

test('an event missing in the middle is named, read from the start or from behind it [JRN-4]', async () => {
  const path = damaged(bySql("DELETE FROM events WHERE stream = 'run_1' AND seq = 20"));
  await looking(path, async (journal) => {
    expect(await faultText(journal.read('run_1', 0, 100))).toMatch(/^journal_corrupt: stream run_1, event 20:/);
    expect(await faultText(journal.read('run_1', 20, 100))).toMatch(/^journal_corrupt: stream run_1, event 20:/);
    expect(await journal.read('run_1', 21, 100)).toHaveLength(19);
    expect(names(await journal.verify())).toEqual(['run_1 20']);
  });
});

test('a tail cut off is noticed, although what is left is a sound chain [JRN-4]', async () => {
  const path = damaged(bySql("DELETE FROM events WHERE stream = 'run_1' AND seq > 37"));
  await looking(path, async (journal) => {
    expect(await faultText(readAll(journal, 'run_1'))).toMatch(/^journal_corrupt: stream run_1, event 40:/);
    expect(names(await journal.verify())).toEqual(['run_1 38']);
  });
});

test('a head moved back over its tail is noticed by verify', async () => {
  const path = damaged(bySql("UPDATE streams SET seq = 39, pos = pos - 2 WHERE stream = 'run_1'"));
  await looking(path, async (journal) => {
    expect(await faultCode(readAll(journal, 'run_1'))).toBe('journal_corrupt');
    expect(names(await journal.verify())).toEqual(['run_1 40']);
  });
});

test('a stream without its head is noticed, and cannot be started again', async () => {
  const path = damaged(bySql("DELETE FROM streams WHERE stream = 'run_1'"));
  const journal = await openSqliteJournal({ path });
  expect(await faultText(journal.read('run_1', 0, 9))).toMatch(/^journal_corrupt: stream run_1, event 1:/);
  expect(names(await journal.verify())).toEqual(['run_1 1']);
  // Together with a sound one: only the damaged stream's request may fail.
  const asked = [journal.append([part('run_1', 0, ['1'])]), journal.append([part('run_2', 40, ['41'])])] as const;
  expect(await faultCode(asked[0])).toBe('journal_corrupt');
  expect(await asked[1]).toEqual({ kind: 'appended' });
  await journal.close();
});

test('a damaged snapshot is as good as none, and any new one replaces it [JRN-10]', async () => {
  for (const change of ["data = '{}'", 'seq = 39', 'format = 2', "checksum = 'x'"]) {
    const path = damaged(bySql(`UPDATE snapshots SET ${change}`));
    const journal = await openSqliteJournal({ path });
    expect(await journal.loadSnapshot('run_1')).toBeNull();
    const fresh = { stream: 'run_1', seq: 3, format: 1, data: '"fresh"' };
    await journal.saveSnapshot(fresh);
    expect(await journal.loadSnapshot('run_1')).toEqual(fresh);
    await journal.close();
  }
});

const refused: Record<string, { damage: (path: string) => void; text: RegExp }> = {
  'a journal of a newer format': {
    damage: bySql('UPDATE meta SET value = 999'),
    text: /^journal_newer: .* has format 999, and this Signalbox reads formats up to 7: update Signalbox$/,
  },
  'a journal of format 1, kept from before 0.2.0': {
    damage: (path) => copyFileSync(new URL('./fixtures/journals/format-1.db', import.meta.url), path),
    text: /^journal_older: .* was written by a Signalbox before 0\.2\.0, .*: move .* aside, or set SIGNALBOX_HOME/,
  },
  'a file of garbage': { damage: (path) => writeFileSync(path, 'garbage '.repeat(2000)), text: /^journal_corrupt: / },
  'a database of something else': {
    damage: bySql('DROP TABLE meta'),
    text: /^journal_corrupt: .* is a database, but not a journal/,
  },
  'a journal cut in half': { damage: (path) => truncateSync(path, 8192), text: /^journal_corrupt: / },
  'a journal cut to nothing beside its WAL': {
    damage(path) {
      writeFileSync(`${path}-wal`, 'x'.repeat(5000));
      truncateSync(path, 0);
    },
    text: /^journal_corrupt: .* is empty, but .*-wal is not/,
  },
};

for (const [what, { damage, text }] of Object.entries(refused)) {
  test(`${what} is refused and stays as it was, byte for byte [JRN-5] [JRN-4]`, async () => {
    const path = damaged(damage);
    const kept = (): (Buffer | null)[] => [contents(path), contents(`${path}-wal`)];
    const before = kept();
    expect(await faultText(openSqliteJournal({ path }))).toMatch(text);
    expect(await faultCode(openSqliteJournal({ path, readOnly: true }))).not.toBe('no fault');
    expect(kept()).toEqual(before);
  });
}

/** SQLite may leave an empty WAL beside a file that it looked at: that is as good as none. */
function contents(file: string): Buffer | null {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return bytes.length === 0 ? null : bytes;
}

test('an empty file becomes a new journal', async () => {
  const path = damaged((copy) => truncateSync(copy, 0));
  const journal = await openSqliteJournal({ path });
  expect(await journal.append([part('run_1', 0, ['1'])])).toEqual({ kind: 'appended' });
  await journal.close();
});

test('a journal opened for reading only refuses to write, and a missing one is not made', async () => {
  await looking(sound, async (journal) => {
    expect(await faultCode(journal.append([part('run_9', 0, ['1'])]))).toBe('read_only');
  });
  const path = join(folder, 'nowhere.db');
  expect(await faultCode(openSqliteJournal({ path, readOnly: true }))).toBe('not_found');
  expect(existsSync(path)).toBe(false);
});
