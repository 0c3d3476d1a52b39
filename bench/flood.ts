// How fast the daemon answers while an agent prints 100 MB of lines of one character: the most lines there can be to a byte. The
// agent writes as fast as it can; the daemon is asked one question after the other until all of it was read.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BenchFigure, figure, median } from './figure.ts';
import { onSignal, openWorld } from './world.ts';

const megabytes = 100;
/** Between two questions, so that asking is not what is measured. */
const pauseMs = 5;

export async function benchFlood(): Promise<BenchFigure[]> {
  const world = openWorld(1);
  const forget = onSignal(() => world.close());
  try {
    const flood = { flood: { mb: megabytes, lineBytes: 1 } };
    const run = await world.run([{ waitFor: join(world.dir, 'begin') }, flood], ['--output-max', '200']);
    await world.reaches(run, ({ attempt }) => attempt?.state === 'running');
    world.touch('begin');
    const times: number[] = [];
    let isOver = false;
    const over = world.ended(run).then(() => (isOver = true));
    while (!isOver) {
      times.push(await world.statusMs());
      await delay(pauseMs);
    }
    await over;
    times.sort((a, b) => a - b);
    const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
    return [
      figure('flood.status_p50', median(times), 'ms', 'none', true),
      figure('flood.status_p99', p99, 'ms', '< 100', p99 < 100),
    ];
  } finally {
    forget();
    await world.close();
  }
}
