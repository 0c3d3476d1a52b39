// In a workspace that is used again on the same commit, only files that an agent can have touched are made again. Moved files
// are found although they have their old times.

import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces, type Workspaces } from '../../../src/git/workspace/workspaces.ts';
import { type Ground, makeDirectory, never, orderFor, run } from './git-repositories.ts';

const files = Object.fromEntries(
  ['a', 'b', 'deep/a', 'deep/b', 'deep/a/more', 'deep/b/more'].flatMap((folder) =>
    ['x', 'y'].map((name) => [`${folder}/${name}.txt`, `${folder.replaceAll('/', '-').padStart(12)} ${name}\n`]),
  ),
);
let ground: Ground;
let workspaces: Workspaces;
beforeEach(async () => {
  ground = await makeDirectory({ ...files, 'top.txt': 'top\n' });
  workspaces = await openWorkspaces({ root: ground.root, recycle: true });
});
afterEach(() => ground.remove());

const swap = async (one: string, other: string): Promise<void> => {
  await rename(one, `${one}.aside`);
  await rename(other, one);
  await rename(`${one}.aside`, other);
};

const deeds: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'two directories swapped': (path) => swap(join(path, 'a'), join(path, 'b')),
  'two directories swapped further down': (path) => swap(join(path, 'deep/a'), join(path, 'deep/b')),
  'two directories of directories swapped': (path) => swap(join(path, 'a'), join(path, 'deep/b')),
  'two files swapped': (path) => swap(join(path, 'a/x.txt'), join(path, 'a/y.txt')),
  'a directory removed at the top': (path) => rm(join(path, 'deep'), { recursive: true }),
  'a directory removed further down': (path) => rm(join(path, 'deep/a'), { recursive: true }),
  'a file removed at the top': (path) => rm(join(path, 'top.txt')),
  'a directory replaced by a copy with other files': async (path) => {
    await cp(join(path, 'deep/a'), join(path, 'copy'), { recursive: true, preserveTimestamps: true });
    await writeFile(join(path, 'copy/more/x.txt'), 'not as it was');
    await rm(join(path, 'deep/a'), { recursive: true });
    await rename(join(path, 'copy'), join(path, 'deep/a'));
  },
  'a directory replaced by a link': async (path) => {
    await rename(join(path, 'b'), join(path, 'deep/kept'));
    await symlink('deep/kept', join(path, 'b'));
  },
  'a file replaced by a directory': async (path) => {
    await rm(join(path, 'a/x.txt'));
    await mkdir(join(path, 'a/x.txt'));
  },
  'only a file written': (path) => writeFile(join(path, 'deep/a/more/x.txt'), 'changed'),
};

for (const [what, deed] of Object.entries(deeds)) {
  it(`after ${what} the next workspace is the commit again [WS-30]`, async () => {
    const first = await workspaces.prepare(orderFor(ground, 1), never);
    await deed(first.path);
    await workspaces.save(orderFor(ground, 1), never);
    const { path } = await workspaces.prepare(orderFor(ground, 2), never);
    expect(run(ground.root, 'ls-remote', '--heads', join(path, '.git'))).toContain('task_1-2');
    for (const [name, text] of Object.entries({ ...files, 'top.txt': 'top\n' })) {
      expect(await readFile(join(path, name), 'utf8'), name).toBe(text);
    }
    expect(run(path, 'status', '--porcelain', '--ignored')).toBe('');
    expect(run(path, 'fsck', '--no-dangling')).toBe('');
  });
}
