// Folds the events of tasks: how they join the graph, become ready, and settle.

import { assert } from '../../std/assert.ts';
import { forgive } from '../asks/evolve-question.ts';
import type { RunEvent, TaskOutcome } from '../core/events.ts';
import type { TaskId } from '../core/ids.ts';
import { askerOf, matrixOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { next, taskNext } from '../core/states.ts';
import { newTask } from '../core/task.ts';
import { isMet } from '../inputs/needs.ts';
import { hasUnread } from '../messages/undelivered.ts';
import { letPass } from '../ready/interlock.ts';
import { pushReady, readyEntry } from '../ready/ready-queues.ts';
import { forgetAsked, giveBackAll } from '../teams/evolve-team.ts';
import { memberSpec } from './matrix-member.ts';

type TaskEvent = Extract<RunEvent, { type: `task.${string}` }>;

export function evolveTask(run: Run, event: TaskEvent): void {
  if (event.type === 'task.added') return addTask(run, event.task);
  if (event.type === 'task.joined') {
    const { taskId, matrix, name, item } = event;
    return addTask(run, memberSpec(taskOf(run, matrix).spec, taskId, name, item));
  }
  const task = taskOf(run, event.taskId);
  switch (event.type) {
    case 'task.delayed':
      task.state = next(taskNext, task.state, 'delayed');
      task.delay = { from: event.at, ms: event.delayMs };
      run.delayed.push({ task, dueAt: event.at + event.delayMs });
      return;
    case 'task.due':
      return becomeReady(run, task, 'due');
    case 'task.opened':
      run.undecided.delete(task.spec.id);
      return becomeReady(run, task, 'needsMet');
    case 'task.expanded':
      run.undecided.delete(task.spec.id);
      task.state = next(taskNext, task.state, 'expanded');
      return;
    case 'task.ended':
      return endTask(run, task, event.outcome, event.at);
    case 'task.reopened':
      task.resumes = event.resumes === true;
      return reopenTask(run, task, event.at);
  }
}

function addTask(run: Run, spec: TaskSpec): void {
  assert(!run.tasks.has(spec.id), `task ${spec.id} is added once`);
  const task = newTask(spec, run.tasks.size);
  run.tasks.set(spec.id, task);
  indexTask(run, task);
  run.openTasks += 1;
  run.budgeted ||= spec.budget !== null || spec.treeBudget !== null;
  const matrix = matrixOf(run, task);
  if (matrix !== null) matrix.membersOpen += 1;
  const asker = askerOf(run, task);
  if (asker !== null) {
    asker.childrenOpen += 1;
    run.agentsAsked += 1;
  }
  awaitNeeds(run, task);
}

/** What others know of it. */
export function indexTask(run: Run, task: Task): void {
  const { id, name, needs } = task.spec;
  for (const need of needs) taskOf(run, need).dependants.push(id);
  run.taskByName.set(name, id);
  matrixOf(run, task)?.members.push(id);
  askerOf(run, task)?.children.push(id);
}

function awaitNeeds(run: Run, task: Task): void {
  task.unmetNeeds = task.spec.needs.filter((need) => !isMet(task, taskOf(run, need))).length;
  if (task.unmetNeeds === 0) openTask(run, task);
}

/** Whether it still has to be decided what becomes of a task whose needs have ended: there is more to it than work. */
export function isUndecided({ state, unmetNeeds, spec: { kind, when, impossible } }: Task): boolean {
  return state === 'blocked' && unmetNeeds === 0 && (kind !== 'work' || when !== null || impossible !== undefined);
}

function openTask(run: Run, task: Task): void {
  if (isUndecided(task)) run.undecided.set(task.spec.id, task);
  else becomeReady(run, task, 'needsMet');
}

function becomeReady(run: Run, task: Task, move: 'needsMet' | 'due'): void {
  task.state = next(taskNext, task.state, move);
  task.delay = null;
  pushReady(run, readyEntry(task));
}

function endTask(run: Run, task: Task, outcome: TaskOutcome, at: number): void {
  const { id } = task.spec;
  task.state = next(taskNext, task.state, 'ended');
  task.outcome = outcome;
  task.endedAt = at;
  task.steered = [];
  task.delay = null;
  if (outcome.kind === 'succeeded') task.output = outputOf(run, task);
  run.openTasks -= 1;
  run.waiting.delete(id);
  run.undecided.delete(id);
  giveBackAll(run, id);
  letPass(run, task);
  const matrix = matrixOf(run, task);
  if (matrix !== null) matrix.membersOpen -= 1;
  const asker = askerOf(run, task);
  if (asker !== null) asker.childrenOpen -= 1;
  if (isUntold(run, task)) run.untold.set(id, task);
  if (hasUnread(task)) run.unread.set(id, task);
  for (const child of task.children) run.untold.delete(child);
  for (const dependant of task.dependants) needEnded(run, taskOf(run, dependant), task);
}

function needEnded(run: Run, task: Task, need: Task): void {
  if (task.state !== 'blocked' || !isMet(task, need)) return;
  task.unmetNeeds -= 1;
  if (task.unmetNeeds === 0) openTask(run, task);
}

/** Only a need that did not succeed is done again: whoever was content with that has to wait once more. */
function needReopened(run: Run, task: Task, need: Task): void {
  if (task.state !== 'blocked' || !isMet(task, need)) return;
  task.unmetNeeds += 1;
  run.undecided.delete(task.spec.id);
}

/** Whether whoever asked for it is still to be told how it ended. */
export function isUntold(run: Run, task: Task): boolean {
  const asker = askerOf(run, task);
  return task.state === 'ended' && !task.told && asker !== null && asker.state !== 'ended';
}

function outputOf(run: Run, task: Task): Task['output'] {
  if (task.spec.kind === 'matrix') return task.members.map((id: TaskId) => taskOf(run, id).output);
  if (task.spec.kind === 'gate') return task.question?.values ?? null;
  return task.attempt?.output?.value ?? null;
}

function reopenTask(run: Run, task: Task, at: number): void {
  for (const dependant of task.dependants) needReopened(run, taskOf(run, dependant), task);
  task.state = next(taskNext, task.state, 'reopened');
  task.outcome = null;
  task.endedAt = null;
  task.output = null;
  forgive(task, at);
  run.openTasks += 1;
  const matrix = matrixOf(run, task);
  if (matrix !== null) matrix.membersOpen += 1;
  const asker = askerOf(run, task);
  if (asker !== null) asker.childrenOpen += 1;
  task.told = false;
  forgetAsked(run, task);
  for (const child of task.children) if (isUntold(run, taskOf(run, child))) run.untold.set(child, taskOf(run, child));
  run.untold.delete(task.spec.id);
  run.unread.delete(task.spec.id);
  // Its tasks are there already: it waits for those of them that are done again.
  if (task.members.length > 0) task.state = next(taskNext, task.state, 'expanded');
  else awaitNeeds(run, task);
}
