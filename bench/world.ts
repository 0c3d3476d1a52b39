// A home, a repository and a daemon of its own for a benchmark of the whole; nothing is left of it.

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
import { daemonFlags } from '../src/cli/client/start-daemon.ts';
import { loadConfig } from '../src/daemon/config.ts';
import type { ChildLimits } from '../src/model/core/child-limits.ts';
import { must } from '../src/std/assert.ts';
import { clientIds } from '../src/wire/id-pattern.ts';
import type { CreateRunInput } from '../src/wire/request-schemas.ts';
import { statusView } from '../src/wire/status-views.ts';
import { type RunView, runView } from '../src/wire/views.ts';

const mainFile = fileURLToPath(new URL('../../../dist/main.cjs', import.meta.url));

export type World = ReturnType<typeof openWorld>;

/** `slots`: agents at work at once; `more`: what its environment has besides. */
export function openWorld(slots: number, more: Readonly<Record<string, string>> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const [home, repo] = [join(dir, 'home'), join(dir, 'repo')];
  const PATH = must(process.env['PATH'], 'programs are found by it');
  const own = { HOME: dir, SIGNALBOX_HOME: home, SIGNALBOX_SLOTS: String(slots), SIGNALBOX_SANDBOX_WRITE: dir };
  const env = { PATH, ...more, ...own };
  const { socketPath } = loadConfig(env);
  mkdirSync(repo);
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q'],
    [...who, 'commit', '-q', '--allow-empty', '-m', 'Start'],
  ])
    execFileSync('git', args, { cwd: repo, env: { PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: '1' } });
  const sb = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [mainFile, ...args], { cwd: repo, env, maxBuffer: 1 << 30 })).stdout;

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
    while ((await view(runId)).state !== 'ended') await delay(500);
  };
  const submit = async (tasks: CreateRunInput['tasks'], children: Partial<ChildLimits>): Promise<string> => {
    if (daemon === null) await restart();
    const id = clientIds.run();
    const body = { id, name: 'children', repo: { path: repo }, integrates: false, parallelMax: 1_000, children, tasks };
    await post(socketPath, '/runs', body satisfies CreateRunInput);
    return id;
  };
  return {
    dir,
    restart,
    submit,
    touch: (name: string): void => writeFileSync(join(dir, name), ''),
    daemon: () => must(daemon, 'it was started'),
    /** As many agents as there are slots, all with these steps. */
    async run(steps: readonly object[], flags: readonly string[] = []): Promise<string> {
      if (daemon === null) await restart();
      const script = join(dir, 'script.json');
      writeFileSync(script, JSON.stringify(steps));
      const prompts = Array.from({ length: slots }, (_, i) => `agent ${i}`);
      const told = await sb('run', '--detach', '--json', '--script', script, ...flags, ...prompts);
      return (JSON.parse(told) as { id: string }).id;
    },
    /** An agent for each script, by name; returns the id of their run. */
    children(scripts: Readonly<Record<string, readonly object[]>>, children: Partial<ChildLimits>): Promise<string> {
      const tasks = Object.entries(scripts).map(([name, steps]) => {
        return { name, prompt: `do as ${name}`, settings: { script: JSON.stringify(steps) } };
      });
      return submit(tasks, children);
    },
    /** How long an answer takes. */
    async statusMs(): Promise<number> {
      const begun = performance.now();
      await get(socketPath, '/status');
      return performance.now() - begun;
    },
    events: async (runId: string) => eventsIn(await sb('events', runId)),
    ended: async (runId: string): Promise<void> => {
      while ((await view(runId)).state !== 'ended') await delay(200);
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

/** Of a run, in order: when it happened, what, and its data. */
export interface Noted {
  readonly at: number;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

function eventsIn(listed: string): Noted[] {
  return listed.split('\n').flatMap((line) => {
    const [, at = '', type = '', ...rest] = line.split(' ');
    if (rest.length === 0) return [];
    return [{ at: Date.parse(at), type, data: JSON.parse(rest.join(' ')) as Record<string, unknown> }];
  });
}

async function post(socketPath: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const asked = request({ socketPath, path, method: 'POST', headers, agent: false }).end(JSON.stringify(body));
  const [response] = await once(asked, 'response');
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(answer);
}

async function get(socketPath: string, path: string): Promise<unknown> {
  const asked = request({ socketPath, path, agent: false }).end();
  const [response] = await once(asked, 'response');
  return JSON.parse(await text(response));
}

export function processorMs({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  // Counted in hundredths of a second, on every architecture.
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

export function memoryPeakMb({ pid }: ChildProcess): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1_024) / 1e6;
}

export function memoryMb({ pid }: ChildProcess): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1_024) / 1e6;
}

/** Agents outlive the process that started them: also a signal to end must take them along. */
export function onSignal(close: () => Promise<void>): () => void {
  const end = (): void => void close().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => signals.forEach((signal) => process.off(signal, end));
}
