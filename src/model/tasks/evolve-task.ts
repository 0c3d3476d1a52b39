// Folds the events of tasks: how they join the graph, become ready, are tried, and end.

import { lastAskAbout, retriedBy } from '../asks/find-asks.ts';
import type { RunEvent, TaskOutcome } from '../core/events.ts';
import { lacksEvidence } from '../core/failure.ts';
import type { TaskId } from '../core/ids.ts';
import { attemptOf, matrixOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { next, type TaskMove, taskNext } from '../core/states.ts';
import { isMet } from '../inputs/needs.ts';
import { leaveReady } from '../ready/interlock.ts';
import { enterReady, leaveDelayed } from '../ready/ready-queues.ts';
import { canGoOn } from '../session/continuing.ts';
import { lastWords } from '../session/last-words.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<
  | `task.${'added' | 'joined' | 'delayed' | 'due' | 'opened' | 'expanded' | 'ended' | 'reopened'}`
  | 'attempt.started'
  | 'attempt.ended'
  | 'ask.opened'
  | 'ask.answered'
  | 'session.steered'
  | 'landing.sentBack'
>;

export function evolveTask(run: Run, event: Concerned): void {
  if (event.type === 'attempt.ended') return noteTried(run, event);
  if (event.type === 'ask.opened') return noteAsked(run, event);
  if (event.type === 'ask.answered') {
    const retried = retriedBy(run, event);
    if (retried !== null) forgive(taskOf(run, retried), event.at);
    return;
  }
  const task = taskOf(run, event.type === 'task.added' ? event.task.id : event.taskId);
  switch (event.type) {
    case 'task.added':
    case 'task.joined':
      return joinGraph(run, task);
    case 'task.delayed':
      moveTask(run, task, 'delayed');
      task.delay = { from: event.at, ms: event.delayMs };
      return;
    case 'task.due':
      return becomeReady(run, task, 'due');
    case 'task.opened':
      run.graph.undecided.delete(task.spec.id);
      return becomeReady(run, task, 'needsMet');
    case 'task.expanded':
      run.graph.undecided.delete(task.spec.id);
      return moveTask(run, task, 'expanded');
    case 'attempt.started':
      moveTask(run, task, 'started');
      task.tries.attempts = event.n;
      task.resumes = false;
      return;
    case 'session.steered':
      return forgive(task, event.at);
    case 'landing.sentBack':
      // The attempt whose work conflicts is the first of those that conflicts allow for.
      task.tries.attemptsForgiven -= 1;
      return;
    case 'task.ended':
      return endTask(run, task, event.outcome, event.at);
    case 'task.reopened':
      task.resumes = event.resumes === true;
      return reopenTask(run, task, event.at);
  }
}

/** The queues hold the tasks that are ready or delayed, and no others. */
function moveTask(run: Run, task: Task, move: TaskMove): void {
  const before = task.state;
  task.state = next(taskNext, before, move);
  if (before === 'ready') leaveReady(run, task);
  if (before === 'delayed') leaveDelayed(run, task);
  if (task.state === 'ready') enterReady(run, task);
}

function noteAsked(run: Run, event: Of<'ask.opened'>): void {
  if ('attemptId' in event || event.kind === 'consent' || event.kind === 'budget') return;
  const task = taskOf(run, event.taskId);
  moveTask(run, task, 'asked');
  run.graph.undecided.delete(event.taskId);
}

function joinGraph(run: Run, task: Task): void {
  indexTask(run, task);
  run.graph.openTasks += 1;
  const matrix = matrixOf(run, task);
  if (matrix !== null) matrix.graph.membersOpen += 1;
  awaitNeeds(run, task);
}

/** Enters it into the run's indices. */
export function indexTask(run: Run, task: Task): void {
  const { id, name, needs } = task.spec;
  for (const need of needs) taskOf(run, need).graph.dependants.push(id);
  run.graph.taskByName.set(name, id);
  matrixOf(run, task)?.graph.members.push(id);
}

function awaitNeeds(run: Run, task: Task): void {
  task.graph.unmetNeeds = task.spec.needs.filter((need) => !isMet(task, taskOf(run, need))).length;
  if (task.graph.unmetNeeds === 0) openTask(run, task);
}

/** Whether a task whose needs have ended still has to be opened: it is a matrix, milestone or gate, or has a condition. */
export function isUndecided({ state, graph: { unmetNeeds }, spec: { kind, when, impossible } }: Task): boolean {
  return state === 'blocked' && unmetNeeds === 0 && (kind !== 'work' || when !== null || impossible !== undefined);
}

function openTask(run: Run, task: Task): void {
  if (isUndecided(task)) run.graph.undecided.set(task.spec.id, task);
  else becomeReady(run, task, 'needsMet');
}

function becomeReady(run: Run, task: Task, move: 'needsMet' | 'due'): void {
  moveTask(run, task, move);
  task.delay = null;
}

function endTask(run: Run, task: Task, outcome: TaskOutcome, at: number): void {
  const { id } = task.spec;
  moveTask(run, task, 'ended');
  task.outcome = outcome;
  task.endedAt = at;
  task.delay = null;
  if (outcome.kind === 'succeeded') task.output = outputOf(run, task);
  run.graph.openTasks -= 1;
  run.graph.undecided.delete(id);
  const matrix = matrixOf(run, task);
  if (matrix !== null) matrix.graph.membersOpen -= 1;
  for (const dependant of task.graph.dependants) needEnded(run, taskOf(run, dependant), task);
}

function needEnded(run: Run, task: Task, need: Task): void {
  if (task.state !== 'blocked' || !isMet(task, need)) return;
  task.graph.unmetNeeds -= 1;
  if (task.graph.unmetNeeds === 0) openTask(run, task);
}

/** Only needs that did not succeed are reopened: a dependant that tolerated such an end waits again. */
function needReopened(run: Run, task: Task, need: Task): void {
  if (task.state !== 'blocked' || !isMet(task, need)) return;
  task.graph.unmetNeeds += 1;
  run.graph.undecided.delete(task.spec.id);
}

function outputOf(run: Run, task: Task): Task['output'] {
  if (task.spec.kind === 'matrix') return task.graph.members.map((id: TaskId) => taskOf(run, id).output);
  if (task.spec.kind === 'gate') return lastAskAbout(run, task.spec.id)?.values ?? null;
  return task.attempt?.result.output?.value ?? null;
}

function reopenTask(run: Run, task: Task, at: number): void {
  for (const dependant of task.graph.dependants) needReopened(run, taskOf(run, dependant), task);
  moveTask(run, task, 'reopened');
  task.outcome = null;
  task.endedAt = null;
  task.output = null;
  forgive(task, at);
  run.graph.openTasks += 1;
  const matrix = matrixOf(run, task);
  if (matrix !== null) matrix.graph.membersOpen += 1;
  // A matrix that was expanded before waits for those of its tasks that run again.
  if (task.graph.members.length > 0) moveTask(run, task, 'expanded');
  else awaitNeeds(run, task);
}

/** A reopened task has all its retries again. */
function forgive(task: Task, at: number): void {
  task.tries.forgivenAt = at;
  task.tries.attemptsForgiven = task.tries.attempts;
  task.tries.sentBack = 0;
}

function noteTried(run: Run, { attemptId, verdict }: Of<'attempt.ended'>): void {
  if (verdict.kind !== 'failed') return;
  const attempt = attemptOf(run, attemptId);
  const task = taskOf(run, attempt.taskId);
  const { failure } = verdict;
  const { changed, ref, commit } = attempt.workspace;
  const said = lastWords(attempt)?.text ?? '';
  task.tries.lastFailure = failure;
  // Without a session to continue it counts as an ordinary failure.
  if (lacksEvidence(failure) && canGoOn(run, attempt)) task.tries.sentBack += 1;
  task.tries.tried = [...task.tries.tried, { n: attempt.n, failure, said, changed, ref, commit }].slice(-triedMax);
}

/** How many failed attempts the next prompt can mention. */
const triedMax = 5;
