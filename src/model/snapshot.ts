// Writes a run or host as text and reads it back. A snapshot is a cache of the fold: one of another format is ignored, and the
// indices are not stored but rebuilt.

import type { Ask } from './asks/ask.ts';
import { keepAsk } from './asks/evolve-asks.ts';
import type { Notice } from './asks/notices.ts';
import { indexChild, isUntold } from './children/evolve-children.ts';
import type { AttemptId, RunId, TaskId } from './core/ids.ts';
import type { Json } from './core/json.ts';
import { askerOf, matrixOf, taskOf } from './core/lookup.ts';
import type { Run, Task } from './core/run.ts';
import type { TaskSpec } from './core/spec.ts';
import { emptyHost, type Host } from './host/host.ts';
import { hasUnread } from './messages/undelivered.ts';
import { emptyRun } from './new-state.ts';
import { enterDelayed, enterReady } from './ready/ready-queues.ts';
import { indexTask, isUndecided } from './tasks/evolve-task.ts';
import { memberSpec } from './tasks/matrix-member.ts';

/** Raised whenever the shape of the state changes. */
export const snapshotFormat = 27;

type TaskState = Omit<Task, 'spec'>;

/** For a task of a matrix only what differs from the matrix. */
type SpecImage = { readonly spec: TaskSpec } | { readonly joined: Joined };
type Joined = Pick<TaskSpec, 'id' | 'name'> & { readonly matrix: TaskId; readonly item: Json };
type TaskImage = TaskState & SpecImage;

/**
 * The parts of a run that are stored as they are. Everything else is an index, which is rebuilt, or a list of ids in
 * `RunImage`.
 */
const storedOfRun = [
  'spec',
  'seq',
  'state',
  'outcome',
  'createdAt',
  'endedAt',
  'stopAskedBy',
  'removedBy',
  'pauses',
  'agents',
  'spending',
  'messages.count',
  'messages.otherRuns',
  'children.limitsNotified',
  'remembered',
  'integration.head',
  'integration.steps',
  'integration.overlaps',
  'integration.checks',
  'landing',
  'teams',
] as const satisfies readonly StoredPath[];

/** A field of a run, or a field of one of its parts. */
type StoredPath = keyof Run | PathOf<'integration' | 'messages' | 'children'>;
type PathOf<Part extends keyof Run> = Part extends string ? `${Part}.${string & keyof Run[Part]}` : never;

interface RunImage {
  /** The fields of `storedOfRun`, with maps as `MapImage`. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly tasks: readonly TaskImage[];
  /** In the order in which they started: effects are listed in that order. */
  readonly live: readonly AttemptId[];
  readonly integration: readonly AttemptId[];
  readonly parked: readonly AttemptId[];
  readonly asks: readonly Ask[];
}

export function writeRun(run: Run): string {
  const image: RunImage = {
    stored: Object.fromEntries(storedOfRun.map((path) => [path, mapsOut(placeOf(run, path).read())])),
    tasks: Array.from(run.tasks.values(), (task) => writeTask(run, task)),
    live: [...run.live.keys()],
    integration: [...run.integration.queue.keys()],
    parked: [...run.parked.keys()],
    asks: [...run.asks.values()],
  };
  return JSON.stringify(image);
}

export function readRun(text: string): Run {
  const { stored, tasks, live, integration, parked, asks } = JSON.parse(text) as RunImage;
  const run = emptyRun();
  for (const path of storedOfRun) placeOf(run, path).write(mapsIn(stored[path]));
  const byAttempt = new Map<string, Task>();
  for (const image of tasks) {
    const task: Task = readTask(run, image);
    run.tasks.set(task.spec.id, task);
    indexTask(run, task);
    indexChild(run, task);
    if (task.attempt !== null) byAttempt.set(task.attempt.id, task);
    index(run, task);
  }
  for (const id of live) {
    const attempt = byAttempt.get(id)?.attempt;
    if (!attempt) continue;
    run.live.set(id, attempt);
    if (attempt.launches.current !== null) run.liveByLaunch.set(attempt.launches.current.id, attempt);
  }
  for (const id of integration) {
    const attempt = run.live.get(id);
    if (attempt !== undefined) run.integration.queue.set(id, attempt);
  }
  for (const id of parked) {
    const attempt = run.live.get(id);
    if (attempt !== undefined) run.parked.set(id, attempt);
  }
  for (const ask of asks) keepAsk(run, ask);
  for (const { taskId } of run.agents.values())
    if (askerOf(run, taskOf(run, taskId)) !== null) run.children.agentsAsked += 1;
  return run;
}

function placeOf(run: Run, path: StoredPath): { read(): unknown; write(value: unknown): void } {
  const [first = '', second] = path.split('.');
  const whole = run as unknown as Record<string, unknown>;
  const [owner, field] = second === undefined ? [whole, first] : [whole[first] as Record<string, unknown>, second];
  return {
    read: () => owner[field],
    write: (value) => {
      owner[field] = value;
    },
  };
}

interface MapImage {
  readonly $map: readonly (readonly [unknown, unknown])[];
}

/** A map, or a record with maps in it, as JSON. */
function mapsOut(value: unknown, depth = 0): unknown {
  if (value instanceof Map) return { $map: [...value] } satisfies MapImage;
  if (depth > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapsOut(each, depth + 1)]));
}

function mapsIn(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('$map' in value && Array.isArray(value.$map)) return new Map(value.$map as MapImage['$map']);
  if (depth > 0) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapsIn(each, depth + 1)]));
}

function writeTask(run: Run, task: Task): TaskImage {
  const { spec, ...whole } = task;
  const state: TaskState = { ...whole, ...withoutIndices(task) };
  const matrix = matrixOf(run, task);
  if (matrix === null) return { spec, ...state };
  const { id, name, item = null } = spec;
  return { joined: { id, name, matrix: matrix.spec.id, item }, ...state };
}

/** A matrix comes before its tasks. */
function readTask(run: Run, image: TaskImage): TaskState & { readonly spec: TaskSpec } {
  if ('spec' in image) return image;
  const { joined, ...state } = image;
  const { id, name, matrix, item } = joined;
  return { spec: memberSpec(taskOf(run, matrix).spec, id, name, item), ...state };
}

function withoutIndices({ graph, children }: Pick<Task, 'graph' | 'children'>): Pick<Task, 'graph' | 'children'> {
  return {
    graph: { ...graph, dependants: [], members: [], membersOpen: 0 },
    children: { ...children, ids: [], open: 0 },
  };
}

function index(run: Run, task: Task): void {
  if (task.state !== 'ended') {
    run.graph.openTasks += 1;
    const matrix = matrixOf(run, task);
    if (matrix !== null) matrix.graph.membersOpen += 1;
    const asker = askerOf(run, task);
    if (asker !== null) asker.children.open += 1;
  }
  if (task.tries.attempts === 0 && askerOf(run, task) !== null) run.children.agentsAsked += 1;
  if (isUntold(run, task)) run.children.unnotified.set(task.spec.id, task);
  if (hasUnread(task)) run.messages.unread.set(task.spec.id, task);
  if (isUndecided(task)) run.graph.undecided.set(task.spec.id, task);
  if (task.state === 'ready') enterReady(run, task);
  if (task.delay !== null) enterDelayed(run, task, task.delay.from + task.delay.ms);
}

interface HostMaps {
  readonly held: [AttemptId, RunId][];
  readonly notices: [string, Notice][];
}

export function writeHost(host: Host): string {
  const { scarce: _, held, notices, ...rest } = host;
  return JSON.stringify({ ...rest, held: [...held], notices: [...notices] });
}

export function readHost(text: string): Host {
  const image = JSON.parse(text) as Omit<Host, 'held' | 'notices'> & HostMaps;
  return { ...emptyHost(), ...image, held: new Map(image.held), notices: new Map(image.notices) };
}
