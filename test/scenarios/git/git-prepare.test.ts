import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectRepository } from '../../../src/git/project/user-repository.ts';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import { isFault } from '../../../src/std/fault.ts';
import {
  bareOf,
  commitFiles,
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
});
afterEach(() => ground.remove());

it('a workspace holds the base on a branch of its own, with tags, without remotes [WS-1]', async () => {
  run(ground.user, 'tag', 'v1');
  const order = orderFor(ground);
  const { path, base } = await ground.workspaces.prepare(order, never);
  expect(path).toBe(join(ground.root, 'workspaces', order.attemptId));
  expect(base).toBe(order.repo.base);
  expect(run(path, 'status', '--porcelain=v2', '--branch')).toContain('# branch.head signalbox/run_1/task_1-1');
  expect(run(path, 'rev-parse', 'HEAD')).toBe(base);
  expect(run(path, 'status', '--porcelain')).toBe('');
  expect(run(path, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
    'refs/heads/signalbox/run_1/task_1-1',
    'refs/tags/v1',
  ]);
  expect(run(path, 'remote')).toBe('');
  expect(await readFile(join(path, 'dir/b.txt'), 'utf8')).toBe('two\n');
});

it('objects are shared with the user by hard links and lent to workspaces', async () => {
  const { path } = await ground.workspaces.prepare(orderFor(ground), never);
  const bare = await bareOf(ground);
  const commit = run(ground.user, 'rev-parse', 'HEAD');
  const object = join('objects', commit.slice(0, 2), commit.slice(2));
  expect((await stat(join(bare, object))).ino).toBe((await stat(join(ground.user, '.git', object))).ino);
  expect(await readFile(join(path, '.git/objects/info/alternates'), 'utf8')).toBe(`${bare}/objects\n`);
  expect(run(bare, 'config', 'gc.auto')).toBe('0');
});

it('the second preparation finds the first and leaves its files alone [WS-1]', async () => {
  const order = orderFor(ground);
  const first = await ground.workspaces.prepare(order, never);
  await put(first.path, { 'a.txt': 'changed\n' });
  const before = pictureOf(first.path);
  const reopened = await openWorkspaces({ root: ground.root });
  expect(await reopened.prepare(order, never)).toEqual(first);
  expect(pictureOf(first.path)).toEqual(before);
});

it('eight concurrent preparations make one project and eight workspaces', async () => {
  const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => orderFor(ground, n));
  const made = await Promise.all(orders.map((order) => ground.workspaces.prepare(order, never)));
  expect(new Set(made.map(({ path }) => path)).size).toBe(8);
  expect(await readdir(join(ground.root, 'projects'))).toHaveLength(1);
  for (const { path, base } of made) expect(run(path, 'rev-parse', 'HEAD')).toBe(base);
  expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
});

it('the same attempt prepared concurrently is one workspace', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => ground.workspaces.prepare(orderFor(ground), never)));
  expect(new Set(made.map(({ path }) => path)).size).toBe(1);
  expect(run(made[0]?.path ?? '', 'status', '--porcelain')).toBe('');
});

it('what a crash left half made is removed and made again', async () => {
  await put(join(ground.root, 'scratch'), { 'use-abc/project.git/HEAD': 'ref: ', 'use-def/workspace/.git/config': '' });
  const workspaces = await openWorkspaces({ root: ground.root });
  expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
  const { path } = await workspaces.prepare(orderFor(ground), never);
  expect(run(path, 'fsck')).toBe('');
});

it('a crash between making the project and the workspace is repaired', async () => {
  const first = await ground.workspaces.prepare(orderFor(ground), never);
  await rm(first.path, { recursive: true });
  await rm(join(ground.root, 'attempts'), { recursive: true });
  const again = await openWorkspaces({ root: ground.root });
  expect(await again.prepare(orderFor(ground), never)).toEqual(first);
  expect(run(first.path, 'status', '--porcelain')).toBe('');
});

it('a cancelled preparation leaves nothing, and the next one succeeds', async () => {
  const stop = new AbortController();
  const reason = new Error('shutting down');
  const given = ground.workspaces.prepare(orderFor(ground), stop.signal);
  stop.abort(reason);
  await expect(given).rejects.toBe(reason);
  expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
  const { path } = await ground.workspaces.prepare(orderFor(ground), never);
  expect(run(path, 'status', '--porcelain')).toBe('');
});

describe('bases', () => {
  it('a base newer than our copy is fetched, also when no ref leads to it', async () => {
    await ground.workspaces.prepare(orderFor(ground), never);
    const newer = await commitFiles(ground.user, { 'new.txt': 'new\n' }, 'second');
    const dangling = await commitFiles(ground.user, { 'lost.txt': 'lost\n' }, 'third');
    run(ground.user, 'reset', '-q', '--hard', newer);
    const second = await ground.workspaces.prepare(orderFor(ground, 2), never);
    expect(await readFile(join(second.path, 'new.txt'), 'utf8')).toBe('new\n');
    const order = { ...orderFor(ground, 3), repo: { path: ground.user, base: dangling } };
    const third = await ground.workspaces.prepare(order, never);
    expect(await readFile(join(third.path, 'lost.txt'), 'utf8')).toBe('lost\n');
    expect(await readdir(join(ground.root, 'projects'))).toHaveLength(1);
  });

  it('a name means what it means to the user at the first preparation', async () => {
    const order = { ...orderFor(ground), repo: { path: ground.user, base: 'main' } };
    const first = await ground.workspaces.prepare(order, never);
    const newer = await commitFiles(ground.user, { 'new.txt': 'new\n' }, 'second');
    expect(await ground.workspaces.prepare(order, never)).toEqual(first);
    expect((await ground.workspaces.prepare({ ...order, attemptId: 'attempt_1-2', n: 2 }, never)).base).toBe(newer);
  });

  it.each(['--output=pwned', '-h', '--upload-pack=touch pwned', '', 'HEAD\n--all'])(
    'the base %j is refused and runs nothing',
    async (base) => {
      const order = { ...orderFor(ground), repo: { path: ground.user, base } };
      await expect(ground.workspaces.prepare(order, never)).rejects.toSatisfy((e) => isFault(e, 'bad_request'));
      expect(existsSync(join(ground.user, 'pwned'))).toBe(false);
    },
  );

  it('a missing base is named in the fault', async () => {
    const order = { ...orderFor(ground), repo: { path: ground.user, base: 'no-such-branch' } };
    await expect(ground.workspaces.prepare(order, never)).rejects.toThrow(/has no commit "no-such-branch"/);
  });

  it('a repository without branches, and one that borrows its objects, are supported', async () => {
    run(ground.user, 'checkout', '-q', '--detach');
    run(ground.user, 'branch', '-q', '-D', 'main');
    const { path } = await ground.workspaces.prepare(orderFor(ground), never);
    expect(run(path, 'status', '--porcelain')).toBe('');
    const borrower = join(ground.home, 'borrower');
    run(ground.home, 'clone', '-q', '--shared', ground.user, borrower);
    const order = { ...orderFor(ground, 2), repo: { path: borrower, base: 'HEAD' } };
    const second = await ground.workspaces.prepare(order, never);
    await rename(ground.user, `${ground.user}-moved`);
    expect(run(second.path, 'fsck')).toBe('');
  });
});

it("later changes of the user's repository do not reach a workspace", async () => {
  const { path, base } = await ground.workspaces.prepare(orderFor(ground), never);
  run(ground.user, 'checkout', '-q', '--orphan', 'other');
  await commitFiles(ground.user, { 'other.txt': '' }, 'other');
  run(ground.user, 'branch', '-q', '-D', 'main');
  run(ground.user, 'reflog', 'expire', '--expire=now', '--all');
  run(ground.user, 'gc', '-q', '--prune=now');
  expect(run(path, 'rev-parse', 'HEAD')).toBe(base);
  expect(run(path, 'fsck')).toBe('');
  await rm(ground.user, { recursive: true });
  expect(
    await ground.workspaces.prepare({ ...orderFor({ user: path }), repo: { path: ground.user, base } }, never),
  ).toEqual({ path, base, notes: [] });
});

it("the user's repository is left byte for byte as it was [WS-4]", async () => {
  await put(ground.user, { 'a.txt': 'being edited\n', 'untracked.txt': 'mine\n', 'staged.txt': 'staged\n' });
  run(ground.user, 'add', 'staged.txt');
  const order = orderFor(ground);
  const before = pictureOf(ground.user);
  const { path } = await ground.workspaces.prepare(order, never);
  await put(path, { 'work.txt': 'work\n' });
  run(path, 'add', '-A');
  run(path, 'commit', '-q', '-m', 'work');
  await put(path, { 'more.txt': 'more\n' });
  await ground.workspaces.save(order, never);
  expect(pictureOf(ground.user)).toEqual(before);
});

it.each(['../escape', '-x', 'a/b', '', 'a.lock', 'a b'])('the id %j is refused', async (attemptId) => {
  const order = { ...orderFor(ground), attemptId };
  await expect(ground.workspaces.prepare(order, never)).rejects.toSatisfy((e) => isFault(e, 'bad_request'));
});

describe('inspecting', () => {
  it('a repository is identified by its root and head, also from a subdirectory', async () => {
    const head = run(ground.user, 'rev-parse', 'HEAD');
    expect(await inspectRepository(join(ground.user, 'dir'), never)).toEqual({
      root: await realpath(ground.user),
      head,
      gitDir: join(await realpath(ground.user), '.git'),
    });
  });

  it.each([
    ['missing', /there is no directory .* give the path of a git repository/],
    ['plain', /is not in a git repository: run "git init"/],
    ['bare', /is a bare repository: clone it/],
    ['empty', /has no commits yet: commit something/],
    ['user/.git', /inside a .git directory: give the path of its checkout/],
  ])('%s is refused with what to do [WS-27]', async (name, sentence) => {
    await mkdir(join(ground.home, 'plain'));
    run(ground.home, 'init', '-q', '--bare', 'bare');
    run(ground.home, 'init', '-q', 'empty');
    const refusal = await inspectRepository(join(ground.home, name), never).catch((error: unknown) => error);
    expect(isFault(refusal, 'not_a_repository')).toBe(true);
    expect(String(refusal)).toMatch(sentence);
  });

  it('a file in place of a repository is refused too', async () => {
    await writeFile(join(ground.home, 'file'), '');
    await expect(inspectRepository(join(ground.home, 'file'), never)).rejects.toThrow(/there is no directory/);
  });
});
