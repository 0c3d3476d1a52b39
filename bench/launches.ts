// What a launch costs beyond the bwrap it contains, and what watching fifty quiet ones costs. Both sides of the ratio are
// started from this process, in turns, with the same flags and the same agent; the clock stops when the system reports the
// first byte in the file.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Confine, namespaceConfine, probeNamespace, type Reach, trustedPath } from '../src/process/confine.ts';
import { type Launches, openLaunches } from '../src/process/launch/launches.ts';
import { openSandbox, probeSandbox } from '../src/sandbox/sandbox.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const rounds = 60;
const quiet = 50;
const quietMs = 10_000;
const agent = ['sh', '-c', 'echo up'];
const never = new AbortController().signal;

export async function benchLaunches(): Promise<BenchFigure[]> {
  if (!(await probeNamespace()).works) return [];
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const root = join(home, 'launches');
  mkdirSync(root);
  try {
    const launches = openLaunches({ root, confine: namespaceConfine });
    const namespace = { name: 'launches', launches, confine: namespaceConfine, reach: null };
    const figures = await overhead(namespace, root, home);
    return [...figures, ...(await sandboxOverhead(root, home)), ...(await idle(launches, home))];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Kind {
  readonly name: string;
  readonly launches: Launches;
  readonly confine: Confine;
  readonly reach: Reach | null;
}

/** The same with the sandbox that agents get: its mounts are on both sides of the ratio. */
async function sandboxOverhead(root: string, home: string): Promise<BenchFigure[]> {
  const options = {
    home: root,
    cache: null,
    userHome: homedir(),
    path: trustedPath,
    env: {},
    readable: [],
    writable: [],
  };
  const probe = await probeSandbox(options);
  if (!probe.works) return [];
  const { confine } = await openSandbox(root, probe);
  const launches = openLaunches({ root, confine });
  return overhead({ name: 'sandbox', launches, confine, reach: { readable: [], writable: [home] } }, root, home);
}

async function overhead(kind: Kind, root: string, home: string): Promise<BenchFigure[]> {
  const { name } = kind;
  const bare: number[] = [];
  const ours: number[] = [];
  const started: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareBwrap(kind, root, home, round));
    const one = await oneLaunch(kind, root, home, round);
    ours.push(one.firstOutputMs);
    started.push(one.startMs);
  }
  const ratio = median(ours) / median(bare);
  return [
    figure(`${name}.bare_bwrap_first_output`, median(bare), 'ms', 'none', true),
    figure(`${name}.first_output`, median(ours), 'ms', 'none', true),
    figure(`${name}.start`, median(started), 'ms', 'none', true),
    figure(`${name}.ratio_to_bare_bwrap`, ratio, '×', '<= 1.5', ratio <= 1.5),
  ];
}

async function bareBwrap(kind: Kind, root: string, home: string, round: number): Promise<number> {
  const out = join(home, `${kind.name}-bare-${round}`);
  writeFileSync(out, '');
  const [program = '', ...args] = kind.confine(agent, {
    launchId: 'bare',
    root,
    cwd: home,
    program: 'sh',
    reach: kind.reach,
  });
  const fds = [openSync(out, 'a'), openSync('/dev/null', 'w')] as const;
  const output = firstOutput(out);
  const begun = performance.now();
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', fds[0], 'ignore', 'ignore', fds[1]],
    env: { PATH: trustedPath },
  });
  const exited = exitOf(child);
  const ms = (await output) - begun;
  await exited;
  for (const fd of fds) closeSync(fd);
  return ms;
}

async function oneLaunch({ name, launches, reach }: Kind, root: string, home: string, round: number) {
  const launchId = `${name}-${round}`;
  const output = firstOutputOf(root, launchId);
  const begun = performance.now();
  const spec = { launchId, argv: agent, env: { PATH: trustedPath }, cwd: home, ...(reach === null ? {} : { reach }) };
  const starting = launches.start(spec, never).then(() => {
    return performance.now() - begun;
  });
  const firstOutputMs = (await output) - begun;
  const startMs = await starting;
  await launches.watch(launchId, 0, async () => undefined, never);
  // Launches come one by one in life too: the next shim is there again.
  await delay(60);
  return { firstOutputMs, startMs };
}

async function idle(launches: Launches, home: string): Promise<BenchFigure[]> {
  const ids = Array.from({ length: quiet }, (_, i) => `quiet-${i}`);
  const stop = new AbortController();
  try {
    for (const launchId of ids) {
      await launches.start({ launchId, argv: ['sleep', '600'], env: { PATH: trustedPath }, cwd: home }, never);
    }
    const watches = ids.map((id) => launches.watch(id, 0, async () => undefined, stop.signal).catch(() => undefined));
    await delay(3_000);
    const before = process.cpuUsage();
    await delay(quietMs);
    const { user, system } = process.cpuUsage(before);
    stop.abort();
    await Promise.all(watches);
    const watching = (user + system) / 1_000 / quietMs;
    const measuring = await measureRounds(launches, ids);
    return [
      figure('launches.watching_50_quiet', watching * 100, '% of a core', '< 0.5', watching < 0.005),
      figure('launches.measuring_50_each_second', measuring * 100, '% of a core', '< 0.3', measuring < 0.003),
    ];
  } finally {
    await Promise.all(ids.map((id) => launches.signal(id, 'kill')));
  }
}

/** The share of a core that one round each second takes. */
async function measureRounds(launches: Launches, ids: readonly string[]): Promise<number> {
  // A daemon runs for hours: the first rounds warm up.
  for (let i = 0; i < 100; i += 1) await launches.measureAll(ids);
  const count = 100;
  const before = process.cpuUsage();
  for (let i = 0; i < count; i += 1) await launches.measureAll(ids);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count / 1e6;
}

function firstOutput(path: string): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (statSync(path).size === 0) return;
      watcher.close();
      resolve(performance.now());
    };
    const watcher = watch(path, look);
    // Writes before the watch began are not reported.
    look();
  });
}

/** The directory of a launch appears under its name all prepared, long before the first byte of output. */
function firstOutputOf(root: string, launchId: string): Promise<number> {
  return new Promise((resolve) => {
    const watcher = watch(root, (_, changed) => {
      if (changed !== launchId) return;
      watcher.close();
      void firstOutput(join(root, launchId, 'out')).then(resolve);
    });
  });
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}
