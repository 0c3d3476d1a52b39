// What a setup made stays in a workspace that is used again, as far as it is unchanged.

import { lstatSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces, type Workspaces } from '../../../src/git/workspace/workspaces.ts';
import { commitFiles, type Ground, makeDirectory, never, orderFor, pictureOf, put } from './git-repositories.ts';
import { type Misdeed, misdeed, misdeedFiles } from './hostile-agents.ts';

let ground: Ground;
let pooled: Workspaces;
beforeEach(async () => {
  ground = await makeDirectory({
    'a.txt': 'one\n',
    '.gitignore': 'node_modules\n',
    'package-lock.json': '{}',
    ...Object.fromEntries(Object.entries(misdeedFiles).map(([name, text]) => [`parts/${name}`, text])),
  });
  pooled = await openWorkspaces({ root: ground.root, recycle: true });
  const file = join(ground.user, '.signalbox/setup');
  await mkdir(join(ground.user, '.signalbox'));
  await writeFile(
    file,
    `#!/bin/sh
set -e
cp -R parts node_modules
date +%N >node_modules/id
ln -s lib node_modules/link
chmod 500 node_modules/deep/er
mkdir -p sub/node_modules/lib
echo sub >sub/node_modules/lib/z.js
`,
  );
  await chmod(file, 0o755);
  await commitFiles(ground.user, {}, 'setup');
});
afterEach(() => ground.remove());

const prepare = (n: number, by = pooled) => by.prepare(orderFor(ground, n), never);
const save = (n: number) => pooled.save(orderFor(ground, n), never);
const inodeOf = (path: string, name: string) => lstatSync(join(path, name)).ino;
/** All but times and git's own. */
const looks = (path: string) =>
  Object.entries(pictureOf(path))
    .filter(([name]) => !/^\.git(\/|$)/.test(name))
    .map(([name, text]) => `${name} ${text.replace(/^(\d+) [\d.]+ /, '$1 ')}`);
const expected = async () => looks((await prepare(999, ground.workspaces)).path);

it('untouched files of a setup stay, and touched ones are restored [WS-20]', async () => {
  const { path } = await prepare(1);
  const inode = inodeOf(path, 'node_modules/a.txt');
  await put(path, {
    'node_modules/b.txt': 'evil\n',
    'node_modules/.cache/x': 'evil\n',
    'node_modules/lib/new.js': 'evil\n',
  });
  await save(1);
  const second = await prepare(2);
  expect(inodeOf(second.path, 'node_modules/a.txt')).toBe(inode);
  expect(looks(second.path)).toEqual(await expected());
  await pooled.idle();
  expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
});

it('swapped directories of a setup are noticed [WS-20]', async () => {
  const { path } = await prepare(1);
  await rename(join(path, 'node_modules'), join(path, 'aside'));
  await rename(join(path, 'sub/node_modules'), join(path, 'node_modules'));
  await rename(join(path, 'aside'), join(path, 'sub/node_modules'));
  await save(1);
  expect(looks((await prepare(2)).path)).toEqual(await expected());
});

it('a setup result that was made again is not mixed with the former one [WS-20]', async () => {
  await prepare(1);
  await save(1);
  const place = join(ground.root, 'setups');
  await rm(place, { recursive: true });
  await mkdir(place);
  const other = await prepare(50, ground.workspaces);
  expect(looks((await prepare(2)).path)).toEqual(looks(other.path));
});

it("nothing of the former agent is left in a setup's files, whatever it did there [WS-20, WS-30]", async () => {
  const wanted = await expected();
  let n = 1;
  let spared = 0;
  let { path } = await prepare(n);
  const property = fc.asyncProperty(fc.array(misdeed, { minLength: 1, maxLength: 6 }), async (deeds) => {
    const inodes = Object.keys(misdeedFiles).map((name) => inodeOf(path, `node_modules/${name}`));
    for (const { act } of deeds as { act: Misdeed }[]) await act(join(path, 'node_modules'));
    await save(n);
    n += 1;
    ({ path } = await prepare(n));
    if (Object.keys(misdeedFiles).some((name) => inodes.includes(inodeOf(path, `node_modules/${name}`)))) spared += 1;
    expect(looks(path)).toEqual(wanted);
  });
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
  expect(spared).toBeGreaterThan(0);
}, 600_000);
