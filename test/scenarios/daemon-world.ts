// A world of its own for each test of the whole program: a home, a git repository, the built CLI as real processes, and
// the means to see every process that belongs to it.

import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { type Client, createClient } from '../../src/cli/client.ts';
import { loadConfig } from '../../src/config.ts';
import { statusView } from '../../src/wire/status-views.ts';
import { accepted, type RunView, runList, type TaskView } from '../../src/wire/views.ts';
import { until } from '../until.ts';

export const mainFile = resolve(import.meta.dirname, '../../dist/main.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  output(): string;
  /** Waits until its output holds this text. */
  says(text: string): Promise<unknown>;
}

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
  settled(): Promise<{ run: RunView; task: TaskView }>;
  git(...args: string[]): string;
  daemonPid(): number;
  killDaemon(): Promise<void>;
  processes(): Process[];
  agents(): Process[];
  close(): Promise<void>;
}

export interface Process {
  readonly pid: number;
  readonly command: string;
}

const slowMs = 30_000;

export function openWorld(settings: Record<string, string> = {}): World {
  if (!existsSync(mainFile)) throw new Error('dist/main.js is missing: build first');
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-e2e-'));
  const [home, repo] = [join(dir, 'home'), join(dir, 'repo')];
  makeRepository(repo);
  // Scripts leave their traces beside the repository, which is outside of every sandbox.
  const place = { HOME: dir, SIGNALBOX_HOME: home, SIGNALBOX_SANDBOX_WRITE: dir };
  const env = { PATH: process.env['PATH'] ?? '', ...place, SIGNALBOX_SLOTS: '4', ...settings };
  let scripts = 0;
  const world: World = {
    dir,
    home,
    repo,
    env,
    sb: (args, { cwd = repo, env: more = {} } = {}) => startCli(args, cwd, { ...env, ...more }).ended,
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
    list: async () => (await world.client().get('/runs?all=1', runList)).runs,
    async only() {
      const [run] = await world.list();
      const task = run?.tasks[0];
      if (run === undefined || task === undefined) throw new Error('there is no run');
      return { run, task };
    },
    settled: () =>
      until(
        async () => {
          const found = await world.only();
          return found.run.state === 'settled' && found;
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
    processes: () => processesOf(dir),
    agents: () => processesOf(dir).filter(({ command }) => /^\S*node \S*agent\.js/.test(command)),
    close: () => closeWorld(world),
  };
  return world;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(readOr(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

export function readOr(path: string, otherwise = ''): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

export function makeRepository(path: string): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'README.md'), '# Sample\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, env: gitEnv(path), stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Start');
}

function gitEnv(home: string): Record<string, string> {
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
  return { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...who };
}

function startCli(args: readonly string[], cwd: string, env: Record<string, string>): Started {
  const child = spawn(process.execPath, [mainFile, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<Ended>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
  const output = (): string => stdout + stderr;
  return {
    pid: child.pid ?? 0,
    ended,
    output,
    says: (text) => until(() => output().includes(text), { timeoutMs: slowMs, what: `"${text}" in: ${output()}` }),
  };
}

/** Ends the daemon in order; whatever is left then is killed and told. */
async function closeWorld(world: World): Promise<void> {
  // Where it cannot, what stays is told below.
  await leave(world).catch(() => undefined);
  const gone = (): boolean => world.processes().length === 0;
  const left = await until(gone, { timeoutMs: 5_000, what: 'all to be gone' }).then(
    () => [],
    () => world.processes(),
  );
  await until(() => kill(world) === 0, { timeoutMs: slowMs, what: 'the rest to die' });
  rmSync(world.dir, { recursive: true, force: true });
  expect(left, 'processes left over').toEqual([]);
}

/** As `signalbox down` does. */
async function leave(world: World): Promise<void> {
  const status = await world.client().getIfUp('/status', statusView);
  if (status === null) return;
  await world.client().post('/down', {}, accepted);
  await until(() => !isAlive(status.pid), { timeoutMs: slowMs, what: 'the daemon to leave' });
}

function kill(world: World): number {
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

/** Every process that has the directory in its arguments, environment or as its place. */
function processesOf(dir: string): Process[] {
  const pids = existsSync('/proc/self/stat') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.flatMap((name): Process[] => {
    const pid = Number(name);
    const command = readOr(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
    const traces = [command, readOr(`/proc/${name}/environ`), placeOf(name)];
    return traces.some((trace) => trace.includes(dir)) && isAlive(pid) ? [{ pid, command }] : [];
  });
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
