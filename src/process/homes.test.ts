import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHomes } from './homes.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-homes-'));
  mkdirSync(join(root, 'a'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('reading a growing file in a home', () => {
  it('gives the lines added since [HAR-15]', async () => {
    const homes = openHomes(root);
    const path = join(root, 'a', 'log');
    expect(await homes.tail('a', 'log', 0)).toEqual({ lines: [], end: 0 });
    writeFileSync(path, 'one\ntwö\nthr');
    const first = await homes.tail('a', 'log', 0);
    expect(first).toEqual({ lines: ['one', 'twö'], end: 9 });
    expect(await homes.tail('a', 'log', 9)).toEqual({ lines: [], end: 9 });
    appendFileSync(path, 'ee\n');
    expect(await homes.tail('a', 'log', 9)).toEqual({ lines: ['three'], end: 15 });
    truncateSync(path, 3);
    expect(await homes.tail('a', 'log', 15)).toEqual({ lines: [], end: 0 });
  });

  it('reads a long file in parts, and skips a line that is too long', async () => {
    const homes = openHomes(root);
    const lines = ['x'.repeat(3_000_000), ...Array.from({ length: 30_000 }, (_, n) => `{"n":${n}}`), 'end'];
    writeFileSync(join(root, 'a', 'long'), `${lines.join('\n')}\n`);
    const seen: string[] = [];
    let [from, parts] = [0, 0];
    for (;;) {
      const { lines: some, end } = await homes.tail('a', 'long', from);
      if (end === from) break;
      seen.push(...some);
      [from, parts] = [end, parts + 1];
    }
    expect(parts).toBeGreaterThan(3);
    expect(seen.slice(-30_000)).toEqual(lines.slice(-30_000));
  });

  it('gives everything, also a torn line; an empty file gives nothing', async () => {
    const homes = openHomes(root);
    writeFileSync(join(root, 'a', 'session'), '');
    expect(await homes.lines('a', 'session')).toEqual([]);
    appendFileSync(join(root, 'a', 'session'), `${'x'.repeat(3_000_000)}\ntwo\nthr`);
    expect((await homes.lines('a', 'session')).map(({ length }) => length)).toEqual([3_000_000, 3, 3]);
  });

  it('follows no link, waits for no pipe, and gives nothing for a missing file', async () => {
    const homes = openHomes(root);
    writeFileSync(join(root, 'secret'), 'of another\n');
    symlinkSync(join(root, 'secret'), join(root, 'a', 'link'));
    execFileSync('mkfifo', [join(root, 'a', 'pipe')]);
    mkdirSync(join(root, 'a', 'folder'));
    for (const name of ['b', 'a']) writeFileSync(join(root, 'a', 'folder', name), '');
    for (const name of ['link', 'pipe', 'folder', 'none/such']) {
      expect(await homes.tail('a', name, 0)).toEqual({ lines: [], end: 0 });
      expect(await homes.lines('a', name), name).toEqual([]);
    }
    expect(await homes.files('a', 'folder')).toEqual(['a', 'b']);
    expect(await homes.files('a', 'none')).toEqual([]);
    await expect(async () => homes.tail('a', '../secret', 0)).rejects.toThrow(/leads out/);
  });
});
