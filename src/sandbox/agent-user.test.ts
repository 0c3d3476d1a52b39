import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameMounts } from './agent-user.ts';

const unnamed = { uid: 4_242_424, gid: 4_242_424 };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-names-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('correct user and group lists are left as they are', async () => {
  const mounts = await nameMounts(folder, unnamed);
  const inodes = (): number[] => ['passwd', 'group'].map((name) => statSync(join(folder, name)).ino);
  const before = inodes();
  expect(await nameMounts(folder, unnamed)).toEqual(mounts);
  expect(inodes()).toEqual(before);
});

test('a changed list is written again, readable by the agent', async () => {
  await nameMounts(folder, unnamed);
  const path = join(folder, 'passwd');
  const right = readFileSync(path, 'utf8');
  writeFileSync(path, 'root:x:0:0:root:/root:/bin/sh\n');
  chmodSync(path, 0o600);
  await nameMounts(folder, unnamed);
  expect(readFileSync(path, 'utf8')).toBe(right);
  expect(statSync(path).mode & 0o777).toBe(0o644);
});
