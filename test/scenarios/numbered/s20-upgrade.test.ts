// S20: another build takes over from the one that runs, in order and after kill -9, and two that start at once never both
// serve. Agents notice nothing of it.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { amount, withChance } from '../crash/storm-chance.ts';
import {
  allAlive,
  copyBuild,
  type Daemon,
  daemonsOf,
  endedRun,
  runOf,
  startDaemon,
  statusOf,
} from '../crash/storm-daemon.ts';
import { mainFile, openWorld, type World } from '../daemon/daemon-world.ts';

const races = amount('CHAOS_RACES', 10, 100);
const agentsCount = 4;
const timeoutMs = 60_000;
const daemonRunningExit = 5;

let world: World;
let agents: number[];

beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: String(agentsCount) });
});

afterEach(() => world.close());

it(`S20: ${agentsCount} of ${agentsCount} agents are adopted by another build, after \`down\` and after kill -9, and none is killed [CLI-5] [ENG-9]`, {
  timeout: 120_000,
}, async () => {
  const other = copyBuild(world, '9.9.9');
  const runId = await fourAtWork();
  const launched = processesIn(await runOf(world, runId));
  expect((await world.sb(['down'])).stdout).toContain(`${agentsCount} agents continue`);
  expect(daemonsOf(world)).toEqual([]);
  expect(allAlive(agents)).toBe(true);

  const second = startDaemon(world, { main: other });
  expect(await second.ready()).toBe(true);
  await expectAdopted(runId, launched, second, '9.9.9');

  await second.kill();
  expect(allAlive(agents)).toBe(true);
  const third = startDaemon(world);
  expect(await third.ready()).toBe(true);
  await expectAdopted(runId, launched, third, null);

  await third.kill();
  const fourth = startDaemon(world, { main: other });
  expect(await fourth.ready()).toBe(true);
  await expectAdopted(runId, launched, fourth, '9.9.9');
  await expectUnharmed(runId);
});

it(
  `S20: of two daemons of two builds that start at once exactly one serves, ${races} times [CLI-1] [JRN-7]`,
  {
    timeout: 120_000 + races * 5_000,
  },
  () =>
    withChance(async (chance) => {
      const builds = [mainFile, copyBuild(world, '9.9.9')];
      const runId = await fourAtWork();
      await world.killDaemon();
      for (let n = 0; n < races; n++) {
        const first = startDaemon(world, { main: chance.pick(builds) });
        // Sometimes the second comes when the first has the lock already, sometimes both are on their way to it.
        if (chance.between(0, 3) === 0) await first.ready();
        const both = [first, startDaemon(world, { main: chance.pick(builds) })];
        const served = await Promise.all(both.map((each) => each.ready()));
        expect(served.filter(Boolean), `race ${n + 1}: daemons that served`).toHaveLength(1);
        const [winner, loser] = (served[0] ? both : both.toReversed()) as [Daemon, Daemon];
        expect(await loser.ended).toBe(daemonRunningExit);
        expect(daemonsOf(world)).toEqual([winner.pid]);
        expect((await statusOf(world)).pid).toBe(winner.pid);
        expect(allAlive(agents)).toBe(true);
        if (chance.between(0, 1) === 0) await winner.kill();
        else await world.sb(['down']);
        await winner.ended;
      }
      await startDaemon(world).ready();
      await expectUnharmed(runId);
    }),
);

async function fourAtWork(): Promise<string> {
  const prompts = Array.from({ length: agentsCount }, (_, i) => `agent ${i + 1}`);
  const script = world.script([
    { append: { path: world.path('effects'), text: 'begun\n' } },
    { waitFor: world.path('go') },
    { append: { path: world.path('effects'), text: 'done\n' } },
    { write: { path: 'made', text: 'x' } },
  ]);
  const { stdout } = await world.sb(['run', ...prompts, '--detach', '--script', script]);
  const runId = stdout.split('\n')[0] ?? '';
  const atWork = (): boolean => world.text('effects').match(/begun/g)?.length === agentsCount;
  await until(atWork, { timeoutMs, what: 'four agents at work' });
  // In the journal too, so that there is something to adopt.
  const live = async (): Promise<boolean> =>
    (await runOf(world, runId)).tasks.every(({ attempt }) => attempt?.launchState === 'live');
  await until(live, { timeoutMs, what: 'four launches' });
  agents = world.agents().map(({ pid }) => pid);
  expect(agents).toHaveLength(agentsCount);
  return runId;
}

function processesIn({ tasks }: RunView): unknown[] {
  return tasks.map(({ attempt }) => ({ pid: attempt?.pid, launches: attempt?.launches, state: attempt?.launchState }));
}

async function expectAdopted(
  runId: string,
  launched: unknown[],
  daemon: Daemon,
  version: string | null,
): Promise<void> {
  const status = await statusOf(world);
  expect(status.pid).toBe(daemon.pid);
  expect(status.slots.taken).toBe(agentsCount);
  if (version !== null) expect(status.version).toBe(version);
  expect(processesIn(await runOf(world, runId))).toEqual(launched);
  expect(daemonsOf(world)).toEqual([daemon.pid]);
  expect(new Set(world.agents().map(({ pid }) => pid))).toEqual(new Set(agents));
}

/** They go on and end as if nothing had been. */
async function expectUnharmed(runId: string): Promise<void> {
  expect(allAlive(agents)).toBe(true);
  world.touch('go');
  const run = await endedRun(world, runId);
  expect(run.outcome).toBe('succeeded');
  expect(run.tasks.map(({ attempt }) => attempt?.launches.length)).toEqual(run.tasks.map(() => 1));
  expect(world.text('effects').trim().split('\n').sort()).toEqual(
    ['begun', 'done'].flatMap((word) => Array.from({ length: agentsCount }, () => word)),
  );
}
