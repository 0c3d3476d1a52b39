// S9: the disk. An agent that prints without end is stopped at its cap, on either stream, in many lines or in one; below
// the floor of free space agents stand still and go on when there is room.

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeNamespace } from '../../../src/process/confine.ts';
import type { RunList, RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { openSmallRoom, type SmallRoom } from '../spending/limits-room.ts';
import {
  bytesBelow,
  detached,
  failureOf,
  guardMs,
  killed,
  memoryOf,
  mib,
  recordOf,
  runEnd,
  rungsOf,
  runOf,
  slackMs,
  stateOf,
  statusOf,
  taskEnd,
  taskNamed,
} from '../spending/limits-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: '6' });
});

afterEach(() => world.close());

const timeoutMs = 60_000;
const capMb = 60;
const mbPerSecond = 50;
/** The cap, and what is printed between two looks of the guard and until the agent is dead. */
const mostMb = capMb + (mbPerSecond * (2 * guardMs + slackMs)) / 1_000;

const floods: readonly [what: string, flood: object, figure: RegExp][] = [
  ['its output', { flood: { mbPerSecond } }, /^it printed (\d+) MiB, its cap is 60 MiB$/],
  ['stderr', { flood: { to: 'stderr', mbPerSecond } }, /^it printed (\d+) MiB, its cap is 60 MiB$/],
];

describe('S9: an agent that floods', () => {
  it.each(floods)(
    '%s at 50 MB/s is stopped at its cap; the state directory stays bounded [CAP-1]',
    async (_, flood, figure) => {
      const loud = world.script([{ waitFor: world.path('begin') }, flood]);
      const calm = world.script([{ waitFor: world.path('go') }, { write: { path: 'done', text: 'yes' } }]);
      const scripts = [loud, calm, calm, calm].flatMap((file) => ['--script', file]);
      const prompts = ['loud', 'calm 1', 'calm 2', 'calm 3'];
      const { id } = await detached(world, [...prompts, ...scripts, '--output-max', String(capMb)]);
      await until(() => world.agents().length === 4, { timeoutMs, what: 'four agents' });
      const before = bytesBelow(world.home);
      world.touch('begin');
      let most = 0;
      const loudTask = await until(
        async () => {
          most = Math.max(most, bytesBelow(world.home) - before);
          const task = taskNamed(await runOf(world, id), 'loud');
          return task.outcome !== null && task;
        },
        { timeoutMs, what: 'the flood to end' },
      );
      const { reason, detail } = failureOf(loudTask);
      expect(reason).toBe('output-limit');
      const printed = Number(figure.exec(detail)?.[1]);
      expect(printed, detail).toBeGreaterThan(capMb - 1);
      expect(printed, detail).toBeLessThan(mostMb);
      expect(most / mib).toBeLessThan(mostMb);
      expect(world.agents()).toHaveLength(3);
      world.touch('go');
      const run = await runEnd(world, id);
      expect(run.tasks.map(({ outcome }) => outcome?.kind)).toEqual(['failed', 'succeeded', 'succeeded', 'succeeded']);
      expect(run.tasks.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
      const record = await recordOf(world, id);
      expect(statusOf(record, loudTask)).toBe(killed);
      expect(rungsOf(record, loudTask)).toEqual(['kill']);
      expect(bytesBelow(world.home) / mib).toBeLessThan(mostMb + 20);
    },
  );

  it('in one endless line, as fast as possible, is stopped, and the daemon does not keep it [CAP-1]', async () => {
    const loud = world.script([{ say: { bytes: 2 ** 30 } }]);
    const calm = world.script([{ waitFor: world.path('go') }]);
    const options = ['--script', loud, '--script', calm, '--output-max', String(capMb)];
    const { id } = await detached(world, ['loud', 'calm', ...options]);
    const task = await taskEnd(world, id, 'loud');
    expect(failureOf(task)).toMatchObject({ reason: 'output-limit' });
    world.touch('go');
    expect((await runEnd(world, id)).tasks.map(({ outcome }) => outcome?.kind)).toEqual(['failed', 'succeeded']);
    expect(memoryOf(world.daemonPid(), 'VmHWM') / mib).toBeLessThan(400);
  });
});

const { works: hasNamespaces } = await probeNamespace();
const floorMb = 64;

describe.skipIf(!hasNamespaces).each(['none', 'auto'])(
  'S9: below the floor of free space (confinement: %s)',
  (confine) => {
    let room: SmallRoom;

    beforeEach(() => {
      room = openSmallRoom(world, 200 * mib, { SIGNALBOX_FREE_MIN: String(floorMb), SIGNALBOX_CONFINE: confine });
    });

    afterEach(() => room.close());

    /** Three agents at work that would count to a hundred and end. */
    const threeAtWork = async (): Promise<readonly number[]> => {
      const steps = [{ append: { path: world.path('counted'), text: '.' } }, { wait: 50 }];
      const script = world.script([
        ...Array.from({ length: 30 }, () => steps).flat(),
        { waitFor: world.path('go') },
        { write: { path: 'done', text: 'yes' } },
      ]);
      // A window far shorter than the time that they stand still.
      const started = await room.sb(['run', 'one', 'two', 'three', '--detach', '--script', script, '--stall', '2']);
      expect(started.code, started.stderr).toBe(0);
      await until(() => world.agents().length === 3, { timeoutMs, what: 'three agents' });
      return world.agents().map(({ pid }) => pid);
    };
    const allIn = (pids: readonly number[], states: RegExp) =>
      until(() => pids.every((pid) => states.test(stateOf(pid))), {
        timeoutMs,
        what: `${pids.join(' ')} in ${states.source}; they are in ${pids.map(stateOf).join(' ')}`,
      });
    const ends = async (): Promise<RunView> => {
      world.touch('go');
      return until(
        async () => {
          const { runs } = JSON.parse((await room.sb(['ps', '--all', '--json'])).stdout) as RunList;
          return runs[0]?.state === 'ended' && runs[0];
        },
        { timeoutMs, what: 'the run to end' },
      );
    };

    it('agents are frozen, none of them stalls, and all go on when there is room [CAP-3]', async () => {
      const pids = await threeAtWork();
      await room.fill(floorMb - 8);
      await allIn(pids, /T/);
      const counted = world.text('counted');
      // Longer than the stall window: an agent that we froze does not stall.
      await delay(4_000);
      expect(world.text('counted')).toBe(counted);
      expect(pids.map(stateOf)).toEqual(['T', 'T', 'T']);
      // Room, but not enough of it to be worth beginning again.
      await room.fill(floorMb + 8);
      await delay(2 * guardMs);
      expect(pids.map(stateOf)).toEqual(['T', 'T', 'T']);
      await room.empty();
      await allIn(pids, /[RSD]/);
      const run = await ends();
      expect(run.tasks.map(({ outcome, attempt }) => [outcome?.kind, attempt?.launches.length])).toEqual(
        Array.from({ length: 3 }, () => ['succeeded', 1]),
      );
      expect(world.text('counted')).toHaveLength(90);
    });

    it('frozen agents go on under the next daemon after the daemon was killed [CAP-3] [ENG-7]', async () => {
      const pids = await threeAtWork();
      await room.fill(floorMb - 8);
      await allIn(pids, /T/);
      await room.killDaemon();
      await room.empty();
      const run = await ends();
      expect(run.tasks.map(({ outcome, attempt }) => [outcome?.kind, attempt?.launches.length])).toEqual(
        Array.from({ length: 3 }, () => ['succeeded', 1]),
      );
      expect(pids.filter((pid) => stateOf(pid) === 'T')).toEqual([]);
    });
  },
);
