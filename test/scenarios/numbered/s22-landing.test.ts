// S22: many works come to one branch, of which some conflict in the text and some fail only together; the daemon is killed
// at any moment of it, and at each step of an integration. The branch always passes, nothing is lost, nothing is there twice.

import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import { sweepPoints } from '../crash/kill-sweep.ts';
import { amount, isLong, withChance } from '../crash/storm-chance.ts';
import { type Daemon, endedRun, runOf, startDaemon } from '../crash/storm-daemon.ts';
import { openWorld } from '../daemon/daemon-world.ts';
import { bareOf, judge, letGo, nothingGone, refsOf, type Sizes, submitWorks } from '../landing/integration-world.ts';

/** Of each conflict and each pair there are two works. */
const many: Sizes = {
  plain: amount('LANDING_PLAIN', 8, 20),
  conflicts: amount('LANDING_CONFLICTS', 4, 10),
  pairs: amount('LANDING_PAIRS', 2, 5),
};
const worksOf = ({ plain, conflicts, pairs }: Sizes): number => plain + 2 * (conflicts + pairs);
const kills = amount('LANDING_KILLS', 4, 20);
/** An integration of these takes some seconds on a busy machine. */
const killWithinMs = 1_500;

const openIntegrations = (sizes: Sizes) => openWorld({ SIGNALBOX_SLOTS: String(worksOf(sizes)) });

it(
  `S22: ${worksOf(many)} works on one branch, the daemon killed up to ${kills} times during integration: the branch always passes, no work is lost or doubled [INT-11] [INT-12] [INT-15]`,
  { timeout: isLong ? 900_000 : 240_000 },
  () =>
    withChance(async (chance) => {
      const world = openIntegrations(many);
      try {
        let daemon = startDaemon(world);
        await daemon.ready();
        const submitted = await submitWorks(world, many);
        const { id } = submitted;
        let before = refsOf(world, id);
        await letGo(world, submitted);
        let killed = 0;
        while (killed < kills) {
          if ((await integratingOrOver(daemon, () => runOf(world, id))) === 'over') break;
          await delay(chance.between(0, killWithinMs));
          await daemon.kill();
          killed += 1;
          const now = refsOf(world, id);
          nothingGone(world, before, now);
          before = now;
          daemon = startDaemon(world);
          await daemon.ready();
        }
        const run = await endedRun(world, id, 240_000);
        nothingGone(world, before, refsOf(world, id));
        await judge(world, run, many);
        expect(killed).toBeGreaterThan(0);
      } finally {
        await world.close();
      }
    }),
);

async function integratingOrOver(
  daemon: Daemon,
  look: () => ReturnType<typeof runOf>,
): Promise<'integrating' | 'over'> {
  return until(
    async () => {
      const { state, tasks } = await look();
      if (state === 'ended') return 'over' as const;
      return tasks.some(({ attempt }) => attempt?.state === 'integrating') && ('integrating' as const);
    },
    { timeoutMs: 120_000, what: `daemon ${daemon.pid} to be integrated something` },
  );
}

const few: Sizes = { plain: 2, conflicts: 1, pairs: 1 };
/** Far more than there are: an enumeration that does not end is a mistake. */
const pointsMax = 60;
/** Every one of the first so many points is reached. Without CHAOS one of them; which one is chance, so that in time all have their turn. */
const kindsOfSteps = [
  {
    of: 'integrations',
    usual: 8,
    steps: ['integrations.test', 'integrations.toMove', 'integrations.move', 'integrations.integrate'],
  },
  { of: 'artifacts', usual: 8, steps: ['artifacts.put'] },
];

it.each(kindsOfSteps)(
  `S22: killed behind ${isLong ? 'each' : 'any'} of its $of, an integration is done once [INT-15] [BRANCH-2] [ART-2]`,
  { timeout: isLong ? 900_000 : 240_000 },
  ({ of, usual, steps }) =>
    withChance(async (chance) => {
      const sweep = isLong ? { first: 1, every: 1 } : { first: chance.between(1, usual), every: null };
      const seen = await sweepPoints({ ...sweep, pointsMin: usual, pointsMax }, (point) =>
        integrateKilledAt(point, of),
      );
      if (isLong) expect(new Set(seen.values())).toEqual(new Set(steps));
    }),
);

/** Where the daemon died; null = it did not come so far. */
async function integrateKilledAt(point: number, of: string): Promise<string | null> {
  const world = openIntegrations(few);
  try {
    const daemon = startDaemon(world, { env: { SIGNALBOX_DIE_AFTER: `${point} ${of}` } });
    await daemon.ready();
    const submitted = await submitWorks(world, few);
    const { id } = submitted;
    const before = refsOf(world, id);
    await letGo(world, submitted);
    const over = endedRun(world, id, 120_000).catch(() => null);
    if ((await Promise.race([daemon.ended, over])) === null) {
      nothingGone(world, before, refsOf(world, id));
      await startDaemon(world).ready();
    }
    const run = await endedRun(world, id, 120_000);
    await judge(world, run, few);
    return /"fault point","name":"([a-zA-Z.]+)"/.exec(world.text('daemon.log'))?.[1] ?? null;
  } catch (error) {
    if (error instanceof Error) error.message += ` (killed behind step ${point} of ${of} in ${bareOf(world)})`;
    throw error;
  } finally {
    await world.close();
  }
}
