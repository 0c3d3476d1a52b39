// Several prompts and then `land`: what succeeded comes together on the branch of the run, and lands in one command.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const write = (path: string, text: string): object => ({ write: { path, text } });
const script = (...steps: object[]): string => world.script([...steps, { say: 'It is done.' }]);
const withScripts = (...scripts: string[]): string[] => scripts.flatMap((file) => ['--script', file]);
const names = (branch: string): string[] => world.git('ls-tree', '--name-only', branch).split('\n');

it('prompts of one run come together on its branch, and one land brings them all [INT-5] [LAND-40]', async () => {
  const main = world.git('symbolic-ref', '--short', 'HEAD');
  world.git('checkout', '-q', '-b', 'elsewhere');
  const scripts = ['one', 'two', 'three'].map((name) => script(write(`${name}.txt`, `${name}\n`)));
  const { code, stderr } = await world.sb(['run', 'one', 'two', 'three', ...withScripts(...scripts), '--name', 'all']);
  expect(code, stderr).toBe(0);
  expect((await world.sb(['diff', 'all', '--stat'])).stdout).toMatch(/one\.txt.*three\.txt.*two\.txt/s);
  const landed = await world.sb(['land', 'all', '--into', main]);
  expect([landed.code, landed.stderr]).toEqual([0, expect.any(String)]);
  expect(names(main)).toEqual(['README.md', 'one.txt', 'three.txt', 'two.txt']);
});

it('land, diff and review without a name mean the newest run of this repository, and say so [CLI-21]', async () => {
  for (const name of ['older', 'newer']) {
    const { code, stderr } = await world.sb(['run', name, '--script', script(write(`${name}.txt`, `${name}\n`))]);
    expect(code, stderr).toBe(0);
  }
  const diff = await world.sb(['diff', '--stat']);
  expect([diff.stdout, diff.stderr]).toEqual([
    expect.stringContaining('newer.txt'),
    'run newer: the newest of this repository\n',
  ]);
  expect((await world.sb(['review'])).stdout).toContain('newer.txt');
  const landed = await world.sb(['land']);
  expect(landed.code, landed.stderr).toBe(0);
  expect(names('HEAD')).toEqual(['README.md', 'newer.txt']);
  expect(readFileSync(join(world.repo, 'newer.txt'), 'utf8')).toBe('newer\n');
  const outside = await world.sb(['land'], { cwd: world.dir });
  expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('name a run')]);
});

it('of a run of which a prompt failed, what succeeded lands [LAND-40]', async () => {
  const main = world.git('symbolic-ref', '--short', 'HEAD');
  world.git('checkout', '-q', '-b', 'elsewhere');
  const scripts = [script(write('good.txt', 'good\n')), script({ run: 'exit 1' })];
  const { code, stdout } = await world.sb(['run', 'good', 'bad', ...withScripts(...scripts), '--name', 'half']);
  expect(code, stdout).toBe(6);
  const landed = await world.sb(['land', 'half', '--into', main]);
  expect(landed.code, landed.stderr).toBe(0);
  expect(names(main)).toEqual(['README.md', 'good.txt']);
});

it('a prompt whose work conflicts with that of another goes back to its author before anything lands [INT-5] [INT-9]', async () => {
  const here = (name: string): string => world.path(`here-${name}`);
  const hold = (name: string): object[] => [{ run: `touch '${here(name)}'` }, { waitFor: world.path(`go-${name}`) }];
  const left = script(...hold('left'), write('shared', 'left\n'));
  const right = script(
    ...hold('right'),
    write('shared', 'right\n'),
    { turn: 'Done.' },
    write('shared', 'left\nright\n'),
  );
  const started = world.start(['run', 'left', 'right', ...withScripts(left, right), '--name', 'both', '--json']);
  await until(() => ['left', 'right'].every((name) => existsSync(here(name))), { timeoutMs: 60_000, what: 'both' });
  world.touch('go-left');
  const integrated = async () => (await world.list())[0]?.tasks.some(({ outcome }) => outcome?.kind === 'succeeded');
  await until(async () => (await integrated()) === true, { timeoutMs: 60_000, what: 'the first to be integrated' });
  world.touch('go-right');
  const { code, stdout, stderr } = await started.ended;
  expect(code, stderr).toBe(0);
  const run = JSON.parse(stdout) as RunView;
  expect(run.tasks.map(({ attempts }) => attempts)).toEqual([1, 2]);
  const gitDir = run.tasks[0]?.attempt?.gitDir ?? '';
  expect(world.git('--git-dir', gitDir, 'show', `${run.branch?.head}:shared`)).toBe('left\nright');
});

it('prompts that are different ways to the same end stay apart on request [INT-22]', async () => {
  const scripts = ['one', 'two'].map((name) => script(write('same.txt', `${name}\n`)));
  const { code, stderr } = await world.sb([
    'run',
    'one',
    'two',
    ...withScripts(...scripts),
    '--name',
    'ways',
    '--apart',
  ]);
  expect(code, stderr).toBe(0);
  expect((await world.sb(['land', 'ways'])).stderr).toMatch(/stays apart.*signalbox take/);
  const both = await world.sb(['run', 'one', 'two', ...withScripts(...scripts), '--apart', '--needs', '2:1']);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--apart')]);
});

it('run says that uncommitted changes are not part of it, and how to include them [WS-40]', async () => {
  const clean = await world.sb(['run', 'clean', ...withScripts(script(write('a.txt', 'a\n')))]);
  expect(clean.stderr).not.toContain('Uncommitted');
  writeFileSync(join(world.repo, 'README.md'), 'changed\n');
  writeFileSync(join(world.repo, 'new.txt'), 'new\n');
  const index = readFileSync(join(world.repo, '.git', 'index'));
  const dirty = await world.sb(['run', 'dirty', ...withScripts(script(write('b.txt', 'b\n')))]);
  expect(dirty.stderr).toContain(
    'Uncommitted changes (README.md and 1 more) are not part of this run; to include them: --base worktree',
  );
  expect(readFileSync(join(world.repo, '.git', 'index'))).toEqual(index);
  const included = await world.sb(['run', 'with', '--base', 'worktree', ...withScripts(script(write('c.txt', 'c\n')))]);
  expect(included.stderr).not.toContain('Uncommitted');
});

it('a run is told of another one that changes the same lines, with its name and files, before anything lands [INT-23]', async () => {
  const made = (name: string, ...steps: object[]) => world.sb(['run', name, ...withScripts(script(...steps))]);
  expect((await made('early', write('shared', 'early\n'), write('early.txt', 'e\n'))).code).toBe(0);
  const late = await made('late', write('shared', 'late\n'), write('late.txt', 'l\n'));
  expect(late.stdout).toMatch(
    /run early \(run_\w+\) changes the same lines, in shared: whichever lands second conflicts/,
  );
  expect((await world.sb(['review', 'late'])).stdout).toContain('run early');
  const beside = await made('beside', write('beside.txt', 'b\n'));
  expect(beside.stdout).not.toContain('changes the same lines');
  // What has landed is part of what the next one starts from.
  world.git('checkout', '-q', '--detach');
  expect((await world.sb(['land', 'early'])).code).toBe(0);
  world.git('checkout', '-q', '-');
  const next = await made('next', write('shared', 'next\n'));
  expect(next.stdout).toContain('run late');
  expect(next.stdout).not.toContain('run early');
});
