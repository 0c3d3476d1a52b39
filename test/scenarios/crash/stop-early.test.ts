// Stopping a task that has no agent at work: its setup is still running, it waits for another's, or its checks are run.

import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasSandbox } from '../../conformance/sandbox-world.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const timeoutMs = 30_000;

/** Says that it runs, and then does so for an hour, deaf to TERM and with a child. */
const endless = (name: string) =>
  `#!/bin/sh\ntrap '' TERM\ntouch '${world.path(name)}'\nsleep 3600 &\nwhile :; do sleep 3601; done\n`;

function commitSetup(text: string): void {
  mkdirSync(join(world.repo, '.signalbox'), { recursive: true });
  writeFileSync(join(world.repo, '.signalbox/setup'), text);
  writeFileSync(join(world.repo, 'package-lock.json'), '{}');
  chmodSync(join(world.repo, '.signalbox/setup'), 0o755);
  world.git('-C', world.repo, 'add', '-A');
  world.git('-C', world.repo, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'setup');
}

const seen = (name: string) => until(() => existsSync(world.path(name)), { timeoutMs, what: name });
const sleepers = () => world.processes().filter(({ command }) => command.includes('sleep 360'));
const kept = (name: string) => readdirSync(join(world.home, 'work', name));

/** Neither process nor port nor directory stays of it. */
const nothingIsLeft = async (): Promise<void> => {
  expect(sleepers()).toEqual([]);
  expect(kept('ports')).toEqual([]);
  expect(kept('workspaces')).toEqual([]);
  expect(kept('records')).toEqual([]);
  await until(() => kept('scratch').length === 0, { timeoutMs, what: 'scratch to be removed' });
};

it.each(hasSandbox ? [['workspace'], ['none']] : [['none']])(
  'a setup ends with the task that is stopped, in sandbox %s [ATT-14]',
  async (sandbox) => {
    commitSetup(endless('setting-up'));
    await world.sb(['run', 'one', '--detach', '--sandbox', sandbox, '--retries', '2']);
    await seen('setting-up');
    expect(await world.sb(['stop', 'one'])).toMatchObject({ code: 0 });
    const { run, task } = await world.ended();
    expect(run.outcome).toBe('stopped');
    expect(task.outcome?.kind).toBe('stopped');
    await nothingIsLeft();
  },
);

it("a setup that takes longer than its task's timeout ends with it [ATT-11, ATT-14] [ATT-8]", async () => {
  commitSetup(endless('setting-up'));
  const ended = await world.sb(['run', 'one', '--timeout', '2']);
  expect(ended.code).toBe(1);
  expect((await world.only()).task.outcome).toMatchObject({ failure: { reason: 'timeout' } });
  await nothingIsLeft();
});

it("a task that waits for another's setup is stopped at once, and does not affect it [ATT-14]", async () => {
  commitSetup(endless('setting-up'));
  await world.sb(['run', 'one', '--detach', '--name', 'first']);
  await seen('setting-up');
  await world.sb(['run', 'two', '--detach', '--name', 'second']);
  const byName = async (name: string) => (await world.list()).find((each) => each.name === name);
  const ends = (name: string) =>
    until(async () => (await byName(name))?.outcome === 'stopped', { timeoutMs, what: `${name} to end` });
  await until(async () => (await byName('second'))?.tasks[0]?.attempt?.state === 'preparing', {
    timeoutMs,
    what: 'it',
  });
  await world.sb(['stop', 'second']);
  await ends('second');
  expect((await byName('first'))?.state).toBe('running');
  expect(sleepers()).not.toEqual([]);
  await world.sb(['stop', 'first']);
  await ends('first');
  await nothingIsLeft();
});

it.skipIf(!hasSandbox)(
  'a setup is not started again for a task that was stopped before the daemon died [ATT-15]',
  async () => {
    commitSetup(`${endless('setting-up')}`);
    await world.sb(['run', 'one', '--detach']);
    await seen('setting-up');
    await Promise.all([world.sb(['stop', 'one']), world.sb(['events', 'one'])]);
    await world.killDaemon();
    expect((await world.ended()).run.outcome).toBe('stopped');
    await until(() => sleepers().length === 0, { timeoutMs, what: 'the setup to be gone' });
    await nothingIsLeft();
  },
);

it.each([['task'], ['run']])('a check ends with the %s that is stopped; the work is kept [ATT-11]', async (which) => {
  const check = world.path('check');
  writeFileSync(check, endless('checking'), { mode: 0o755 });
  const script = world.script([{ write: { path: 'made', text: 'kept' } }]);
  await world.sb(['run', 'one', '--detach', '--script', script, '--check', check, '--retries', '2']);
  await seen('checking');
  const { run, task } = await world.only();
  expect(await world.sb(['stop', which === 'run' ? run.id : task.id])).toMatchObject({ code: 0 });
  const ended = await world.ended();
  expect(ended.run.outcome).toBe('stopped');
  expect(ended.task.outcome?.kind).toBe('stopped');
  expect(sleepers()).toEqual([]);
  const { gitDir, ref } = ended.task.attempt ?? {};
  expect(world.git('--git-dir', gitDir ?? '', 'show', `${ref}:made`)).toBe('kept');
  await until(() => kept('scratch').length === 0, { timeoutMs, what: 'scratch to be removed' });
});
