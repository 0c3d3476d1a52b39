// What the scenarios about limits look at from outside: memory and state of processes, room on the disk, the journal of a run,
// and the daemon's socket for requests that are too frequent for a process each.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { followEvents } from '../../../src/cli/client/follow-events.ts';
import { loadConfig } from '../../../src/daemon/config.ts';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView, TaskView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { readOr, type World } from '../daemon/daemon-world.ts';

export const mib = 2 ** 20;
/** How often the daemon looks at its agents, and what a busy machine may add to it. */
export const guardMs = 1_000;
export const slackMs = 2_000;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function ask(world: World, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const { socketPath } = loadConfig(world.env);
  return new Promise((done, fail) => {
    const asked = request({ socketPath, path, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode ?? 0, body: JSON.parse(text) as unknown }));
    });
    asked.once('error', fail);
    asked.end(body === undefined ? undefined : JSON.stringify(path === '/runs' ? withAgents(body) : body));
  });
}

/** Tasks that name no agent are played by the scripted one: the daemon chooses none. */
function withAgents(body: object): object {
  const { tasks = [] } = body as Partial<CreateRunInput>;
  return { ...body, tasks: tasks.map((task) => ({ harness: 'scripted', ...task })) };
}

/** A run as a client asks for it, where the command line has no word for what is wanted. */
export async function submit(
  world: World,
  tasks: CreateRunInput['tasks'],
  name = 'asked',
  budget: CreateRunInput['budget'] = null,
  parallelMax = 1_000,
): Promise<RunView> {
  const body: CreateRunInput = { id: clientIds.run(), name, repo: { path: world.repo }, budget, parallelMax, tasks };
  const answer = await ask(world, 'POST', '/runs', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as RunView;
}

export async function runOf(world: World, runId: string): Promise<RunView> {
  const { status, body } = await ask(world, 'GET', `/runs/${runId}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as RunView;
}

export async function detached(world: World, args: readonly string[]): Promise<RunView> {
  const { code, stdout, stderr } = await world.sb(['run', ...args, '--detach', '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as RunView;
}

export function runEnd(world: World, runId: string, timeoutMs = 60_000): Promise<RunView> {
  return until(
    async () => {
      const run = await runOf(world, runId);
      return run.state === 'ended' && run;
    },
    { timeoutMs, what: `run ${runId} to end` },
  );
}

export function taskEnd(world: World, runId: string, name: string, timeoutMs = 60_000): Promise<TaskView> {
  return until(
    async () => {
      const task = taskNamed(await runOf(world, runId), name);
      return task.outcome !== null && task;
    },
    { timeoutMs, what: `task ${name} to end` },
  );
}

export function taskNamed(run: Pick<RunView, 'tasks'>, name: string): TaskView {
  const task = run.tasks.find((each) => each.name === name);
  if (task === undefined) throw new Error(`no task ${name} in ${run.tasks.map((each) => each.name).join(', ')}`);
  return task;
}

export function failureOf({ outcome }: TaskView): { reason: string; detail: string } {
  if (outcome?.kind !== 'failed') throw new Error(`it has not failed: ${JSON.stringify(outcome)}`);
  return outcome.failure;
}

export async function recordOf(world: World, runId: string): Promise<RunEvent[]> {
  const record: RunEvent[] = [];
  const upToNow = { after: 0, follow: false, signal: new AbortController().signal, onReturn: () => undefined };
  for await (const { event } of followEvents(world.client(), runId, upToNow)) record.push(event);
  return record;
}

/** The rungs of the ladder that a task's processes needed. */
export function rungsOf(record: readonly RunEvent[], { attempt }: TaskView): string[] {
  return record.flatMap((event) =>
    event.type === 'launch.signalled' && attempt?.launches.includes(event.launchId) ? [event.rung] : [],
  );
}

/** 128 and the signal for a process that was ended by one. */
export function statusOf(record: readonly RunEvent[], { attempt }: TaskView): number | undefined {
  const ended = record.find((event) => event.type === 'launch.ended' && attempt?.launches.at(-1) === event.launchId);
  return ended?.type === 'launch.ended' ? ended.status : undefined;
}

export const killed = 137;

/** The file with every byte that the task's newest process printed, as long as it is not compressed. */
export function transcriptFile(world: World, { attempt }: TaskView): string {
  return join(world.home, 'launches', attempt?.launches.at(-1) ?? 'none', 'out');
}

/** Those bytes, from the file as it is or compressed. */
export function transcriptOf(world: World, task: TaskView): Buffer {
  const file = transcriptFile(world, task);
  return existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`));
}

export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readOr(`/proc/${pid}/status`));
  return Number(found?.[1] ?? Number.NaN) * 1024;
}

/** R, S, T …; empty when there is no such process. */
export function stateOf(pid: number): string {
  return /^\d+ \(.*\) (\S)/s.exec(readOr(`/proc/${pid}/stat`))?.[1] ?? '';
}

export function bytesBelow(directory: string): number {
  let bytes = 0;
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += bytesBelow(path);
    else bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
