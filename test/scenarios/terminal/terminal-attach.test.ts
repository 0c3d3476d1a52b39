// Attaching to an agent: its session on a real terminal, a line typed to it, and leaving it at work.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { hasPty, sit } from './terminal-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

describe.runIf(hasPty)('attach', () => {
  it('shows what is said as it is said, and a typed line reaches the agent [TTY-5]', async () => {
    const script = world.script([
      { say: 'Good morning.' },
      { run: 'true # a tool' },
      { waitFor: world.path('go') },
      { say: { text: 'line {n}', repeat: 3 } },
    ]);
    await world.sb(['run', 'talk', '-d', '--script', script]);
    const tty = sit(world, ['attach', 'talk']);
    await tty.shows('Good morning.');
    await tty.shows('[uses Bash: true # a tool]');
    tty.type('please be ');
    await tty.shows('> please be');
    tty.type('brief\r');
    await tty.shows('(sent: please be brief)');
    tty.type('unfinished');
    world.touch('go');
    expect(await tty.ended).toBe(0);
    const end = tty.shown();
    expect(end).toContain('Noted: please be brief');
    expect(end.match(/^> please be brief$/gm), end).toHaveLength(1);
    expect(end).toMatch(/line 1\nline 2\nline 3/);
    expect(end).not.toContain('unfinished');
    expect(end.split('\n').at(-1)).toMatch(/^succeeded/);
  });

  it('ends with Ctrl-C, and the agent goes on [CLI-3] [TTY-5]', async () => {
    const script = world.script([{ say: 'Here.' }, { waitFor: world.path('go') }]);
    await world.sb(['run', 'talk', '-d', '--script', script]);
    const tty = sit(world, ['attach', 'talk']);
    await tty.shows('Here.');
    tty.type('\u0003');
    expect(await tty.ended).toBe(130);
    expect(tty.shown()).toMatch(/The agent continues\.\nreattach: signalbox attach task_\w+$/);
    world.touch('go');
    expect((await world.ended()).run.outcome).toBe('succeeded');
  });

  it('to a run of several tasks asks which [CLI-6]', async () => {
    await world.sb(['run', 'one', 'two', '--name', 'both', '--script', world.script([{ say: 'x' }])]);
    const { code, stderr } = await world.sb(['attach', 'both']);
    expect(code).toBe(2);
    expect(stderr).toContain('name one of its tasks (one, two)');
  });

  it('to an ended task shows the end of its session and how it ended', async () => {
    const script = world.script([{ say: { text: 'line {n}', repeat: 100 } }, { fail: 'billing' }]);
    await world.sb(['run', 'over', '--script', script]);
    const { code, stdout } = await world.sb(['attach', 'over']);
    expect(code).toBe(4);
    expect(stdout).toContain('line 100');
    expect(stdout).not.toMatch(/line 9$/m);
    expect(stdout).toMatch(/\[earlier lines: signalbox logs task_\w+\]/);
    expect(stdout).toMatch(/failed \(billing\)/);
  });
});

it('holds the workspace, and releases it however the person leaves [TTY-6]', async () => {
  const script = world.script([{ say: 'Here.' }, { waitFor: world.path('go') }]);
  await world.sb(['run', 'talk', '-d', '--script', script]);
  const held = async (n: number): Promise<void> => {
    const { task } = await world.only();
    const folder = join(world.home, 'work/holds', task.attempt?.id ?? '');
    const holders = (): number => {
      try {
        return readdirSync(folder).length;
      } catch {
        return 0;
      }
    };
    await until(() => holders() === n, { timeoutMs: 20_000, what: `${n} to hold it` });
  };
  const [one, two] = [world.start(['attach', 'talk']), world.start(['attach', 'talk'])];
  for (const each of [one, two]) await each.says('Here.');
  await held(2);
  process.kill(one.pid, 'SIGKILL');
  await held(1);
  // The next daemon forgets who looked through the former, and who still looks comes back.
  await world.killDaemon();
  await held(1);
  process.kill(two.pid, 'SIGINT');
  expect((await two.ended).code).toBe(130);
  await held(0);
  world.touch('go');
  await world.ended();
});
