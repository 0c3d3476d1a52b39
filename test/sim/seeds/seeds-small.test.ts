// Small runs, by the thousand.

import { expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import { breakNothingSmall, seedsTimeoutMs } from './seeds.ts';

it(
  'no seed of a small run that time allows breaks an invariant [ENG-2] [ENG-3] [ENG-8] [ENG-9] [BUD-2] [BUD-10]',
  { timeout: seedsTimeoutMs },
  () => breakNothingSmall(),
);

it('a seed of a small run is the same history each time', async () => {
  const [one, two] = [await simulate({ seed: 7, small: true }), await simulate({ seed: 7, small: true })];
  expect(two.disk.streams).toEqual(one.disk.streams);
  expect(two.steps).toBe(one.steps);
});

it('small runs have two to five tasks, and over the seeds every feature', { timeout: 120_000 }, async () => {
  const seen = new Set<string>();
  let kills = 0;
  for (let seed = 1; seed <= 120; seed++) {
    const { disk, kills: killed } = await simulate({ seed, small: true });
    kills += killed;
    for (const { events } of disk.streams.values()) {
      const types = events.map(({ type }) => type.replace(/@\d+$/, ''));
      for (const type of types) seen.add(type);
      const added = types.filter((type) => type === 'task.added').length;
      // Where agents spawn others their tasks are added too.
      if (added > 0 && seed % 3 !== 0) expect([2, 3, 4, 5], `seed ${seed}`).toContain(added);
    }
  }
  expect(kills).toBeGreaterThan(10);
  expect([...features].filter((type) => !seen.has(type))).toEqual([]);
});

/** An event of each: matrices, budgets, gates, questions, outputs, waits, spawned agents, teams, integration, landing, losses, retries. */
const features: ReadonlySet<string> = new Set([
  'task.expanded',
  'attempt.parked',
  'ask.opened',
  'artifact.stored',
  'attempt.waiting',
  'message.sent',
  'team.created',
  'integration.succeeded',
  'landing.ended',
  'launch.lost',
  'task.reopened',
  'attempt.limited',
]);
