import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
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
  put,
  run,
} from './git-repositories.ts';

let ground: Ground;
let order: ReturnType<typeof orderFor>;
let path: string;
let base: string;
beforeEach(async () => {
  ground = await makeDirectory();
  order = orderFor(ground);
  ({ path, base } = await ground.workspaces.prepare(order, never));
});
afterEach(() => ground.remove());

const save = () => ground.workspaces.save(order, never);
const ref = 'refs/signalbox/run_1/task_1/1';
const nothing = { paths: [], total: 0 };

it('unchanged work is saved as its base', async () => {
  expect(await save()).toEqual({
    ref,
    commit: base,
    commitsImported: true,
    changed: nothing,
    uncommitted: 0,
    files: [],
    archive: null,
    notes: [],
  });
  expect(run(await bareOf(ground), 'rev-parse', ref)).toBe(base);
});

it('changed files are listed whole, each with its status and the id of its content [ART-4]', async () => {
  await put(path, { 'a.txt': 'changed\n', 'new/späße\n.txt': 'new\n' });
  await unlink(join(path, 'dir/b.txt'));
  const { files, changed } = await save();
  const blob = (content: string): string =>
    execFileSync('git', ['hash-object', '--stdin'], { input: content, encoding: 'utf8' }).trim();
  expect(files).toEqual([
    { path: 'a.txt', status: 'modified', blob: blob('changed\n') },
    { path: 'dir/b.txt', status: 'deleted', blob: null },
    { path: 'new/späße\n.txt', status: 'added', blob: blob('new\n') },
  ]);
  expect(changed).toEqual({ paths: files.map((file) => file.path), total: 3 });
  expect((await save()).files).toEqual(files);
});

it('a file that becomes a link is listed as type-changed [ART-4]', async () => {
  await unlink(join(path, 'a.txt'));
  await symlink('dir/b.txt', join(path, 'a.txt'));
  expect((await save()).files).toMatchObject([{ path: 'a.txt', status: 'type-changed' }]);
});

it("uncommitted work becomes a commit on the base, with the order's name and time", async () => {
  await put(path, { 'a.txt': 'changed\n', 'new/file.txt': 'new\n' });
  await unlink(join(path, 'dir/b.txt'));
  const { commit, notes } = await save();
  expect(notes).toEqual([]);
  expect(await filesOf(ground, commit)).toEqual(['a.txt', 'new/file.txt']);
  expect(await contentOf(ground, commit, 'a.txt')).toBe('changed');
  const shown = run(await bareOf(ground), 'show', '-s', '--format=%P%n%an <%ae> %at%n%cn <%ce> %ct%n%B', commit);
  expect(shown.trim().split('\n')).toEqual([
    base,
    'Signalbox <signalbox@localhost> 1700000000',
    'Signalbox <signalbox@localhost> 1700000000',
    'Do the thing',
    '',
    'Signalbox-Attempt: attempt_1-1',
  ]);
});

it('changes since the base are reported however they were made: the first by name, and how many [WS-17]', async () => {
  await commitFiles(path, { 'c.txt': 'c\n', 'then-gone.txt': '' }, 'mine');
  await unlink(join(path, 'then-gone.txt'));
  await rename(join(path, 'a.txt'), join(path, 'z.txt'));
  await put(path, { 'öl.txt': 'oil\n' });
  const changed = { paths: ['a.txt', 'c.txt', 'z.txt', 'öl.txt'], total: 4 };
  expect((await save()).changed).toEqual(changed);
  await rm(path, { recursive: true });
  expect((await save()).changed).toEqual(changed);
});

it('the number of uncommitted paths is reported, also when it is saved again [WS-25]', async () => {
  await put(path, { 'a.txt': 'changed\n', 'new.txt': 'new\n' });
  expect(await save()).toMatchObject({ uncommitted: 2, notes: [] });
  await commitFiles(path, { 'c.txt': 'c\n' }, 'mine');
  expect(await save()).toMatchObject({ uncommitted: 0, changed: { total: 3 }, notes: [] });
  await unlink(join(path, 'c.txt'));
  const saved = { uncommitted: 1, notes: ["one path was not in the agent's own commits and saved for it"] };
  expect(await save()).toMatchObject(saved);
  expect(await save()).toMatchObject(saved);
  await rm(path, { recursive: true });
  expect(await save()).toMatchObject({ uncommitted: 1 });
});

it('nothing is reported as uncommitted if the agent committed everything, with or without the workspace [WS-25]', async () => {
  await commitFiles(path, { 'c.txt': 'c\n' }, 'mine');
  expect(await save()).toMatchObject({ uncommitted: 0, changed: { total: 1 } });
  await rm(path, { recursive: true });
  expect(await save()).toMatchObject({ uncommitted: 0, changed: { total: 1 } });
});

it('of many changed paths fifty are listed [WS-17]', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `many/${String(n).padStart(2, '0')}`);
  await put(path, Object.fromEntries(names.map((name) => [name, name])));
  expect((await save()).changed).toEqual({ paths: names.slice(0, 50), total: 60 });
});

it("the agent's commits are imported, and are the saved work when nothing else changed", async () => {
  const own = await commitFiles(path, { 'c.txt': 'c\n' }, 'mine');
  expect(await save()).toMatchObject({ ref, commit: own, commitsImported: true, archive: null, notes: [] });
  expect(run(await bareOf(ground), 'fsck', '--no-dangling')).toBe('');
});

it("uncommitted changes stand on the agent's last commit [WS-2]", async () => {
  const own = await commitFiles(path, { 'c.txt': 'c\n' }, 'mine');
  await put(path, { 'd.txt': 'd\n' });
  const { commit } = await save();
  expect(run(await bareOf(ground), 'rev-parse', `${commit}^`)).toBe(own);
  expect(await filesOf(ground, commit)).toEqual(['a.txt', 'c.txt', 'd.txt', 'dir/b.txt']);
});

it('commits are imported from a detached HEAD, another branch and packed refs and objects', async () => {
  run(path, 'checkout', '-q', '--detach');
  const detached = await commitFiles(path, { 'c.txt': 'c\n' }, 'detached');
  expect((await save()).commit).toBe(detached);
  run(path, 'checkout', '-q', '-b', 'feature/other');
  const switched = await commitFiles(path, { 'd.txt': 'd\n' }, 'switched');
  run(path, 'pack-refs', '--all');
  run(path, 'gc', '-q');
  expect(await save()).toMatchObject({ ref, commit: switched, commitsImported: true, archive: null, notes: [] });
});

it.each([
  ['an unrelated history', ['checkout', '-q', '--orphan', 'fresh']],
  ['a commit before the base', ['reset', '-q', '--hard', 'HEAD~1']],
])('with HEAD on %s the files are saved on the base', async (_, args) => {
  const later = await commitFiles(ground.user, { 'later.txt': '' }, 'later');
  order = { ...orderFor(ground, 2), repo: { path: ground.user, base: later } };
  ({ path } = await ground.workspaces.prepare(order, never));
  run(path, ...args);
  await put(path, { 'c.txt': 'c\n' });
  if (args.includes('--orphan')) await commitFiles(path, {}, 'root');
  const { commit, commitsImported, notes } = await save();
  expect(commitsImported).toBe(false);
  expect(notes.join()).toMatch(/does not descend/);
  expect(run(await bareOf(ground), 'rev-parse', `${commit}^`)).toBe(later);
  expect(await filesOf(ground, commit)).toContain('c.txt');
});

it('a workspace emptied by its agent is saved as an empty tree', async () => {
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true });
  const { commit, commitsImported } = await save();
  expect(commitsImported).toBe(false);
  expect(await filesOf(ground, commit)).toEqual([]);
  expect(run(await bareOf(ground), 'rev-parse', `${commit}^`)).toBe(base);
});

describe('contents', () => {
  it('bytes, links, permissions and strange names survive', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256));
    await writeFile(join(path, 'binary'), bytes);
    await symlink('/etc/passwd', join(path, 'link'));
    await symlink('nowhere', join(path, 'dangling'));
    await writeFile(join(path, 'tool.sh'), '#!/bin/sh\n');
    await chmod(join(path, 'tool.sh'), 0o755);
    const names = ['-rf', '--all', 'with\nline', 'ä ö', '"quoted"', ':(exclude)a.txt', 'tab\there'];
    for (const name of names) await writeFile(join(path, name), name);
    await writeFile(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xff, 0xfe])]), 'not utf-8');
    const { commit, notes } = await save();
    expect(notes).toEqual([]);
    const bare = await bareOf(ground);
    expect(execFileSync('git', ['cat-file', 'blob', `${commit}:binary`], { cwd: bare })).toEqual(bytes);
    expect(await contentOf(ground, commit, 'link')).toBe('/etc/passwd');
    expect(
      run(bare, 'ls-tree', commit, 'link', 'tool.sh')
        .split('\n')
        .map((line) => line.slice(0, 6)),
    ).toEqual(['120000', '100755']);
    const saved = await filesOf(ground, commit);
    for (const name of names) expect(saved).toContain(name);
    expect(saved).toHaveLength(names.length + 7);
  });

  it('ignored files are left out unless they were tracked', async () => {
    const tracked = { '.gitignore': '*.log\n', 'kept.log': 'kept\n' };
    await put(ground.user, tracked);
    run(ground.user, 'add', '-f', 'kept.log');
    await commitFiles(ground.user, {}, 'ignore');
    order = orderFor(ground, 2);
    ({ path } = await ground.workspaces.prepare(order, never));
    await put(path, { 'kept.log': 'changed\n', 'dropped.log': 'x', 'c.txt': 'c' });
    const { commit } = await save();
    expect(await filesOf(ground, commit)).toEqual(['.gitignore', 'a.txt', 'c.txt', 'dir/b.txt', 'kept.log']);
    expect(await contentOf(ground, commit, 'kept.log')).toBe('changed');
  });

  it('nested repositories, with commits and without, do not prevent saving and are noted', async () => {
    await mkdir(join(path, 'nested'));
    await mkdir(join(path, 'unborn'));
    run(join(path, 'nested'), 'init', '-q');
    run(join(path, 'unborn'), 'init', '-q');
    await commitFiles(join(path, 'nested'), { inside: 'x' }, 'inside');
    await put(path, { 'unborn/file': 'x', 'c.txt': 'c' });
    const { commit, notes } = await save();
    expect(await filesOf(ground, commit)).toEqual(['a.txt', 'c.txt', 'dir/b.txt', 'nested']);
    expect(notes.join('\n')).toMatch(/some files could not be saved.*\n.*nested repository "nested" only a link/);
  });

  it('an empty submodule stays as it was', async () => {
    run(ground.user, 'update-index', '--add', '--cacheinfo', `160000,${base},vendor/module`);
    run(ground.user, 'commit', '-q', '-m', 'module');
    order = orderFor(ground, 2);
    ({ path, base } = await ground.workspaces.prepare(order, never));
    expect((await save()).commit).toBe(base);
    await rm(join(path, 'vendor'), { recursive: true });
    expect(await filesOf(ground, (await save()).commit)).toEqual(['a.txt', 'dir/b.txt']);
    await put(path, { 'vendor/module/file': 'mine' });
    expect(await filesOf(ground, (await save()).commit)).toEqual(['a.txt', 'dir/b.txt', 'vendor/module/file']);
  });

  it('attribute files that are no files are ignored', async () => {
    await put(path, { '.gitattributes': '* working-tree-encoding=UTF-16\n', 'c.txt': 'plain' });
    const { commit, notes } = await save();
    expect(notes.join()).toMatch(/\.gitattributes were not followed/);
    expect(await contentOf(ground, commit, 'c.txt')).toBe('plain');
  });
});

describe('repetition', () => {
  beforeEach(() => put(path, { 'c.txt': 'c\n' }));

  it('saving twice, also by another process of ours, gives the same commit [WS-2]', async () => {
    const first = await save();
    const again = await openWorkspaces({ root: ground.root });
    expect(await again.save(order, never)).toEqual(first);
    expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
  });

  it('a crash between the commit and its ref is repaired with the same commit', async () => {
    const first = await save();
    run(await bareOf(ground), 'update-ref', '-d', ref);
    expect(await save()).toEqual(first);
    expect(run(await bareOf(ground), 'rev-parse', ref)).toBe(first.commit);
  });

  it('a lock left by a killed git is removed once it is old', async () => {
    const lock = join(await bareOf(ground), `${ref}.lock`);
    await mkdir(join(lock, '..'), { recursive: true });
    await writeFile(lock, '');
    await expect(save()).rejects.toSatisfy((error) => isFault(error, 'git_failed'));
    await utimes(lock, 1, 1);
    const { commit } = await save();
    expect(run(await bareOf(ground), 'rev-parse', ref)).toBe(commit);
  });

  it('concurrent saves give one commit', async () => {
    const saved = await Promise.all([save(), save(), save()]);
    expect(new Set(saved.map(({ commit }) => commit)).size).toBe(1);
  });

  it('work is saved although the user has deleted the repository', async () => {
    await rm(ground.user, { recursive: true });
    expect(await filesOf(ground, (await save()).commit)).toContain('c.txt');
  });

  it('a workspace deleted by hand is a fault that says so, unless it was saved before', async () => {
    const first = await save();
    await rm(path, { recursive: true });
    expect((await save()).commit).toBe(first.commit);
    run(await bareOf(ground), 'update-ref', '-d', ref);
    const fault = await save().catch((error: unknown) => error);
    expect(isFault(fault, 'git_failed')).toBe(true);
    expect(String(fault)).toMatch(/the workspace .* is gone: its work can no longer be saved/);
  });

  it('an attempt that was never prepared cannot be saved', async () => {
    await expect(ground.workspaces.save(orderFor(ground, 9), never)).rejects.toThrow(/never prepared/);
  });
});
