// Daemons of any build, started by a test's own hand so that they can be killed at any instant, and asked over their socket.

import { spawn } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../../src/daemon/config.ts';
import type { StatusView } from '../../../src/wire/status-views.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { isAlive, mainFile, readOr, type World } from '../daemon/daemon-world.ts';

export interface Daemon {
  readonly pid: number;
  /** Its exit code; null = it was killed. */
  readonly ended: Promise<number | null>;
  /** Resolves when it serves, or with false when it has ended instead. */
  ready(): Promise<boolean>;
  kill(): Promise<void>;
}

const slowMs = 30_000;

export function startDaemon(world: World, { main = mainFile, env = {} as Record<string, string> } = {}): Daemon {
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  const log = openSync(world.path('daemon.log'), 'a');
  const child = spawn(process.execPath, [main, 'daemon'], {
    cwd: '/',
    env: { ...world.env, ...env },
    stdio: ['ignore', 'ignore', log],
    detached: true,
  });
  closeSync(log);
  const pid = child.pid ?? 0;
  let gone = false;
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => {
      gone = true;
      done(code);
    });
  });
  return {
    pid,
    ended,
    async ready() {
      const about = join(world.home, 'daemon.json');
      const served = (): 'yes' | 'no' | null => {
        if (gone) return 'no';
        return readOr(about).startsWith(`{"pid":${pid},`) ? 'yes' : null;
      };
      return (await until(served, { timeoutMs: slowMs, what: `daemon ${pid} to serve` })) === 'yes';
    },
    async kill() {
      if (!gone) process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Every process that serves this world's home, or tries to. */
export function daemonsOf(world: World): number[] {
  return world.processes().flatMap(({ pid, command }) => (/main\.cjs daemon( |$)/.test(command) ? [pid] : []));
}

/**
 * kill -9 of the daemon, the shims and all that they keep, as fast as it goes. The shims before their agents: one that
 * saw its agent die would have time to write it down.
 */
export async function killEverything(world: World): Promise<void> {
  const rank = (command: string): number =>
    /main\.cjs daemon/.test(command) ? 0 : /^\S*sh \S*shim\.sh/.test(command) ? 1 : 2;
  const found = world.processes().sort((a, b) => rank(a.command) - rank(b.command));
  for (const { pid } of found) endProcess(pid);
  const gone = (): boolean => {
    // What was being started meanwhile.
    const left = world.processes();
    for (const { pid } of left) endProcess(pid);
    return left.length === 0;
  };
  await until(gone, { timeoutMs: slowMs, what: 'all to be dead' });
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}

/** A copy of the build in a directory of its own, with a version of its own; returns its main file. */
export function copyBuild(world: World, version: string): string {
  const [dist, root] = [dirname(mainFile), world.path(`build-${version}`)];
  cpSync(dist, join(root, 'dist'), { recursive: true });
  const about = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as object;
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...about, version }));
  symlinkSync(join(dist, '../node_modules'), join(root, 'node_modules'));
  return join(root, 'dist/main.cjs');
}

export const runOf = (world: World, runId: string): Promise<RunView> => get(world, `/runs/${runId}`);
export const statusOf = (world: World): Promise<StatusView> => get(world, '/status');

/** The run when it has ended; daemons may come and go meanwhile. */
export function endedRun(world: World, runId: string, timeoutMs = 60_000): Promise<RunView> {
  const ended = async (): Promise<RunView | null> => {
    const run = await runOf(world, runId).catch(() => null);
    return run?.state === 'ended' ? run : null;
  };
  return until(ended, { timeoutMs, what: `run ${runId} to end` });
}

function get<T>(world: World, path: string): Promise<T> {
  const { socketPath } = loadConfig(world.env);
  return new Promise((done, fail) => {
    const asked = request({ socketPath, path, agent: false, timeout: slowMs }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', fail);
      response.on('end', () => {
        if (response.statusCode === 200) done(JSON.parse(text) as T);
        else fail(new Error(`${path}: ${text}`));
      });
    });
    asked.once('error', fail);
    asked.end();
  });
}

export const allAlive = (pids: readonly number[]): boolean => pids.every(isAlive);
