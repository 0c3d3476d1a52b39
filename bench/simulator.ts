// Simulated seeds per second on all cores: runs of exactly 20 tasks under the usual faults, and small runs of all features. The
// start of the threads and the compiling of their code are part of it.

import { playSeeds, type Range } from '../test/sim/seeds/seed-workers.ts';
import { type BenchFigure, figure } from './figure.ts';
import { referenceFigure } from './reference.ts';

export async function benchSimulator(): Promise<BenchFigure[]> {
  const large = await rateOf(400, { tasksMin: 20, tasksMax: 20, runs: 1 });
  const small = await rateOf(2_000, { small: true });
  return [
    referenceFigure('simulator.reference'),
    figure('simulator.seeds_of_20_tasks', large, 'seeds/s', '>= 25', large >= 25),
    figure('simulator.small_seeds', small, 'seeds/s', '>= 150', small >= 150),
  ];
}

async function rateOf(seeds: number, options: Range['options']): Promise<number> {
  const begun = performance.now();
  const { broken } = await playSeeds({ first: 1, seeds, secondsMax: Number.POSITIVE_INFINITY, options });
  if (broken !== null) throw new Error(`seed ${broken.seed} breaks an invariant\n${broken.report}`);
  return (1_000 * seeds) / (performance.now() - begun);
}
