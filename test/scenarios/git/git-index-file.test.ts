// git's index read by hand is what git itself reads in it, and git sees what was put in doubt.

import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesBetween, filesBetweenEntries } from '../../../src/git/commands/changed-files.ts';
import { readIndexFile } from '../../../src/git/commands/index-file.ts';
import { must } from '../../../src/std/assert.ts';
import { commitFiles, type Ground, makeDirectory, never, put, run } from './git-repositories.ts';

const names = ['a', 'dir/bé', 'dir/sub/c.txt', 'line\nbreak', `long/${'x'.repeat(250)}/${'y'.repeat(250)}`, 'z z'];
let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
});
afterEach(() => ground.remove());

const indexOf = (path: string): string => join(path, '.git', 'index');
const byGit = (path: string): string[] => run(path, 'ls-files', '--stage', '-z').split('\0').slice(0, -1);
async function byHand(path: string): Promise<string[]> {
  const index = must(await readIndexFile(indexOf(path), run(path, 'rev-parse', 'HEAD')), 'it can be read');
  return index
    .entries()
    .map(({ mode, id, name }) => `${mode} ${id} 0\t${Buffer.from(name, 'latin1').toString('utf8')}`);
}

it('its entries are those that git lists, with both kinds of ids', async () => {
  expect(await byHand(ground.user)).toEqual(byGit(ground.user));
  const other = join(ground.home, 'sha256');
  run(ground.home, 'init', '-q', '--object-format=sha256', other);
  await commitFiles(other, { 'a.txt': 'a\n', 'b/c.txt': 'c\n' }, 'first');
  expect(await byHand(other)).toEqual(byGit(other));
});

it('an index of another form is left to git: version 4, split, sparse, in a merge, torn or missing', async () => {
  const { user } = ground;
  const like = run(user, 'rev-parse', 'HEAD');
  const read = () => readIndexFile(indexOf(user), like);
  run(user, 'update-index', '--index-version', '4');
  expect(await read()).toBeNull();
  run(user, 'update-index', '--index-version', '2');
  expect(await read()).not.toBeNull();
  run(user, 'update-index', '--split-index');
  expect(await read()).toBeNull();
  run(user, 'update-index', '--no-split-index');
  run(user, 'checkout', '-q', '-b', 'other');
  await commitFiles(user, { a: 'other\n' }, 'other');
  run(user, 'checkout', '-q', 'main');
  await commitFiles(user, { a: 'ours\n' }, 'ours');
  expect(() => run(user, 'merge', 'other')).toThrow();
  expect(await read()).toBeNull();
  await writeFile(indexOf(user), 'DIRC');
  expect(await read()).toBeNull();
  await rm(indexOf(user));
  expect(await read()).toBeNull();
});

it('git sees a change without a new time or size once the entry is invalidated', async () => {
  const { user } = ground;
  const seconds = 1_600_000_000;
  run(user, 'config', 'core.trustctime', 'false');
  run(user, 'config', 'core.checkStat', 'minimal');
  await put(user, { a: '1\n' });
  await utimes(join(user, 'a'), seconds, seconds);
  run(user, 'commit', '-q', '-a', '-m', 'one');
  await put(user, { a: '2\n' });
  await utimes(join(user, 'a'), seconds, seconds);
  expect(run(user, 'diff', '--name-only')).toBe('');
  const index = must(await readIndexFile(indexOf(user), run(user, 'rev-parse', 'HEAD')), 'it can be read');
  await index.doubt(new Set(['a', 'nothing of that name']));
  expect(run(user, 'diff', '--name-only')).toBe('a');
  run(user, 'fsck');
  expect(await byHand(user)).toEqual(byGit(user));
});

it('the difference of two indexes is the difference of their commits', async () => {
  const { user } = ground;
  const entriesNow = async () =>
    must(await readIndexFile(indexOf(user), run(user, 'rev-parse', 'HEAD')), 'it can be read').entries();
  const from = run(user, 'rev-parse', 'HEAD');
  const before = await entriesNow();
  run(user, 'rm', '-q', 'z z', 'dir/bé');
  run(user, 'update-index', '--chmod=+x', 'dir/sub/c.txt');
  run(user, 'update-index', '--cacheinfo', `120000,${run(user, 'rev-parse', 'HEAD:a')},a`);
  await put(user, { 'dir.txt': 'new\n', 'line\nbreak': 'other\n' });
  run(user, 'add', 'dir.txt', 'line\nbreak');
  run(user, 'commit', '-q', '-m', 'second');
  const changed = filesBetweenEntries(before, await entriesNow());
  expect(changed).toEqual(await filesBetween(join(user, '.git'), from, run(user, 'rev-parse', 'HEAD'), never));
  expect(changed.map(({ status }) => status).sort()).toEqual([
    'added',
    'deleted',
    'deleted',
    'modified',
    'modified',
    'type-changed',
  ]);
});
