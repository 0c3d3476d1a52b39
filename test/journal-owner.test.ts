// One owner per journal, however many race for it and however the owner dies.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeOwnerLock } from '../src/store/sqlite/owner-lock.ts';
import { openSqliteJournal } from '../src/store/sqlite/sqlite-journal.ts';
import { startChild } from './conformance/journal-child.ts';
import { faultCode, faultText, part, readAll } from './conformance/journal-tools.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-owner-'));
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

test('of 20 processes that race for the lock one wins, and its kill -9 frees it at once [JRN-7]', async () => {
  const path = join(folder, 'daemon.lock');
  const racer = `
    print('ready');
    process.stdin.once('data', () => {
      try { takeOwnerLock(args[0]); print('won'); setInterval(() => {}, 1000); }
      catch (error) { print('lost ' + error.code); process.exit(); }
    });`;
  const racers = Array.from({ length: 20 }, () => startChild(racer, [path]));
  await Promise.all(racers.map((child) => child.printed(/^ready$/)));
  for (const child of racers) child.process.stdin.write('go\n');
  const results = await Promise.all(racers.map((child) => child.printed(/^(won|lost)/)));
  expect(results.filter((line) => line === 'won')).toHaveLength(1);
  expect(results.filter((line) => line === 'lost daemon_running')).toHaveLength(19);
  expect(() => takeOwnerLock(path)).toThrow('another Signalbox daemon holds');
  await Promise.all(racers.map((child) => child.kill()));
  takeOwnerLock(path).release();
  expect(readdirSync(folder)).toEqual(['daemon.lock']);
}, 60_000);

test('a lock that was released can be taken again, also in the same process', () => {
  const path = join(folder, 'daemon.lock');
  const first = takeOwnerLock(path);
  expect(() => takeOwnerLock(path)).toThrow('another Signalbox daemon holds');
  first.release();
  first.release();
  takeOwnerLock(path).release();
});

test('a second writer is refused while a reader may look, and neither disturbs the owner [JRN-7] [JRN-11]', async () => {
  const path = join(folder, 'journal.db');
  const owner = await openSqliteJournal({ path });
  await owner.append([part('run_1', 0, ['1'])]);
  expect(await faultCode(openSqliteJournal({ path }))).toBe('daemon_running');
  const observer = await openSqliteJournal({ path, readOnly: true });
  await owner.append([part('run_1', 1, ['2'])]);
  expect(await readAll(observer, 'run_1')).toHaveLength(2);
  expect(await observer.verify()).toEqual([]);
  await observer.close();
  expect(await owner.append([part('run_1', 2, ['3'])])).toEqual({ kind: 'appended' });
  await owner.close();
  const next = await openSqliteJournal({ path });
  expect(await readAll(next, 'run_1')).toHaveLength(3);
  await next.close();
});

test('a journal that failed to open leaves its lock free', async () => {
  const path = join(folder, 'missing', 'journal.db');
  expect(await faultText(openSqliteJournal({ path }))).toMatch(/^not_found: /);
  const one = await openSqliteJournal({ path: join(folder, 'journal.db') });
  await one.close();
});

test('a folder that cannot be written is a read_only fault [JRN-9]', async (context) => {
  const path = join(folder, 'journal.db');
  chmodSync(folder, 0o555);
  const opener = `
    print('loaded');
    try { await openSqliteJournal({ path: args[0] }); print('opened'); } catch (error) { print('fault ' + error.code); }`;
  // Permissions do not bind root: then the attempt is made as nobody, if nobody may read the program at all.
  const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534, cwd: '/' } : {};
  const child = startChild(opener, [path], asNobody);
  const loaded = await child.printed(/^loaded$/).catch(() => null);
  if (loaded === null) return context.skip('another user may not read this checkout');
  expect(await child.printed(/^(fault|opened)/)).toBe('fault read_only');
  await child.ended();
  expect(readdirSync(folder)).toEqual([]);
});

test('a forgotten journal does not keep its process alive, work under way does', async () => {
  const forgetful = `
    const journal = await openSqliteJournal({ path: args[0] });
    const part = { stream: 'run_1', expected: 0, at: 1, events: [{ type: 'noted', data: '1' }], open: true };
    journal.append([part]).then((outcome) => print(outcome.kind));`;
  const child = startChild(forgetful, [join(folder, 'journal.db')]);
  await child.ended();
  expect(child.lines).toEqual(['appended']);
});
