// Runs that have ended: listed by pages, newest first, and removed with everything they left on the disk.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SpaceItemView } from '../../../src/wire/space-views.ts';
import { type RunList, runList } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const runOne = async (name: string, file: string): Promise<void> => {
  const script = world.script([{ write: { path: file, text: `${file}\n` } }, { say: 'It is done.' }]);
  const { code, stderr } = await world.sb(['run', name, '--script', script]);
  expect(code, stderr).toBe(0);
};
const left = (folder: string): string[] => readdirSync(join(world.home, folder)).filter((name) => /_/.test(name));
const refs = (gitDir: string): string => world.git('--git-dir', gitDir, 'for-each-ref', '--format=%(refname)');

it('rm removes a landed run with workspaces, sessions, transcripts and refs, and its landed line is still explained [WS-43]', async () => {
  await runOne('landed', 'made.txt');
  expect((await world.sb(['land', 'landed'])).code).toBe(0);
  const { run, task } = await world.only();
  const gitDir = world.git('--git-dir', task.attempt?.gitDir ?? '', 'rev-parse', '--absolute-git-dir');
  expect(refs(gitDir)).toContain(run.id);
  const unasked = await world.sb(['rm', 'landed']);
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  const gone = await world.sb(['rm', 'landed', '--yes']);
  expect([gone.code, gone.stdout]).toEqual([
    0,
    expect.stringMatching(/^Removed run landed with \d workspaces?, 1 agent home, 1 transcript \(\d.*iB\)\.\n$/),
  ]);
  expect([left('agents'), left('launches'), refs(gitDir)]).toEqual([[], [], expect.not.stringContaining(run.id)]);
  await until(() => !existsSync(task.attempt?.workspace ?? ''), { what: 'the workspace to be gone' });
  expect((await world.sb(['ps', '--all'])).stdout).toContain('There are no runs here');
  expect((await world.sb(['review', 'landed'])).stderr).toContain('there is no run or task "landed"');
  expect((await world.sb(['resume', run.id])).stderr).toMatch(/was removed by/);
  expect((await world.sb(['why', 'made.txt:1'])).stdout).toContain('landed');
  expect((await world.sb(['verify'])).code).toBe(0);
});

it('work that is in no branch of the user stays unless it is forced away, whatever else is asked [WS-44]', async () => {
  await runOne('only-here', 'made.txt');
  const { task } = await world.only();
  const work = (): string =>
    world.git('--git-dir', task.attempt?.gitDir ?? '', 'show', `${task.attempt?.ref}:made.txt`);
  const kept = await world.sb(['rm', 'only-here', '--yes']);
  expect([kept.code, kept.stderr]).toEqual([
    1,
    expect.stringContaining('the work of only-here is in no branch of yours'),
  ]);
  expect([work(), left('agents').length, left('launches').length]).toEqual(['made.txt', 1, 1]);
  expect((await world.sb(['take', 'only-here'])).code).toBe(0);
  const taken = await world.sb(['rm', 'only-here', '--yes']);
  expect(taken.code, taken.stderr).toBe(0);
  await runOne('lost', 'lost.txt');
  const forced = await world.sb(['rm', 'lost', '--yes', '--force']);
  expect([forced.code, forced.stdout]).toEqual([0, expect.stringContaining('and unlanded work of lost')]);
  expect(await world.list()).toEqual([]);
});

it('a removal that a killed daemon began is finished by the next, and one that is not on record is forgotten [WS-45]', async () => {
  await runOne('first', 'first.txt');
  const { run, task } = await world.only();
  const attempts = [{ taskId: task.id, attemptId: task.attempt?.id ?? '', n: 1, landed: false }];
  const intent = JSON.stringify({ run: { runId: run.id, repo: world.repo, attempts }, keep: [] });
  const marker = join(world.home, 'removing', `${run.id}.json`);
  const restartWith = async (): Promise<void> => {
    await world.sb(['down']);
    mkdirSync(join(world.home, 'removing'), { recursive: true });
    writeFileSync(marker, intent);
    expect((await world.sb(['up'])).code).toBe(0);
  };
  await restartWith();
  expect([existsSync(marker), left('agents').length]).toEqual([false, 1]);
  expect((await world.sb(['rm', 'first', '--yes', '--force'])).code).toBe(0);
  const home = join(world.home, 'agents', (task.attempt?.id ?? '').replace('attempt', 'agent'));
  mkdirSync(home);
  await restartWith();
  expect([existsSync(marker), existsSync(home)]).toEqual([false, false]);
});

it('ps --all lists runs of this repository newest first, by pages, and -A those of all [CLI-22]', async () => {
  for (const name of ['older', 'newer']) await runOne(name, `${name}.txt`);
  const names = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await world.sb(['ps', ...args, '--json']);
    return (JSON.parse(stdout) as RunList).runs.map(({ name }) => name);
  };
  expect(await names('--all')).toEqual(['newer', 'older']);
  expect(await names('--all', '--page', '2')).toEqual([]);
  const other = world.path('other');
  world.git('init', '-q', other);
  expect((await world.sb(['ps', '--all'], { cwd: other })).stdout).toContain('signalbox ps -A');
  expect((await world.sb(['ps', '-A'], { cwd: other })).stdout).toMatch(/newer[^]*older/);
  const page = await world.client().get('/runs?page=1&limit=1', runList);
  expect(page).toMatchObject({ more: true, runs: [{ name: 'newer' }] });
});

it('gc lists everything below the home, the largest first, with the homes of agents [WS-46]', async () => {
  await runOne('one', 'one.txt');
  const { stdout } = await world.sb(['gc', '--dry-run', '--json']);
  const { items } = JSON.parse(stdout) as { items: SpaceItemView[] };
  expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['agents', 'launches', 'journal', 'project']));
  const sizes = items.map(({ bytes }) => bytes ?? 0);
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  const paths = items.map(({ path }) => path);
  const isListed = (path: string): boolean => paths.some((each) => path === each || path.startsWith(`${each}/`));
  const work = join(world.home, 'work');
  const all = readdirSync(world.home)
    .filter((name) => name !== 'work')
    .map((name) => join(world.home, name));
  const empty = (path: string): boolean => readdirSync(path).length === 0;
  for (const name of readdirSync(work)) {
    const path = join(work, name);
    if (!isListed(path) && !empty(path)) all.push(...readdirSync(path).map((each) => join(path, each)));
  }
  expect(all.filter((path) => !isListed(path))).toEqual([]);
});
