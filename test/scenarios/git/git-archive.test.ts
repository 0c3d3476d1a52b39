// What a commit cannot hold is kept beside it, and what is not kept is said.

import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import {
  bareOf,
  commitFiles,
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
beforeEach(async () => {
  ground = await makeDirectory({ 'a.txt': 'one\n', '.gitignore': '*.log\n/build/\nnode_modules\n.venv\n.env\n' });
  order = orderFor(ground);
  ({ path } = await ground.workspaces.prepare(order, never));
});
afterEach(() => ground.remove());

const save = () => ground.workspaces.save(order, never);
const kept = (archive: string | null): string[] =>
  execFileSync('tar', ['-tzf', archive ?? ''], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name !== '')
    .sort();
const unpack = (archive: string | null, name: string): string =>
  execFileSync('tar', ['-xzOf', archive ?? '', `./${name}`], { encoding: 'utf8' });

it('ignored files are kept in an archive, which is reported [WS-8]', async () => {
  await put(path, { '.env': 'KEY=1\n', 'deep/er/x.log': 'log\n', 'build/out/app': 'built\n', 'c.txt': 'c\n' });
  await symlink('/etc/passwd', join(path, 'build/link'));
  const { commit, archive, notes } = await save();
  expect(await filesOf(ground, commit)).toEqual(['.gitignore', 'a.txt', 'c.txt']);
  expect(kept(archive)).toEqual(['./.env', './build/link', './build/out/app', './deep/er/x.log']);
  expect(unpack(archive, '.env')).toBe('KEY=1\n');
  expect(execFileSync('tar', ['-tvzf', archive ?? '', './build/link'], { encoding: 'utf8' })).toMatch(
    /^l.*-> \/etc\/passwd/,
  );
  expect(notes).toEqual([`not in the commit but kept in ${archive}: ignored ".env", "build", "deep"`]);
  expect((await save()).archive).toBe(archive);
});

it('what a tool can make again is not kept, which is reported [WS-29]', async () => {
  await put(path, {
    'node_modules/left-pad/index.js': '',
    'packages/a/node_modules/x/index.js': '',
    '.venv/pyvenv.cfg': '',
    'build/target/CACHEDIR.TAG': '',
    'build/target/object.o': '',
    'build/report.html': 'report',
  });
  const { archive, notes } = await save();
  expect(kept(archive)).toEqual(['./build/report.html']);
  expect(notes.join('\n')).toMatch(/since a tool can make it again: .*"build\/target".*"node_modules"/);
});

it('nested repositories are kept whole, with commits and without, also inside a submodule [WS-8]', async () => {
  for (const name of ['nested', 'unborn']) {
    await mkdir(join(path, name));
    run(join(path, name), 'init', '-q');
  }
  await put(path, { 'unborn/file': 'x' });
  const inner = await commitFiles(join(path, 'nested'), { inside: 'x' }, 'inside');
  await put(path, { 'nested/loose': 'loose\n' });
  const { archive, notes } = await save();
  expect(kept(archive)).toEqual(expect.arrayContaining(['./nested/inside', './nested/loose', './unborn/file']));
  expect(kept(archive)).toContain(`./nested/.git/objects/${inner.slice(0, 2)}/${inner.slice(2)}`);
  expect(notes.join('\n')).toMatch(/nested repository "nested"/);
  expect(notes.join('\n')).toMatch(/not taken by git "unborn"/);
});

it('a file over the limit is kept beside the commit, new or tracked [WS-8]', async () => {
  const workspaces = await openWorkspaces({ root: ground.root, limits: { fileMaxBytes: 1000 } });
  await put(path, {
    'big.bin': 'x'.repeat(1001),
    ':(top)odd': 'y'.repeat(2000),
    'a.txt': 'z'.repeat(5000),
    ok: 'x'.repeat(1000),
  });
  const { commit, archive, notes } = await workspaces.save(order, never);
  expect(await filesOf(ground, commit)).toEqual(['.gitignore', 'a.txt', 'ok']);
  expect(kept(archive)).toEqual(['./:(top)odd', './a.txt', './big.bin']);
  expect(notes.join()).toMatch(/over the limit for one file .*"big.bin"/);
});

it('what is too much for the archive stays in the workspace, which is reported; the rest is kept [WS-29]', async () => {
  const workspaces = await openWorkspaces({ root: ground.root, limits: { bytesMax: 10_000, filesMax: 50 } });
  await put(path, { '.env': 'KEY=1\n', 'build/a': 'x'.repeat(20_000) });
  const { archive, notes } = await workspaces.save(order, never);
  expect(kept(archive)).toEqual(['./.env']);
  expect(notes).toContain('too much to keep, so it is only in the workspace: "build"');
  // A sparse giant is judged by what unpacking it would take.
  await writeFile(join(path, 'giant.log'), '');
  await truncate(join(path, 'giant.log'), 2 ** 40);
  expect((await workspaces.save(order, never)).notes.join()).toMatch(/only in the workspace: .*"giant.log"/);
});

it('hostile file names are only names', async () => {
  const names = ['--checkpoint-action=exec=touch pwned.log', '-T.log', 'with\nline.log', '@.log', '*.log'];
  for (const name of names) await writeFile(join(path, name), name);
  await writeFile(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xff, 0x2e, 0x6c, 0x6f, 0x67])]), 'bytes');
  const { archive } = await save();
  const listed = execFileSync('tar', ['-tzf', archive ?? '', '--quoting-style=literal', '--show-transformed-names'], {
    encoding: 'latin1',
  });
  for (const name of names.filter((each) => each.endsWith('.log'))) expect(listed).toContain(`./${name}`);
  expect(listed).toContain('./\xff.log');
});

it('commits on other branches and the last stash are kept at refs of their own, which is reported [WS-36]', async () => {
  const bare = await bareOf(ground);
  run(path, 'checkout', '-q', '-b', 'feature/x');
  const side = await commitFiles(path, { 'side.txt': '' }, 'side');
  run(path, 'checkout', '-q', '-');
  run(path, 'branch', 'same');
  await put(path, { 'a.txt': 'stashed\n' });
  run(path, 'stash', '-q');
  run(path, 'pack-refs', '--all');
  run(path, 'checkout', '-q', '-b', 'weird.name', 'feature/x');
  const weird = await commitFiles(path, { 'weird.txt': '' }, 'weird');
  run(path, 'checkout', '-q', '-');
  const { notes, commit } = await save();
  expect(commit).toBe(order.repo.base);
  const under = 'refs/signalbox-others/run_1/task_1/1';
  expect(run(bare, 'for-each-ref', '--format=%(refname)', under).split('\n')).toEqual([
    expect.stringMatching(/branch-\d$/),
    `${under}/feature-x`,
    `${under}/stash`,
  ]);
  expect(run(bare, 'rev-parse', `${under}/feature-x`)).toBe(side);
  expect(run(bare, 'show', `${under}/stash:a.txt`)).toBe('stashed');
  expect(run(bare, 'for-each-ref', '--format=%(objectname)', `--points-at=${weird}`)).toBe(weird);
  expect(notes.join()).toMatch(/commits beside its HEAD are kept: .*"refs\/stash" at/);
  expect(await save()).toMatchObject({ commit, notes, archive: null, commitsImported: true, ref: expect.any(String) });
});

it('corrupt refs do not prevent saving', async () => {
  await put(path, { [`.git/refs/heads/lie`]: `${'1'.repeat(40)}\n`, 'c.txt': 'c\n' });
  await symlink('/etc/passwd', join(path, '.git/refs/heads/out'));
  const { commit, notes } = await save();
  expect(await filesOf(ground, commit)).toContain('c.txt');
  expect(notes.join()).toMatch(/commits beside the agent's HEAD were not imported/);
});
