// `.worktreeinclude`: ignored files of the user's checkout that a workspace needs.

import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commitFiles, type Ground, makeDirectory, never, orderFor, pictureOf, put, run } from './git-repositories.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory({
    'a.txt': 'one\n',
    '.gitignore': '.env*\nlocal/\n*.key\n',
    '.worktreeinclude': '.env*\n!.env.old\nlocal/\nuntracked.txt\na.txt\n',
  });
});
afterEach(() => ground.remove());

const prepare = (n = 1) => ground.workspaces.prepare(orderFor(ground, n), never);

it('ignored files that it names are copied with their permissions, others are not [WS-10]', async () => {
  await put(ground.user, {
    '.env': 'KEY=1\n',
    '.env.old': 'OLD=1\n',
    'local/deep/settings.json': '{}\n',
    'x.key': 'secret\n',
    'untracked.txt': 'not ignored\n',
    'a.txt': 'edited\n',
  });
  await chmod(join(ground.user, '.env'), 0o600);
  const before = pictureOf(ground.user);
  const { path, notes } = await prepare();
  expect(pictureOf(ground.user)).toEqual(before);
  expect(await readFile(join(path, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(lstatSync(join(path, '.env')).mode & 0o777).toBe(0o600);
  expect(await readFile(join(path, 'local/deep/settings.json'), 'utf8')).toBe('{}\n');
  for (const name of ['.env.old', 'x.key', 'untracked.txt']) expect(existsSync(join(path, name)), name).toBe(false);
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('one\n');
  expect(notes).toEqual(['copied for .worktreeinclude: ".env", "local/deep/settings.json"']);
  expect(run(path, 'status', '--porcelain')).toBe('');
});

it('unchanged copies are not archived, changed ones are', async () => {
  await put(ground.user, { '.env': 'KEY=1\n', 'local/x': 'x\n' });
  const { path } = await prepare();
  expect(await ground.workspaces.save(orderFor(ground), never)).toMatchObject({ archive: null, notes: [] });
  await writeFile(join(path, '.env'), 'KEY=2\n');
  const { notes } = await ground.workspaces.save(orderFor(ground), never);
  expect(notes.join()).toMatch(/kept in .*: ignored "\.env"$/);
});

it('no link is followed, out of the checkout or out of the workspace, which is reported [WS-10]', async () => {
  const outside = join(ground.home, 'outside');
  await put(outside, { secret: 'secret\n' });
  await symlink(join(outside, 'secret'), join(ground.user, '.env'));
  await mkdir(join(ground.user, 'local'));
  await put(ground.user, { 'local/x': 'x\n' });
  // The commit has a link where the user's checkout has a directory by now.
  run(ground.user, 'rm', '-q', '--cached', '.gitignore');
  await symlink(outside, join(ground.user, 'link'));
  run(ground.user, 'add', 'link');
  const base = await commitFiles(ground.user, {}, 'link');
  run(ground.user, 'rm', '-q', '--cached', 'link');
  await unlink(join(ground.user, 'link'));
  await put(ground.user, { 'link/.env': 'leads out\n' });
  const order = { ...orderFor(ground), repo: { path: ground.user, base } };
  const { path, notes } = await ground.workspaces.prepare(order, never);
  expect(existsSync(join(path, '.env'))).toBe(false);
  expect(existsSync(join(outside, '.env'))).toBe(false);
  expect(notes.join('\n')).toMatch(/not copied for \.worktreeinclude: .*"\.env" \(a link\)/);
  expect(notes.join('\n')).toMatch(/"link\/\.env" \(something else is in its place\)/);
});

it('a huge file is left out, which is reported, and the rest is copied [WS-10]', async () => {
  await put(ground.user, { '.env': 'KEY=1\n', '.env.giant': '' });
  await truncate(join(ground.user, '.env.giant'), 2 ** 40);
  const { path, notes } = await prepare();
  expect(existsSync(join(path, '.env'))).toBe(true);
  expect(existsSync(join(path, '.env.giant'))).toBe(false);
  expect(notes).toContain('not copied for .worktreeinclude: ".env.giant" (over the limit)');
});

it('a pipe is not waited for, and a list that is itself a link is ignored', async () => {
  await put(ground.user, { '.env': '' });
  execFileSync('mkfifo', [join(ground.user, '.env.pipe')]);
  expect((await prepare()).notes.join()).toMatch(/copied for \.worktreeinclude: "\.env"/);
  run(ground.user, 'rm', '-q', '--cached', '.worktreeinclude');
  await rename(join(ground.user, '.worktreeinclude'), join(ground.home, 'list'));
  await symlink(join(ground.home, 'list'), join(ground.user, '.worktreeinclude'));
  expect((await prepare(2)).notes).toEqual([]);
});
