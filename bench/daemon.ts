// What the built daemon costs and how fast it is back, with fifty agents at work: processor time while all are quiet, time
// from kill -9 to answering again, and memory while all are talking. A world of its own; nothing is left of it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BenchFigure, figure, median } from './figure.ts';
import { memoryPeakMb, onSignal, openWorld, processorMs, type World } from './world.ts';

const agents = 50;
/** Until the code is compiled that runs once a second. */
const quietMs = 60_000;
const idleMs = 30_000;
const kills = 20;
/** In each a busy agent says 200 lines, uses a tool, and rests for a fifth of a second. */
const busyRounds = 50;

export async function benchDaemon(): Promise<BenchFigure[]> {
  if (process.platform !== 'linux') return [];
  const world = openWorld(agents);
  const forget = onSignal(() => world.close());
  try {
    const quiet = await world.run([{ say: 'I wait.' }, { listen: true }]);
    await world.reaches(quiet, ({ attempt, progress }) => attempt?.state === 'running' && progress !== null);
    const idle = await shareOfCore(world.daemon());
    const ready = await kill9(world);
    await world.stop(quiet);
    // Memory that the earlier work took stays with a process: this is a new one.
    await world.restart();
    const lines = { say: { text: `line {n} of ${'x'.repeat(100)}`, repeat: 200 } };
    const tool = { tool: { name: 'Read', input: { file_path: 'a' }, result: 'b' } };
    const usage = { usage: { input_tokens: 1, output_tokens: 1, cost_usd: 0.001 } };
    const steps = Array.from({ length: busyRounds }, () => [lines, tool, usage, { wait: 200 }]).flat();
    const busy = await world.run([{ waitFor: join(world.dir, 'talk') }, ...steps]);
    await world.reaches(busy, ({ attempt }) => attempt?.state === 'running');
    writeFileSync(join(world.dir, 'talk'), '');
    await world.reaches(busy, ({ state }) => state === 'ended');
    const peakMb = memoryPeakMb(world.daemon());
    return [
      figure('daemon.idle_with_50_agents', idle, '% of a core', '< 0.5', idle < 0.5),
      figure('daemon.node_start', ready.nodeMs, 'ms', 'none', true),
      figure('daemon.ready_ratio_to_node', median(ready.beyondMs) / ready.nodeMs + 1, '×', 'none', true),
      figure('daemon.ready_after_kill_p50', median(ready.beyondMs), 'ms', 'none', true),
      // Of fewer than a hundred the slowest.
      figure('daemon.ready_after_kill_p99', ready.slowestMs, 'ms', '< 300', ready.slowestMs < 300),
      figure('daemon.memory_peak_with_50_busy', peakMb, 'MB', '< 150', peakMb < 150),
    ];
  } finally {
    forget();
    await world.close();
  }
}

async function shareOfCore(daemon: ChildProcess): Promise<number> {
  await delay(quietMs);
  const [before, begun] = [processorMs(daemon), performance.now()];
  await delay(idleMs);
  return (100 * (processorMs(daemon) - before)) / (performance.now() - begun);
}

/** Beyond the start of a Node that does nothing, measured in turns. */
async function kill9(world: World) {
  const [bare, ours]: [number[], number[]] = [[], []];
  for (let n = 0; n < kills; n += 1) {
    const begun = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    bare.push(performance.now() - begun);
    ours.push(await world.restart());
    // Not always at the same point of what it does.
    await delay(300 + 100 * (n % 10));
  }
  const nodeMs = median(bare);
  const beyondMs = ours.map((ms) => ms - nodeMs);
  return { nodeMs, beyondMs, slowestMs: Math.max(...beyondMs) };
}
