// Simulated seeds per second on one core: runs of exactly 20 tasks under the usual faults, and small runs of all features.

import { type SimOptions, simulate } from '../test/sim/simulate.ts';
import { type BenchFigure, figure } from './figure.ts';
import { referenceFigure } from './reference.ts';

const seconds = 10;
const warmUp = 100;

export async function benchSimulator(): Promise<BenchFigure[]> {
  const large = await rateOf({ tasksMin: 20, tasksMax: 20, runs: 1 });
  const small = await rateOf({ small: true });
  return [
    referenceFigure('simulator.reference'),
    figure('simulator.seeds_of_20_tasks', large, 'seeds/s', '>= 25', large >= 25),
    figure('simulator.small_seeds', small, 'seeds/s', '>= 150', small >= 150),
  ];
}

async function rateOf(options: Omit<SimOptions, 'seed'>): Promise<number> {
  let seed = 1;
  for (; seed <= warmUp; seed++) await simulate({ seed, ...options });
  const begun = performance.now();
  let seeds = 0;
  while (performance.now() - begun < seconds * 1_000) {
    const result = await simulate({ seed: seed++, ...options });
    if (result.violations.length > 0) throw new Error(`seed ${result.seed} breaks an invariant\n${result.story}`);
    seeds += 1;
  }
  return (1_000 * seeds) / (performance.now() - begun);
}
