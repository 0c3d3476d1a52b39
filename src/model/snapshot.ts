// A run or host as text and back. A snapshot is a cache of the fold: of another format it is ignored, and the
// indices are not in it but rebuilt.

import { indexTask, isUndecided, matrixOf } from './evolve-task.ts';
import { emptyHost, type Host } from './host.ts';
import type { AgentId, AttemptId, RunId } from './ids.ts';
import { pushReady, readyEntry } from './ready.ts';
import { type Agent, emptyRun, type Run, type Task } from './run.ts';

/** Raised whenever the shape of the state changes. */
export const snapshotFormat = 5;

type TaskImage = Omit<Task, 'dependants' | 'members' | 'membersOpen'>;

interface RunImage
  extends Pick<
    Run,
    'spec' | 'seq' | 'state' | 'outcome' | 'createdAt' | 'settledAt' | 'stopAskedBy' | 'usage' | 'remembered' | 'head'
  > {
  readonly tasks: readonly TaskImage[];
  readonly agents: readonly Agent[];
  /** In the order in which they started: effects come in that order. */
  readonly live: readonly AttemptId[];
  readonly landing: readonly AttemptId[];
}

export function writeRun(run: Run): string {
  const { spec, seq, state, outcome, createdAt, settledAt, stopAskedBy, usage, remembered, head } = run;
  const image: RunImage = {
    spec,
    seq,
    state,
    outcome,
    createdAt,
    settledAt,
    stopAskedBy,
    usage,
    remembered,
    head,
    tasks: Array.from(run.tasks.values(), ({ dependants: _, members: _m, membersOpen: _o, ...task }) => task),
    agents: [...run.agents.values()],
    live: [...run.live.keys()],
    landing: [...run.landing.keys()],
  };
  return JSON.stringify(image);
}

export function readRun(text: string): Run {
  const { tasks, agents, live, landing, ...rest } = JSON.parse(text) as RunImage;
  const run: Run = { ...emptyRun(), ...rest };
  for (const agent of agents) run.agents.set(agent.id as AgentId, agent);
  const byAttempt = new Map<string, Task>();
  for (const image of tasks) {
    const task: Task = { ...image, dependants: [], members: [], membersOpen: 0 };
    run.tasks.set(task.spec.id, task);
    indexTask(run, task);
    if (task.attempt !== null) byAttempt.set(task.attempt.id, task);
    index(run, task);
  }
  for (const id of live) {
    const attempt = byAttempt.get(id)?.attempt;
    if (!attempt) continue;
    run.live.set(id, attempt);
    if (attempt.launch !== null) run.liveByLaunch.set(attempt.launch.id, attempt);
  }
  for (const id of landing) {
    const attempt = run.live.get(id);
    if (attempt !== undefined) run.landing.set(id, attempt);
  }
  return run;
}

function index(run: Run, task: Task): void {
  if (task.state !== 'settled') {
    run.unsettled += 1;
    const matrix = matrixOf(run, task);
    if (matrix !== null) matrix.membersOpen += 1;
  }
  if (isUndecided(task)) run.undecided.set(task.spec.id, task);
  if (task.state === 'ready') pushReady(run, readyEntry(task));
  if (task.state === 'delayed' && task.delay !== null) {
    run.delayed.push({ task, dueAt: task.delay.from + task.delay.ms });
  }
}

export function writeHost(host: Host): string {
  const { scarce: _, full: _f, held, ...rest } = host;
  return JSON.stringify({ ...rest, held: [...held] });
}

export function readHost(text: string): Host {
  const image = JSON.parse(text) as Omit<Host, 'held'> & { held: [AttemptId, RunId][] };
  return { ...emptyHost(), ...image, held: new Map(image.held) };
}
