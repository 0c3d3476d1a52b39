// A run or host as text and back. A snapshot is a cache of the fold: of another format it is ignored, and the
// indices are not in it but rebuilt.

import type { Notice } from './asks/notices.ts';
import { indexChild, isUntold } from './children/evolve-children.ts';
import type { Agent } from './core/agent.ts';
import type { AgentId, AskId, AttemptId, RunId, TaskId } from './core/ids.ts';
import type { Json } from './core/json.ts';
import { askerOf, matrixOf, taskOf } from './core/lookup.ts';
import type { ExhaustedBudget, Run, Task } from './core/run.ts';
import type { CheckSpec, TaskSpec } from './core/spec.ts';
import { emptyHost, type Host } from './host/host.ts';
import type { OtherRun } from './messages/other-run.ts';
import { hasUnread } from './messages/undelivered.ts';
import { emptyRun } from './new-state.ts';
import { pushReady, readyEntry } from './ready/ready-queues.ts';
import { indexTask, isUndecided } from './tasks/evolve-task.ts';
import { memberSpec } from './tasks/matrix-member.ts';
import type { Team } from './teams/team.ts';

/** Raised whenever the shape of the state changes. */
export const snapshotFormat = 20;

type TaskState = Omit<Task, 'spec' | 'dependants' | 'members' | 'membersOpen' | 'children' | 'childrenOpen'>;

/** Of a task of a matrix only what it has not from the matrix. */
type SpecImage = { readonly spec: TaskSpec } | { readonly joined: Joined };
type Joined = Pick<TaskSpec, 'id' | 'name'> & { readonly matrix: TaskId; readonly item: Json };
type TaskImage = TaskState & SpecImage;

interface RunImage
  extends Pick<
    Run,
    | 'spec'
    | 'seq'
    | 'state'
    | 'outcome'
    | 'createdAt'
    | 'endedAt'
    | 'stopAskedBy'
    | 'usage'
    | 'budget'
    | 'budgeted'
    | 'dayLimited'
    | 'dayExhausted'
    | 'dayTimed'
    | 'messages'
    | 'limitsTold'
    | 'remembered'
    | 'head'
    | 'landing'
  > {
  readonly tasks: readonly TaskImage[];
  readonly agents: readonly Agent[];
  readonly teams: readonly Team[];
  /** In the order in which they started: effects come in that order. */
  readonly live: readonly AttemptId[];
  readonly integration: readonly AttemptId[];
  readonly parked: readonly AttemptId[];
  readonly questions: readonly (readonly [AskId, TaskId])[];
  readonly otherRuns: readonly (readonly [RunId, OtherRun])[];
  readonly integratedChecks: readonly (readonly [string, CheckSpec])[];
  readonly exhausted: readonly (readonly [string, ExhaustedBudget])[];
  readonly unknownAccepted: readonly (readonly [string, number])[];
}

export function writeRun(run: Run): string {
  const { spec, seq, state, outcome, createdAt, endedAt, stopAskedBy, usage, remembered, head, landing } = run;
  const { budget, budgeted, dayLimited, dayExhausted, dayTimed, messages, limitsTold } = run;
  const image: RunImage = {
    spec,
    seq,
    state,
    outcome,
    createdAt,
    endedAt,
    stopAskedBy,
    usage,
    budget,
    budgeted,
    dayLimited,
    dayExhausted,
    dayTimed,
    integratedChecks: [...run.integratedChecks],
    exhausted: [...run.exhausted],
    unknownAccepted: [...run.unknownAccepted],
    messages,
    otherRuns: [...run.otherRuns],
    limitsTold,
    remembered,
    head,
    landing,
    tasks: Array.from(run.tasks.values(), (task) => writeTask(run, task)),
    agents: [...run.agents.values()],
    teams: [...run.teams.values()],
    live: [...run.live.keys()],
    integration: [...run.integration.keys()],
    parked: [...run.parked.keys()],
    questions: Array.from(run.questions, ([id, task]) => [id, task.spec.id]),
  };
  return JSON.stringify(image);
}

export function readRun(text: string): Run {
  const { tasks, agents, teams, live, integration, parked, questions, ...rest } = JSON.parse(text) as RunImage;
  const run: Run = {
    ...emptyRun(),
    ...rest,
    integratedChecks: new Map(rest.integratedChecks),
    exhausted: new Map(rest.exhausted),
    unknownAccepted: new Map(rest.unknownAccepted),
    teams: new Map(teams.map((team) => [team.name, team])),
    otherRuns: new Map(rest.otherRuns),
  };
  for (const agent of agents) run.agents.set(agent.id as AgentId, agent);
  const byAttempt = new Map<string, Task>();
  for (const image of tasks) {
    const task: Task = { ...readTask(run, image), ...noOthers() };
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
    if (attempt.launch !== null) run.liveByLaunch.set(attempt.launch.id, attempt);
  }
  for (const id of integration) {
    const attempt = run.live.get(id);
    if (attempt !== undefined) run.integration.set(id, attempt);
  }
  for (const id of parked) {
    const attempt = run.live.get(id);
    if (attempt !== undefined) run.parked.set(id, attempt);
  }
  for (const [id, taskId] of questions) run.questions.set(id, taskOf(run, taskId));
  for (const { taskId } of agents) if (askerOf(run, taskOf(run, taskId)) !== null) run.agentsAsked += 1;
  return run;
}

function writeTask(run: Run, task: Task): TaskImage {
  const { spec, dependants: _, members: _m, membersOpen: _o, children: _c, childrenOpen: _co, ...state } = task;
  const matrix = matrixOf(run, task);
  if (matrix === null) return { spec, ...state };
  const { id, name, item = null } = spec;
  return { joined: { id, name, matrix: matrix.spec.id, item }, ...state };
}

/** A matrix stands before its tasks. */
function readTask(run: Run, image: TaskImage): TaskState & { readonly spec: TaskSpec } {
  if ('spec' in image) return image;
  const { joined, ...state } = image;
  const { id, name, matrix, item } = joined;
  return { spec: memberSpec(taskOf(run, matrix).spec, id, name, item), ...state };
}

function noOthers(): Pick<Task, 'dependants' | 'members' | 'membersOpen' | 'children' | 'childrenOpen'> {
  return { dependants: [], members: [], membersOpen: 0, children: [], childrenOpen: 0 };
}

function index(run: Run, task: Task): void {
  if (task.state !== 'ended') {
    run.openTasks += 1;
    const matrix = matrixOf(run, task);
    if (matrix !== null) matrix.membersOpen += 1;
    const asker = askerOf(run, task);
    if (asker !== null) asker.childrenOpen += 1;
  }
  if (task.attempts === 0 && askerOf(run, task) !== null) run.agentsAsked += 1;
  if (isUntold(run, task)) run.untold.set(task.spec.id, task);
  if (hasUnread(task)) run.unread.set(task.spec.id, task);
  if (isUndecided(task)) run.undecided.set(task.spec.id, task);
  if (task.state === 'ready') pushReady(run, readyEntry(task));
  if (task.state === 'delayed' && task.delay !== null) {
    run.delayed.push({ task, dueAt: task.delay.from + task.delay.ms });
  }
}

interface HostMaps {
  readonly held: [AttemptId, RunId][];
  readonly notices: [string, Notice][];
}

export function writeHost(host: Host): string {
  const { scarce: _, full: _f, held, notices, ...rest } = host;
  return JSON.stringify({ ...rest, held: [...held], notices: [...notices] });
}

export function readHost(text: string): Host {
  const image = JSON.parse(text) as Omit<Host, 'held' | 'notices'> & HostMaps;
  return { ...emptyHost(), ...image, held: new Map(image.held), notices: new Map(image.notices) };
}
