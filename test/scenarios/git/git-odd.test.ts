// Repositories that are not quite usual as the source of workspaces: each works, or is refused in a sentence.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectRepository } from '../../../src/git/project/user-repository.ts';
import { isFault } from '../../../src/std/fault.ts';
import {
  bareOf,
  commitFiles,
  filesOf,
  type Ground,
  makeDirectory,
  never,
  orderFor,
  pictureOf,
  put,
  run,
} from './git-repositories.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory();
  await commitFiles(ground.user, { 'later.txt': 'later\n' }, 'second');
});
afterEach(() => ground.remove());

/** Prepares, works, commits, works on, saves: the whole way of an attempt. */
async function wayThrough(user: string, n = 1) {
  const before = pictureOf(user);
  const order = { ...orderFor({ user }, n), repo: { path: user, base: (await inspectRepository(user, never)).head } };
  const prepared = await ground.workspaces.prepare(order, never);
  const listed = (await readdir(prepared.path)).filter((name) => name !== '.git').sort();
  expect(run(prepared.path, 'status', '--porcelain')).toBe('');
  const own = await commitFiles(prepared.path, { 'own.txt': 'own\n' }, 'own');
  await put(prepared.path, { 'loose.txt': 'loose\n' });
  const saved = await ground.workspaces.save(order, never);
  const notes = ["one path was not in the agent's own commits and saved for it"];
  expect(saved).toMatchObject({ commitsImported: true, archive: null, uncommitted: 1, notes });
  expect(run(prepared.path, 'rev-parse', 'HEAD')).toBe(own);
  expect(pictureOf(user)).toEqual(before);
  return { ...prepared, ...saved, listed };
}

const clone = (name: string, ...options: string[]): string => {
  const path = join(ground.home, name);
  run(ground.home, 'clone', '-q', ...options, `file://${ground.user}`, path);
  return path;
};

it('a detached HEAD is a base like any other [WS-6]', async () => {
  run(ground.user, 'checkout', '-q', '--detach', 'HEAD~1');
  expect((await wayThrough(ground.user)).listed).toEqual(['a.txt', 'dir']);
});

it('a shallow clone is supported, with its history cut off where it was [WS-6]', async () => {
  const shallow = clone('shallow', '--depth', '1');
  const { path, commit } = await wayThrough(shallow);
  expect(run(path, 'rev-list', '--count', 'HEAD')).toBe('2');
  expect(run(await bareOf(ground), 'rev-list', '--count', commit)).toBe('3');
  // And once it is whole, it is worked on all the same.
  await commitFiles(ground.user, { 'third.txt': '' }, 'third');
  run(shallow, 'pull', '-q', '--unshallow');
  expect((await wayThrough(shallow, 2)).listed).toContain('third.txt');
});

describe('a partial clone', () => {
  beforeEach(() => run(ground.user, 'config', 'uploadpack.allowFilter', 'true'));

  it('is supported if it has all of the commit, and fetches nothing for us [WS-6]', async () => {
    const partial = clone('partial', '--filter=blob:none');
    const { listed } = await wayThrough(partial);
    expect(listed).toEqual(['a.txt', 'dir', 'later.txt']);
    await commitFiles(ground.user, { 'a.txt': 'changed\n' }, 'between');
    await commitFiles(ground.user, { 'a.txt': 'changed again\n' }, 'after');
    run(partial, 'pull', '-q');
    expect((await wayThrough(partial, 2)).path).not.toBe('');
  });

  it.each(['blob:none', 'tree:0'])(
    'with %s is refused while something is missing, and accepted afterwards [WS-27]',
    async (filter) => {
      const partial = clone('partial', `--filter=${filter}`, '--no-checkout');
      const before = pictureOf(partial);
      const refusal = await wayThrough(partial).catch((error: unknown) => error);
      expect(isFault(refusal, 'not_a_repository')).toBe(true);
      expect(String(refusal)).toMatch(
        /partial clone that lacks \d+ objects? of commit .* "git fetch --refetch --no-filter"/,
      );
      expect(pictureOf(partial)).toEqual(before);
      run(partial, 'fetch', '-q', '--no-auto-gc', '--refetch', '--no-filter');
      expect((await wayThrough(partial, 2)).listed).toEqual(['a.txt', 'dir', 'later.txt']);
    },
  );
});

it('two worktrees of one repository share one project [WS-6]', async () => {
  const tree = join(ground.home, 'tree');
  run(ground.user, 'worktree', 'add', '-q', tree, '-b', 'side');
  await commitFiles(tree, { 'side.txt': 'side\n' }, 'side');
  expect((await wayThrough(tree)).listed).toEqual(['a.txt', 'dir', 'later.txt', 'side.txt']);
  expect((await wayThrough(ground.user, 2)).listed).toEqual(['a.txt', 'dir', 'later.txt']);
  expect(await readdir(join(ground.root, 'projects'))).toHaveLength(1);
});

it('a repository with sha256 ids is supported [WS-6]', async () => {
  const user = join(ground.home, 'sha256');
  run(ground.home, 'init', '-q', '--object-format=sha256', user);
  await commitFiles(user, { 'a.txt': 'a\n' }, 'first');
  const { commit } = await wayThrough(user);
  expect(commit).toHaveLength(64);
  expect(await filesOf(ground, commit)).toEqual(['a.txt', 'loose.txt', 'own.txt']);
});

it('submodules are left empty, which is reported [WS-6]', async () => {
  const module = join(ground.home, 'module');
  await mkdir(module);
  run(module, 'init', '-q');
  await commitFiles(module, { inside: '' }, 'inside');
  run(ground.user, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', module, 'vendor/module');
  run(ground.user, 'commit', '-q', '-m', 'module');
  const { path, commit } = await wayThrough(ground.user);
  expect(await readdir(join(path, 'vendor/module'))).toEqual([]);
  expect(await filesOf(ground, commit)).toContain('vendor/module');
  const { notes: said } = await ground.workspaces.prepare(orderFor(ground, 2), never);
  expect(said).toEqual(['submodules are empty in a workspace: "vendor/module"']);
});

it('Git LFS files stay pointers, which is reported, and no filter runs [WS-6]', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
  await put(ground.user, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'x.bin': pointer });
  await commitFiles(ground.user, {}, 'lfs');
  run(ground.user, 'config', 'filter.lfs.required', 'true');
  run(ground.user, 'config', 'filter.lfs.smudge', `touch ${join(ground.home, 'ran')}`);
  run(ground.user, 'config', 'filter.lfs.clean', `touch ${join(ground.home, 'ran')}`);
  const { path } = await wayThrough(ground.user);
  expect(await readFile(join(path, 'x.bin'), 'utf8')).toBe(pointer);
  const { notes } = await ground.workspaces.prepare(orderFor(ground, 2), never);
  expect(notes).toEqual(['files that Git LFS keeps are pointers in a workspace, not their content']);
  expect(existsSync(join(ground.home, 'ran'))).toBe(false);
});

it('a sparse checkout gives a whole workspace [WS-6]', async () => {
  run(ground.user, 'sparse-checkout', 'set', '--no-cone', '/a.txt');
  expect((await wayThrough(ground.user)).listed).toEqual(['a.txt', 'dir', 'later.txt']);
});

it('a workspace with a missing file is never made: damage is a fault', async () => {
  const blob = run(ground.user, 'rev-parse', 'HEAD:later.txt');
  const object = join(ground.user, '.git/objects', blob.slice(0, 2), blob.slice(2));
  await unlink(object);
  await expect(ground.workspaces.prepare(orderFor(ground), never)).rejects.toSatisfy((error) =>
    isFault(error, 'git_failed'),
  );
  expect(await readdir(join(ground.root, 'workspaces'))).toEqual([]);
});
