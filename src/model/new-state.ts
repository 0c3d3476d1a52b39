// Creates the parts of a run: the run, its tasks, agents and attempts, each with the empty slices of all folders.

import { assert, must } from '../std/assert.ts';
import { noResult, notLaunched, noWorkspace } from './attempt/attempt-state.ts';
import { noChildren, noRunChildren } from './children/children-state.ts';
import type { Agent } from './core/agent.ts';
import type { Attempt } from './core/attempt.ts';
import type { RunEvent } from './core/events.ts';
import { taskOf } from './core/lookup.ts';
import type { Run, Task } from './core/run.ts';
import type { TaskSpec } from './core/spec.ts';
import { noConflicts, nothingIntegrated, notIntegrated } from './integrate/integration-state.ts';
import { emptyInbox, emptyMailbox, noRunMessages } from './messages/messages-state.ts';
import { atWork } from './parking/parking-state.ts';
import { nothingReady } from './ready/ready-state.ts';
import { noMemory } from './session/memory.ts';
import { noTurn, nothingSaid } from './session/session-state.ts';
import { noRunSpending, noTaskSpending } from './spending/spending-state.ts';
import { memberSpec } from './tasks/matrix-member.ts';
import { emptyGraph, unconnected, untried } from './tasks/tasks-state.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export function emptyRun(): Run {
  return {
    spec: null,
    seq: 0,
    state: 'running',
    outcome: null,
    createdAt: 0,
    endedAt: null,
    stopAskedBy: null,
    removedBy: null,
    pauses: { run: null, host: null },
    tasks: new Map(),
    agents: new Map(),
    spending: noRunSpending(),
    teams: new Map(),
    messages: noRunMessages(),
    children: noRunChildren(),
    asks: new Map(),
    remembered: [],
    landing: null,
    graph: emptyGraph(),
    live: new Map(),
    liveByLaunch: new Map(),
    ready: nothingReady(),
    integration: nothingIntegrated(),
    parked: new Map(),
    asksOf: new Map(),
    openAsks: new Map(),
  };
}

/** Adds a task to the graph. */
export function addTask(run: Run, event: Of<'task.added' | 'task.joined'>): void {
  const spec = event.type === 'task.added' ? event.task : specOfMember(run, event);
  assert(!run.tasks.has(spec.id), `task ${spec.id} is added once`);
  run.tasks.set(spec.id, newTask(spec, run.tasks.size));
}

function specOfMember(run: Run, { taskId, matrix, name, item }: Of<'task.joined'>): TaskSpec {
  return memberSpec(taskOf(run, matrix).spec, taskId, name, item);
}

function newTask(spec: TaskSpec, order: number): Task {
  return {
    spec,
    order,
    state: 'blocked',
    outcome: null,
    endedAt: null,
    tries: untried(),
    attempt: null,
    resumes: false,
    delay: null,
    graph: unconnected(),
    output: null,
    integration: noConflicts(),
    session: nothingSaid(),
    spending: noTaskSpending(spec.budget, spec.treeBudget),
    children: noChildren(),
    mailbox: emptyInbox(),
  };
}

export function addAgent(run: Run, { agentId: id, taskId, name }: Of<'agent.created'>): void {
  const agent: Agent = {
    id,
    taskId,
    name,
    session: null,
    spending: { metered: [], booked: [] },
    memory: noMemory(),
    briefings: {},
    mailbox: emptyMailbox(),
    spawnedAt: [],
  };
  run.agents.set(id, agent);
}

export function addAttempt(run: Run, event: Of<'attempt.started'>): void {
  const task = taskOf(run, event.taskId);
  const former = event.continues === undefined ? null : must(task.attempt, 'it goes on with one');
  const work = event.onHead === true ? null : former;
  const attempt: Attempt = {
    id: event.attemptId,
    taskId: event.taskId,
    n: event.n,
    agentId: event.agentId,
    host: event.host,
    startedAt: event.at,
    origin: {
      from: work?.workspace.commit ?? task.integration.conflict?.landing?.start ?? run.integration.head,
      since: work?.origin.since ?? event.n,
      base: work?.origin.base ?? '',
      formerPath: former?.workspace.path ?? null,
      why: event.why ?? '',
    },
    state: 'preparing',
    workspace: noWorkspace(),
    launches: notLaunched(),
    parking: atWork(event),
    spending: { reserved: null, spentBefore: {} },
    ownRecords: 0,
    turn: noTurn(),
    waits: null,
    claims: [],
    result: noResult(),
    stop: null,
    failing: {},
    integration: notIntegrated(),
  };
  task.attempt = attempt;
  run.live.set(attempt.id, attempt);
}
