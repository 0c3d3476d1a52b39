// What a run starts from: a name decided at submission, or the user's uncommitted state.

import { chmod, mkdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import { isFault } from '../../../src/std/fault.ts';
import {
  bareOf,
  commitFiles,
  contentOf,
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
  ground = await makeDirectory({ 'a.txt': 'one\n', 'dir/b.txt': 'two\n', '.gitignore': '*.log\nsecret/\n' });
});
afterEach(() => ground.remove());

const decide = (base: string | null, path = ground.user) => ground.workspaces.decideBase({ path, base }, never);

describe('a named base', () => {
  it('is the commit that the name means at submission [WS-35]', async () => {
    const first = run(ground.user, 'rev-parse', 'HEAD');
    run(ground.user, 'tag', '-a', 'v1', '-m', 'v1');
    run(ground.user, 'branch', 'side');
    const second = await commitFiles(ground.user, { 'c.txt': '' }, 'second');
    expect(await decide(null)).toEqual({ path: ground.user, base: second, branch: 'main', notes: [] });
    for (const name of ['v1', 'side', 'HEAD~1', first, first.slice(0, 10)]) {
      expect((await decide(name, join(ground.user, 'dir'))).base, name).toBe(first);
    }
  });

  it.each([
    ['no-such-branch', /has no branch, tag or commit "no-such-branch": "git branch --all" there lists its branches/],
    ['--output=x', /is not the name of a commit/],
    ['HEAD:a.txt', /has no branch, tag or commit/],
  ])('%s is refused in a sentence', async (name, sentence) => {
    const refusal = await decide(name).catch((error: unknown) => error);
    expect(isFault(refusal, 'bad_request')).toBe(true);
    expect(String(refusal)).toMatch(sentence);
  });
});

describe('the uncommitted state', () => {
  const files = async () => filesOf(ground, (await decide('worktree')).base);

  it("has modifications, deletions, new files, links and modes, and leaves the user's files as before [WS-4] [WS-7]", async () => {
    await put(ground.user, {
      'a.txt': 'edited\n',
      'new/file.txt': 'new\n',
      'x.log': 'ignored',
      'secret/key': 'ignored',
    });
    await put(ground.user, { 'staged.txt': 'staged\n', 'twice.txt': 'staged\n', 'forced.log': 'forced\n' });
    run(ground.user, 'add', 'staged.txt', 'twice.txt');
    run(ground.user, 'add', '-f', 'forced.log');
    await put(ground.user, { 'twice.txt': 'and edited\n' });
    await unlink(join(ground.user, 'dir/b.txt'));
    await symlink('/etc/passwd', join(ground.user, 'link'));
    await writeFile(join(ground.user, 'tool.sh'), '#!/bin/sh\n');
    await chmod(join(ground.user, 'tool.sh'), 0o755);
    const head = run(ground.user, 'rev-parse', 'HEAD');
    const before = pictureOf(ground.user);
    const { base, notes } = await decide('worktree');
    expect(pictureOf(ground.user)).toEqual(before);
    expect(notes).toEqual([]);
    expect(await filesOf(ground, base)).toEqual([
      '.gitignore',
      'a.txt',
      'forced.log',
      'link',
      'new/file.txt',
      'staged.txt',
      'tool.sh',
      'twice.txt',
    ]);
    expect(await contentOf(ground, base, 'a.txt')).toBe('edited');
    expect(await contentOf(ground, base, 'twice.txt')).toBe('and edited');
    const bare = await bareOf(ground);
    expect(run(bare, 'rev-parse', `${base}^`)).toBe(head);
    expect(run(bare, 'ls-tree', base, 'tool.sh')).toMatch(/^100755/);
    await rm(ground.user, { recursive: true });
    expect(run(bare, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('is the base of a workspace like any other, and the same for the same state', async () => {
    await put(ground.user, { 'a.txt': 'edited\n' });
    const { base } = await decide('worktree');
    expect((await decide('worktree')).base).toBe(base);
    const order = { ...orderFor(ground), repo: { path: ground.user, base } };
    const { path } = await ground.workspaces.prepare(order, never);
    expect(run(path, 'rev-parse', 'HEAD')).toBe(base);
    expect(run(path, 'show', 'HEAD:a.txt')).toBe('edited');
    expect((await ground.workspaces.save(order, never)).commit).toBe(base);
  });

  it('without changes is what is checked out', async () => {
    expect((await decide('worktree')).base).toBe(run(ground.user, 'rev-parse', 'HEAD'));
  });

  it('keeps files that a sparse checkout leaves out, and files assumed unchanged', async () => {
    run(ground.user, 'update-index', '--assume-unchanged', 'a.txt');
    await put(ground.user, { 'a.txt': 'not to be seen\n' });
    expect((await decide('worktree')).base).toBe(run(ground.user, 'rev-parse', 'HEAD'));
    run(ground.user, 'update-index', '--no-assume-unchanged', 'a.txt');
    run(ground.user, 'checkout', '-q', 'a.txt');
    run(ground.user, 'sparse-checkout', 'set', '--no-cone', '/a.txt');
    await put(ground.user, { 'a.txt': 'edited\n' });
    expect(await files()).toEqual(['.gitignore', 'a.txt', 'dir/b.txt']);
  });

  it('in the middle of a conflict is the files as they are', async () => {
    run(ground.user, 'checkout', '-q', '-b', 'side');
    await commitFiles(ground.user, { 'a.txt': 'theirs\n' }, 'theirs');
    run(ground.user, 'checkout', '-q', 'main');
    await commitFiles(ground.user, { 'a.txt': 'ours\n' }, 'ours');
    expect(() => run(ground.user, 'merge', 'side')).toThrow();
    expect(await contentOf(ground, (await decide('worktree')).base, 'a.txt')).toContain('<<<<<<<');
  });

  it('is read from a split index, a linked worktree, and with files only intended to be added', async () => {
    await put(ground.user, { 'c.txt': 'c\n' });
    run(ground.user, 'update-index', '--split-index');
    run(ground.user, 'add', '-N', 'c.txt');
    expect(await files()).toEqual(['.gitignore', 'a.txt', 'c.txt', 'dir/b.txt']);
    const tree = join(ground.home, 'tree');
    run(ground.user, 'worktree', 'add', '-q', '--detach', tree);
    await put(tree, { 'd.txt': 'd\n' });
    const { base } = await decide('worktree', tree);
    expect(await filesOf(ground, base)).toEqual(['.gitignore', 'a.txt', 'd.txt', 'dir/b.txt']);
  });

  it("follows the user's own ignore file and the repository's info/exclude", async () => {
    const home = join(ground.home, 'me');
    await put(home, { '.gitconfig': '[core]\n\texcludesFile = ~/mine\n', mine: '*.idea\n' });
    await mkdir(join(ground.user, '.git/info'), { recursive: true });
    await put(ground.user, { '.git/info/exclude': 'local\n', 'x.idea': '', local: '', 'c.txt': '' });
    const workspaces = await openWorkspaces({ root: ground.root, userHome: home });
    const { base } = await workspaces.decideBase({ path: ground.user, base: 'worktree' }, never);
    expect(await filesOf(ground, base)).toEqual(['.gitignore', 'a.txt', 'c.txt', 'dir/b.txt']);
  });

  it('runs no filter and no hook of the repository', async () => {
    const ran = join(ground.home, 'ran');
    run(ground.user, 'config', 'filter.x.clean', `touch ${ran}; cat`);
    run(ground.user, 'config', 'core.fsmonitor', `touch ${ran}`);
    await put(ground.user, { '.gitattributes': '* filter=x\n', 'c.txt': 'c\n' });
    expect(await files()).toContain('c.txt');
    await expect(rm(ran)).rejects.toThrow(/ENOENT/);
  });

  it('has a link for a nested repository, which is reported', async () => {
    const nested = join(ground.user, 'nested');
    await mkdir(nested);
    run(nested, 'init', '-q');
    await commitFiles(nested, { inside: '' }, 'inside');
    const { notes } = await decide('worktree');
    expect(notes).toEqual(['of the nested repository "nested" only a link was saved']);
  });
});
