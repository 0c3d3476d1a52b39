// Plays a range of seeds on all cores: each thread takes every n-th seed. A seed is a whole history of its own, so which thread
// plays it makes no difference.

import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type SimOptions, simulate } from '../simulate.ts';

export interface Range {
  readonly first: number;
  readonly seeds: number;
  /** Of the processor in all threads, so that as many seeds are played on a busy machine. */
  readonly secondsMax: number;
  readonly options: Omit<SimOptions, 'seed' | 'hashes'>;
}

export interface Played {
  readonly seeds: number;
  readonly events: number;
  readonly steps: number;
  readonly kills: number;
  /** The first seed that broke an invariant, and its report; null = none. */
  readonly broken: { readonly seed: number; readonly report: string } | null;
}

interface Part extends Range {
  readonly offset: number;
  readonly every: number;
}

const nothing: Played = { seeds: 0, events: 0, steps: 0, kills: 0, broken: null };

/** Ends early at a seed that breaks an invariant. */
export async function playSeeds(range: Range, threads = availableParallelism()): Promise<Played> {
  const every = Math.max(1, Math.min(threads, range.seeds));
  if (every === 1) return playPart({ ...range, offset: 0, every });
  const workers = Array.from({ length: every }, (_, offset) => {
    const part: Part = { ...range, offset, every };
    return new Worker(new URL(import.meta.url), { workerData: part });
  });
  try {
    return await new Promise<Played>((resolve, reject) => {
      let [sum, left] = [nothing, workers.length];
      for (const worker of workers) {
        worker.once('error', reject);
        worker.once('message', (played: Played) => {
          sum = add(sum, played);
          left -= 1;
          if (left === 0 || played.broken !== null) resolve(sum);
        });
      }
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

async function playPart({ first, seeds, secondsMax, options, offset, every }: Part): Promise<Played> {
  let sum = nothing;
  for (let seed = first + offset; seed < first + seeds; seed += every) {
    if (process.cpuUsage().user / 1_000_000 >= secondsMax) break;
    const { events, steps, kills, violations, report } = await simulate({ seed, ...options, hashes: seed % 50 === 0 });
    sum = add(sum, { seeds: 1, events, steps, kills, broken: violations.length === 0 ? null : { seed, report } });
    if (sum.broken !== null) break;
  }
  return sum;
}

function add(a: Played, b: Played): Played {
  return {
    seeds: a.seeds + b.seeds,
    events: a.events + b.events,
    steps: a.steps + b.steps,
    kills: a.kills + b.kills,
    broken: a.broken ?? b.broken,
  };
}

if (!isMainThread && parentPort !== null && isPart(workerData)) parentPort.postMessage(await playPart(workerData));

/** Test runners have threads of their own. */
function isPart(data: unknown): data is Part {
  return typeof data === 'object' && data !== null && 'every' in data && 'secondsMax' in data;
}
