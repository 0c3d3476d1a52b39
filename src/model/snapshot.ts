// A run or host as text and back. A snapshot is a cache of the fold: of another format it is ignored, and the
// indices are not in it but rebuilt.

import { emptyHost, type Host } from './host.ts';
import type { AgentId, AttemptId, RunId } from './ids.ts';
import { type Agent, emptyRun, type Run, type Task } from './run.ts';

/** Raised whenever the shape of the state changes. */
export const snapshotFormat = 4;

type TaskImage = Omit<Task, 'dependants'>;

interface RunImage
  extends Pick<
    Run,
    'spec' | 'seq' | 'state' | 'outcome' | 'createdAt' | 'settledAt' | 'stopAskedBy' | 'usage' | 'remembered'
  > {
  readonly tasks: readonly TaskImage[];
  readonly agents: readonly Agent[];
  /** In the order in which they started: effects come in that order. */
  readonly live: readonly AttemptId[];
}

export function writeRun(run: Run): string {
  const { spec, seq, state, outcome, createdAt, settledAt, stopAskedBy, usage, remembered } = run;
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
    tasks: Array.from(run.tasks.values(), ({ dependants: _, ...task }) => task),
    agents: [...run.agents.values()],
    live: [...run.live.keys()],
  };
  return JSON.stringify(image);
}

export function readRun(text: string): Run {
  const { tasks, agents, live, ...rest } = JSON.parse(text) as RunImage;
  const run: Run = { ...emptyRun(), ...rest };
  for (const agent of agents) run.agents.set(agent.id as AgentId, agent);
  const byAttempt = new Map<string, Task>();
  for (const image of tasks) {
    const task: Task = { ...image, dependants: [] };
    run.tasks.set(task.spec.id, task);
    run.taskByName.set(task.spec.name, task.spec.id);
    for (const need of task.spec.needs) run.tasks.get(need)?.dependants.push(task.spec.id);
    if (task.attempt !== null) byAttempt.set(task.attempt.id, task);
    index(run, task);
  }
  for (const id of live) {
    const attempt = byAttempt.get(id)?.attempt;
    if (!attempt) continue;
    run.live.set(id, attempt);
    if (attempt.launch !== null) run.liveByLaunch.set(attempt.launch.id, attempt);
  }
  return run;
}

function index(run: Run, task: Task): void {
  if (task.state !== 'settled') run.unsettled += 1;
  if (task.state === 'ready') run.ready.push({ task, priority: task.spec.priority, order: task.order });
  if (task.state === 'delayed' && task.delay !== null) {
    run.delayed.push({ task, dueAt: task.delay.from + task.delay.ms });
  }
}

export function writeHost(host: Host): string {
  return JSON.stringify({ ...host, held: [...host.held] });
}

export function readHost(text: string): Host {
  const image = JSON.parse(text) as Omit<Host, 'held'> & { held: [AttemptId, RunId][] };
  return { ...emptyHost(), ...image, held: new Map(image.held) };
}
