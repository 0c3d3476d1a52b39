// Checks as a person meets them: by the command line, in the sandbox where there is one.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const run = (name: string, ...checks: string[]) =>
  world.sb([
    'run',
    name,
    '--harness',
    'command',
    '--argv',
    'echo work >work.txt',
    ...checks.flatMap((each) => ['--check', each]),
  ]);
const taskId = async (name: string) =>
  (await world.list()).flatMap(({ tasks }) => tasks).find((task) => task.name === name)?.id ?? '';

it('the output of a failed check can be read, and the summary says how [CHECK-10, CHECK-19]', async () => {
  const ended = await run('broken', 'true', 'printf "one\\n\\033[31mred\\033[0m\\n"; exit 3');
  expect(ended.code).toBe(1);
  const id = await taskId('broken');
  const [, name = ''] = /signalbox logs broken --check (\S+)/.exec(ended.stdout) ?? [];
  const shown = await world.sb(['logs', id, '--check', name]);
  expect(shown).toMatchObject({ code: 0, stdout: 'one\nred\n' });
  expect(shown.stderr).toContain(`[${name}: exit 3: red; ${join(world.home, 'work', 'checks')}`);
  expect((await world.sb(['logs', id, '--check', name, '--json'])).stdout).toBe('one\n\u001b[31mred\u001b[0m\n');
  const wrong = await world.sb(['logs', id, '--check', 'nothing']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/broken has no check "nothing": its checks are .*"true"/);
  const logs = join(world.home, 'work', 'checks');
  for (const file of readdirSync(logs).filter((each) => each.endsWith('.log'))) rmSync(join(logs, file));
  expect((await world.sb(['logs', id, '--check', name])).stderr).toMatch(
    /is gone: the output of this check is not kept/,
  );
});

it('the same work is not checked twice, not even by another run [CHECK-1]', async () => {
  const trace = world.path('trace');
  const check = `echo ran >>'${trace}'; test -e work.txt`;
  for (const name of ['first', 'second']) expect((await run(name, check)).code).toBe(0);
  expect(world.text('trace')).toBe('ran\n');
  const known = (await world.list()).flatMap(({ tasks }) =>
    tasks.map(({ name, attempt }) => [name, attempt?.checks?.at(-1)?.known]),
  );
  expect(Object.fromEntries(known)).toEqual({ first: false, second: true });
});

it('a check with retries runs again, and passing then is reported as flaky [CHECK-5] [CHECK-9]', async () => {
  const trace = world.path('trace');
  const script = `echo ran >>'${trace}'; test $(wc -l <'${trace}') -ge 2`;
  const plan = {
    name: 'flaky',
    tasks: { work: { run: 'echo work >work.txt', checks: [{ name: 'now-and-then', run: script, retries: 1 }] } },
  };
  writeFileSync(join(world.repo, 'flaky.plan.yaml'), JSON.stringify(plan));
  const ended = await world.sb(['run', 'flaky.plan.yaml']);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stdout + ended.stderr).toContain('check now-and-then passed (exit 0 in run 2 of 2: flaky)');
  expect((await world.only()).task.attempt?.checks?.at(-1)).toMatchObject({ passed: true, runs: 2 });
});

it('work whose checks could not be run is unverified, kept, and checked when a person retries it [CHECK-3]', async () => {
  const checks = join(world.home, 'work', 'checks');
  await world.up();
  rmSync(checks, { recursive: true });
  writeFileSync(checks, 'in the way');
  const ended = await run('good', 'test -e work.txt');
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
  const { task } = await world.only();
  expect(task.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'unverified' } });
  expect(ended.stdout).toContain(`${checks} exists and is not a directory: move it away`);
  const { gitDir = '', ref } = task.attempt ?? {};
  expect(world.git('--git-dir', gitDir, 'show', `${ref}:work.txt`)).toBe('work');
  rmSync(checks);
  expect((await world.sb(['retry', task.id])).code).toBe(0);
  expect((await world.ended()).task.outcome).toMatchObject({ kind: 'succeeded' });
});

it('a failed check runs again when a person retries the task, though the work is the same [CHECK-6]', async () => {
  const [trace, cure] = [world.path('trace'), world.path('cure')];
  const failed = await run('stuck', `echo ran >>'${trace}'; test -e '${cure}'`);
  expect(failed.code).toBe(1);
  const before = world.text('trace').length;
  world.touch('cure');
  expect((await world.sb(['retry', 'stuck'])).code).toBe(0);
  const { task } = await world.ended();
  expect(task.outcome).toMatchObject({ kind: 'succeeded' });
  expect(world.text('trace').length).toBe(before + 'ran\n'.length);
});

it('a check that a killed daemon had begun runs once more, an ended one does not [CHECK-1]', async () => {
  const [first, second, gate] = [world.path('first'), world.path('second'), world.path('gate')];
  const checks = [`echo ran >>'${first}'`, `echo ran >>'${second}'; until test -e '${gate}'; do sleep 0.05; done`];
  const asked = ['run', 'slow', '--detach', '--harness', 'command', '--argv', 'echo work >work.txt'];
  await world.sb([...asked, ...checks.flatMap((each) => ['--check', each])]);
  await until(() => world.text('second') === 'ran\n', { timeoutMs: 30_000, what: 'the second check' });
  await world.killDaemon();
  await world.up();
  await until(() => world.text('second') === 'ran\nran\n', { timeoutMs: 30_000, what: 'the second check again' });
  world.touch('gate');
  const { task } = await world.ended();
  expect(task.outcome).toMatchObject({ kind: 'succeeded' });
  expect(world.text('first')).toBe('ran\n');
  expect(task.attempt?.checks?.slice(-2)).toMatchObject([{ known: true }, { known: false, runs: 1 }]);
});

it("what failed only on the branch, with others' work, can be read as well [CHECK-10]", async () => {
  const work = (name: string) => ({
    run: `echo ${name} >${name}.txt`,
    checks: [{ name: 'apart', run: 'ls *.txt; test ! -e left.txt || test ! -e right.txt' }],
    retry: { attempts: 1, conflicts: 0, 'send-backs': 0 },
    'on-conflict': 'fail',
  });
  const plan = { name: 'two', tasks: { left: work('left'), right: work('right') } };
  writeFileSync(join(world.repo, 'two.plan.yaml'), JSON.stringify(plan));
  const ended = await world.sb(['run', 'two.plan.yaml']);
  expect(ended.code, ended.stdout + ended.stderr).toBe(6);
  const [, id = ''] = /signalbox logs (\S+) --check apart/.exec(ended.stdout) ?? [];
  const { stdout, stderr } = await world.sb(['logs', id, '--check', 'apart']);
  expect(stdout).toMatch(/^(left|right)\.txt\nleft\.txt\nright\.txt\n$/);
  expect(stderr).toContain('[apart: exit 1: right.txt;');
});
