// A world of its own for each test of the whole program: a home, a git repository, the built CLI as real processes, and
// the means to see every process that belongs to it.

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Client, createClient } from '../../../src/cli/client/client.ts';
import { loadConfig } from '../../../src/daemon/config.ts';
import { statusView } from '../../../src/wire/status-views.ts';
import { accepted, type RunView, runList, type TaskView } from '../../../src/wire/views.ts';
import { root } from '../../source-files.ts';
import { until } from '../../until.ts';
import { isLong } from '../crash/storm-chance.ts';
import { runInProcess } from '../world/cli-in-process.ts';
import { type Ended, mainFile, runInOwnProcess, type Started, startCli } from '../world/cli-process.ts';
import { isAlive, type Process, readOr, watchProcesses } from '../world/world-processes.ts';

export { type Ended, mainFile } from '../world/cli-process.ts';
export { isAlive, type Process, readOr } from '../world/world-processes.ts';

export interface World {
  readonly dir: string;
  readonly home: string;
  readonly repo: string;
  readonly env: Record<string, string>;
  /** Runs the CLI to its end. */
  sb(args: readonly string[], options?: { cwd?: string; env?: Record<string, string> }): Promise<Ended>;
  start(args: readonly string[]): Started;
  /** The client of the CLI in this process: to ask again and again is cheap. It starts a daemon where none answers. */
  client(): Client;
  /** As `signalbox up` does. */
  up(): Promise<void>;
  /** A script for the scripted agent, as a file. */
  script(steps: readonly object[]): string;
  /** A path outside repository and home. */
  path(name: string): string;
  touch(name: string): void;
  text(name: string): string;
  list(): Promise<readonly RunView[]>;
  only(): Promise<{ run: RunView; task: TaskView }>;
  ended(): Promise<{ run: RunView; task: TaskView }>;
  git(...args: string[]): string;
  daemonPid(): number;
  killDaemon(): Promise<void>;
  processes(): Process[];
  agents(): Process[];
  close(): Promise<void>;
}

const slowMs = 30_000;
/** Compiled once for all of them: each world has a home of its own, and would compile everything again. */
const sharedCache = join(root, '.cache/compiled');

export function openWorld(settings: Record<string, string> = {}, cli: CliPlace = 'inside'): World {
  if (!existsSync(mainFile)) throw new Error('dist/main.cjs is missing: build first');
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-e2e-'));
  const host = { dir, home: join(dir, 'home') };
  const env = worldEnvironment(host, settings);
  const world = buildWorld({ dir, home: host.home, env, cli, processes: watchProcesses(dir), isShared: false });
  return { ...world, close: () => closeWorld(world) };
}

/** `host`: the directory that everything of the daemon lies in, and its home there. */
export function worldEnvironment(
  host: { readonly dir: string; readonly home: string },
  settings: Record<string, string>,
): Record<string, string> {
  // Agents that a test does not name are scripted: nothing else would work without a program and a credential.
  writeConfiguration(host.dir, 'harness: scripted\n');
  // Scripts leave their traces beside the repository, which is outside of every sandbox.
  const place = { HOME: host.dir, SIGNALBOX_HOME: host.home, SIGNALBOX_SANDBOX_WRITE: host.dir };
  const own = { SIGNALBOX_SLOTS: '4', SIGNALBOX_CACHE: sharedCache };
  return { PATH: process.env['PATH'] ?? '', ...place, ...own, ...settings };
}

/** Of the user whose home this is, for all repositories. */
export function writeConfiguration(home: string, text: string): void {
  mkdirSync(join(home, '.config/signalbox'), { recursive: true });
  writeFileSync(join(home, '.config/signalbox/config.yaml'), text);
}

/**
 * How the CLI is run to its end. `inside`: in the process of the test, which saves most of what a command takes. `process`: as a
 * process each, where it is the program that is tested. With `CHAOS=1` it always is.
 */
export type CliPlace = 'inside' | 'process';

export interface WorldParts {
  readonly dir: string;
  readonly home: string;
  readonly env: Record<string, string>;
  readonly cli: CliPlace;
  readonly processes: () => Process[];
  /** Other worlds have runs at the same daemon. */
  readonly isShared: boolean;
}

/** A world in `dir`, with a new repository. The caller closes it. */
export function buildWorld({ dir, home, env, cli, processes, isShared }: WorldParts): Omit<World, 'close'> {
  const repo = join(dir, 'repo');
  makeRepository(repo);
  const path = realpathSync(repo);
  let scripts = 0;
  const sb: World['sb'] = (args, { cwd = repo, env: more = {} } = {}) => {
    const inside = cli === 'inside' && !isLong ? runInProcess(args, cwd, { ...env, ...more }) : null;
    return inside ?? runInOwnProcess(args, cwd, { ...env, ...more });
  };
  const world: Omit<World, 'close'> = {
    dir,
    home,
    repo,
    env,
    sb,
    start: (args) => startCli(args, repo, env),
    client: () => createClient(loadConfig(env), mainFile),
    up: async () => void (await world.client().ensure()),
    script(steps) {
      scripts += 1;
      const path = join(dir, `script-${scripts}.json`);
      writeFileSync(path, JSON.stringify(steps));
      return path;
    },
    path: (name) => join(dir, name),
    touch: (name) => writeFileSync(join(dir, name), ''),
    text: (name) => readOr(join(dir, name)),
    async list() {
      const { runs } = await world.client().get('/runs?all=1', runList);
      return isShared ? runs.filter((run) => run.repo.path === path) : runs;
    },
    async only() {
      const [run] = await world.list();
      const task = run?.tasks[0];
      if (run === undefined || task === undefined) throw new Error('there is no run');
      return { run, task };
    },
    ended: () =>
      until(
        async () => {
          const found = await world.only();
          return found.run.state === 'ended' && found;
        },
        { timeoutMs: slowMs, what: 'the run to end' },
      ),
    git: (...args) => execFileSync('git', args, { cwd: repo, encoding: 'utf8', env: gitEnv(dir) }).trim(),
    daemonPid: () => (JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')) as { pid: number }).pid,
    async killDaemon() {
      const pid = world.daemonPid();
      process.kill(pid, 'SIGKILL');
      await until(() => !isAlive(pid), { timeoutMs: slowMs, what: 'the daemon to be gone' });
    },
    processes,
    agents: () => processes().filter(({ command }) => /^\S*node \S*agent\.cjs/.test(command)),
  };
  return world;
}

/** A repository with one commit. Each is a copy of one that git made once on this machine. */
export function makeRepository(path: string): void {
  const sample = join(root, '.cache/sample-repository-2');
  if (!existsSync(sample)) {
    // Another worker may be making it too: whichever is ready first stays.
    const made = mkdtempSync(`${sample}-`);
    writeFileSync(join(made, 'README.md'), '# Sample\n');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: made, env: gitEnv(made), stdio: 'pipe' });
    git('init', '--quiet');
    git('config', 'user.name', 'Ann Author');
    git('config', 'user.email', 'ann@example.org');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Start');
    try {
      renameSync(made, sample);
    } catch {
      rmSync(made, { recursive: true });
    }
  }
  mkdirSync(path, { recursive: true });
  cpSync(sample, path, { recursive: true });
}

function gitEnv(home: string): Record<string, string> {
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
  return { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...who };
}

/** Ends the daemon in order; whatever is left then is killed and reported. */
export async function closeWorld(world: Pick<World, 'dir' | 'client' | 'processes'>): Promise<void> {
  // If it cannot, what stays is reported below.
  await leave(world).catch(() => undefined);
  const gone = (): boolean => world.processes().length === 0;
  const left = await until(gone, { timeoutMs: 5_000, what: 'all to be gone' }).then(
    () => [],
    () => world.processes(),
  );
  await until(() => killAll(world) === 0, { timeoutMs: slowMs, what: 'the rest to die' });
  rmSync(world.dir, { recursive: true, force: true });
  expect(left, 'processes left over').toEqual([]);
}

/** As `signalbox down` does. */
async function leave(world: Pick<World, 'client'>): Promise<void> {
  const status = await world.client().getIfUp('/status', statusView);
  if (status === null) return;
  await world.client().post('/down', {}, accepted);
  await until(() => !isAlive(status.pid), { timeoutMs: slowMs, what: 'the daemon to leave' });
}

/** All that is there of it; how many that was. */
export function killAll(world: Pick<World, 'processes'>): number {
  const found = world.processes();
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
  return found.length;
}
