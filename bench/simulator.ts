// Simulated seeds per second on one core, for runs of exactly 20 tasks under the usual faults.

import { simulate } from '../test/sim/simulate.ts';
import { type BenchFigure, figure } from './figure.ts';

const seconds = 10;
const warmUp = 100;

export async function benchSimulator(): Promise<BenchFigure[]> {
  let seed = 1;
  for (; seed <= warmUp; seed++) await simulate({ seed, tasksMax: 20 });
  const begun = performance.now();
  let seeds = 0;
  while (performance.now() - begun < seconds * 1_000) {
    const result = await simulate({ seed: seed++, tasksMin: 20, tasksMax: 20, runs: 1 });
    if (result.violations.length > 0) throw new Error(`seed ${result.seed} breaks an invariant\n${result.story}`);
    seeds += 1;
  }
  const rate = (1_000 * seeds) / (performance.now() - begun);
  return [figure('simulator.seeds', rate, 'seeds/s', '>= 200', rate >= 200)];
}
