// What the built daemon costs and how fast it is back, with fifty agents at work: processor time while all are quiet, time
// from kill -9 to answering again, and memory while all are talking. A world of its own; nothing is left of it.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { daemonFlags } from '../src/cli/start-daemon.ts';
import { loadConfig } from '../src/config.ts';
import { must } from '../src/std/assert.ts';
import { statusView } from '../src/wire/status-views.ts';
import { type RunView, runView } from '../src/wire/views.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const agents = 50;
/** Until the code is compiled that runs once a second. */
const settleMs = 60_000;
const idleMs = 30_000;
const kills = 20;
/** In each a busy agent says 200 lines, uses a tool, and rests for a fifth of a second. */
const busyRounds = 50;
const mainFile = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

export async function benchDaemon(): Promise<BenchFigure[]> {
  if (process.platform !== 'linux') return [];
  const world = openWorld();
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
    await world.reaches(busy, ({ state }) => state === 'settled');
    const peakMb = memoryPeakMb(world.daemon());
    return [
      figure('daemon.idle_with_50_agents', idle, '% of a core', '< 0.5', idle < 0.5),
      figure('daemon.node_start', ready.nodeMs, 'ms', 'none', true),
      figure('daemon.ready_ratio_to_node', median(ready.beyondMs) / ready.nodeMs + 1, '×', 'none', true),
      figure('daemon.ready_after_kill_p50', median(ready.beyondMs), 'ms', 'none', true),
      // Of fewer than a hundred the slowest.
      figure('daemon.ready_after_kill_p99', ready.slowestMs, 'ms', '< 500', ready.slowestMs < 500),
      figure('daemon.memory_peak_with_50_busy', peakMb, 'MB', '< 150', peakMb < 150),
    ];
  } finally {
    forget();
    await world.close();
  }
}

/** Agents outlive whoever started them: also who is told to end takes them along. */
function onSignal(close: () => Promise<void>): () => void {
  const end = (): void => void close().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => signals.forEach((signal) => process.off(signal, end));
}

async function shareOfCore(daemon: ChildProcess): Promise<number> {
  await delay(settleMs);
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

type World = ReturnType<typeof openWorld>;

function openWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const [home, repo] = [join(dir, 'home'), join(dir, 'repo')];
  const PATH = must(process.env['PATH'], 'programs are found by it');
  const env = { PATH, HOME: dir, SIGNALBOX_HOME: home, SIGNALBOX_SLOTS: String(agents), SIGNALBOX_SANDBOX_WRITE: dir };
  const { socketPath } = loadConfig(env);
  mkdirSync(repo);
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q'],
    [...who, 'commit', '-q', '--allow-empty', '-m', 'Start'],
  ])
    execFileSync('git', args, { cwd: repo, env: { PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: '1' } });
  const sb = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [mainFile, ...args], { cwd: repo, env })).stdout;

  let daemon: ChildProcess | null = null;
  /** From the start of the process to its first answer. */
  const restart = async (): Promise<number> => {
    if (daemon !== null) {
      const gone = once(daemon, 'exit');
      daemon.kill('SIGKILL');
      await gone;
    }
    const begun = performance.now();
    daemon = spawn(process.execPath, [...daemonFlags, mainFile, 'daemon', '--report'], {
      cwd: '/',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(must(daemon.stdout, 'it was asked for'), 'data');
    const { pid } = statusView.parse(await get(socketPath, '/status'));
    if (pid !== daemon.pid) throw new Error('another daemon answers');
    return performance.now() - begun;
  };
  const view = async (runId: string): Promise<RunView> => runView.parse(await get(socketPath, `/runs/${runId}`));
  const stop = async (runId: string): Promise<void> => {
    await sb('stop', runId);
    while ((await view(runId)).state !== 'settled') await delay(500);
  };
  return {
    dir,
    restart,
    daemon: () => must(daemon, 'it was started'),
    async run(steps: readonly object[]): Promise<string> {
      if (daemon === null) await restart();
      const script = join(dir, 'script.json');
      writeFileSync(script, JSON.stringify(steps));
      const prompts = Array.from({ length: agents }, (_, i) => `agent ${i}`);
      const run = JSON.parse(await sb('run', '--detach', '--json', '--script', script, ...prompts)) as { id: string };
      return run.id;
    },
    async reaches(runId: string, isThere: (task: RunView['tasks'][number]) => boolean): Promise<void> {
      while (!(await view(runId)).tasks.every(isThere)) {
        if (must(daemon, 'it was started').exitCode !== null) throw new Error('the daemon ended');
        await delay(500);
      }
    },
    stop,
    /** Whatever state it is in: a daemon that is gone is started for it. */
    async close(): Promise<void> {
      await sb('down', '--stop-agents');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function get(socketPath: string, path: string): Promise<unknown> {
  const asked = request({ socketPath, path, agent: false }).end();
  const [response] = await once(asked, 'response');
  return JSON.parse(await text(response));
}

function processorMs({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  // Counted in hundredths of a second, on every architecture.
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function memoryPeakMb({ pid }: ChildProcess): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1_024) / 1e6;
}
