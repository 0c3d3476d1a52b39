// Rules on runs and their tasks: what may follow what. Which tasks may start is in graph-rules.ts, which outcomes are true
// in outcome-rules.ts.

import { isRetriedByWord, taskAskEvent } from '../asks/ask-rules.ts';
import { attemptEvent, startAttempt } from '../attempts/attempt-rules.ts';
import { chainOf, steerTask } from '../attempts/continue-rules.ts';
import { markStop } from '../branch/branch-rules.ts';
import { landingEvent } from '../branch/landing-rules.ts';
import { checkChildrenAtRest, childrenEvent, childrenTypes } from '../children/children-rules.ts';
import { messageSent } from '../children/message-rules.ts';
import { checkAllBack, noteReopened } from '../children/resumed-children-rules.ts';
import { giveBackAll, teamEvent } from '../children/team-rules.ts';
import { checkAllReported, giveUpMessages } from '../children/undelivered-rules.ts';
import { budgetEvent } from '../spending/budget-rules.ts';
import type { CommitDoings } from '../spending/host-rules.ts';
import type { AttemptView } from '../view/attempt-view.ts';
import type { Data } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';
import { failureOf, isCurable } from './failures.ts';
import { addTask, attemptsLeft, checkGraphAtRest, checkStart, expandTask, joinTask, openTask } from './graph-rules.ts';
import { endRun, endTask } from './outcome-rules.ts';

export function runEvent(view: View, run: RunView, type: string, at: number, data: Data, doings: CommitDoings): void {
  if (type === 'run.created') return createRun(view, run, data);
  if (run.state === 'uncreated') return blame(view, 2, `${type} in ${run.id} before the run was created`);
  if (run.state === 'ended' && type !== 'run.resumed' && type !== 'landing.asked' && type !== 'run.removed') {
    blame(view, 2, `${type} in ${run.id} after it was ended`);
  }
  switch (type) {
    case 'run.stopAsked':
      view.traces.stop += 1;
      if (run.state !== 'running' && run.state !== 'landing') {
        blame(view, 2, `${run.id} was asked to stop while ${run.state}`);
      }
      run.state = 'stopping';
      run.stopped = markStop(view);
      run.stoppedBy = /^task "(.*)" failed$/.exec(data.by ?? '')?.[1] ?? null;
      return;
    case 'run.resumed':
      view.traces.resume += 1;
      if (run.state !== 'ended') blame(view, 2, `${run.id} was resumed while ${run.state}`);
      run.state = 'running';
      run.stopped = null;
      run.stoppedBy = null;
      return;
    case 'run.paused':
    case 'run.unpaused':
      return pauseRun(view, run, type, data);
    case 'run.ended':
      run.paused.clear();
      return endRun(view, run, data);
    case 'task.added':
      return addTask(view, run, data, at);
    case 'task.joined':
      return joinTask(view, run, data, at);
    case 'attempt.started': {
      const task = taskOf(view, run, data.taskId, type);
      if (task === null) return;
      checkStart(view, run, task, data);
      return startAttempt(view, task, at, data, doings);
    }
    case 'session.steered': {
      const task = taskOf(view, run, data.taskId, type);
      if (task !== null) steerTask(view, task, data);
      return;
    }
    case 'budget.set':
    case 'budget.day':
      return budgetEvent(view, run, type, at, data);
    case 'message.undelivered':
      return giveUpMessages(view, run, data);
    case 'message.sent':
      return messageSent(view, run, at, data);
    default: {
      if (childrenTypes.has(type)) return childrenEvent(view, run, type, at, data);
      if (type.startsWith('team.')) return teamEvent(view, run, type, at, data);
      if (type.startsWith('landing.')) return landingEvent(view, run, type, data);
      if (type.startsWith('ask.')) return askEvent(view, run, type, at, data, doings);
      if (!type.startsWith('task.')) return attemptEvent(view, run, type, at, data, doings);
      const task = taskOf(view, run, data.taskId, type);
      if (task !== null) taskEvent(view, task, type, at, data);
    }
  }
}

function pauseRun(view: View, run: RunView, type: string, { of = 'undefined' }: Data): void {
  if (run.paused.has(of) === (type === 'run.paused')) blame(view, 2, `${type} by ${of} in ${run.id}, which was so`);
  if (type === 'run.paused') run.paused.add(of);
  else run.paused.delete(of);
  run.wasPaused = true;
  run.budgetChanges += 1;
}

function taskEvent(view: View, task: TaskView, type: string, at: number, data: Data): void {
  task.last = type;
  switch (type) {
    case 'task.delayed':
      return delayTask(view, task, at, data);
    case 'task.due':
      return taskDue(view, task, at);
    case 'task.ended':
      giveBackAll(task);
      task.spawning.endedAt = at;
      return endTask(view, task, data);
    case 'task.reopened':
      noteReopened(view, task, data);
      return reopenTask(view, task);
    case 'task.opened':
      return openTask(view, task);
    case 'task.expanded':
      return expandTask(view, task);
    default:
      blame(view, 2, `${task.run.id} has an event ${type}, which no run has`);
  }
}

/** Each kind of ask has its rules: permissions with the attempt, budgets with what is spent, all others with their task. */
function askEvent(view: View, run: RunView, type: string, at: number, data: Data, doings: CommitDoings): void {
  const { askId = 'undefined', kind, taskId } = data;
  if (kind === 'permission' || view.permissions.has(askId)) return attemptEvent(view, run, type, at, data, doings);
  if (kind === 'budget' || [...run.told.values()].some((each) => each.askId === askId)) {
    return budgetEvent(view, run, type, at, data);
  }
  const id = taskId ?? `task_${/^ask_(.+)-q\d+$/.exec(askId)?.[1]}`;
  const task = taskOf(view, run, id, type);
  if (task !== null) taskAskEvent(view, task, type, at, data);
}

function createRun(view: View, run: RunView, { run: spec }: Data): void {
  view.traces.submit += 1;
  if (run.state !== 'uncreated') return blame(view, 2, `${run.id} was created twice`);
  if (spec?.id !== run.id) blame(view, 2, `${run.id} was created as ${spec?.id}`);
  run.state = 'running';
  run.name = spec?.name ?? '';
  run.parallelMax = spec?.limits?.parallelMax ?? 0;
  run.harnessMax = spec?.limits?.harnessMax ?? {};
  run.budget = spec?.limits?.budget ?? null;
  run.spawning.limits = spec?.limits?.children ?? {};
  run.integrates = spec?.integrates === true;
  run.integrationChecks = spec?.integration?.checks ?? null;
  run.head = spec?.repo?.base ?? '';
  run.branch = run.head;
  run.base = run.head;
  run.into = spec?.into ?? null;
}

function taskOf(view: View, run: RunView, id: string | undefined, type: string): TaskView | null {
  const task = id === undefined ? undefined : view.tasks.get(id);
  if (task?.run === run) return task;
  blame(view, 2, `${type} names ${id}, which is no task of ${run.id}`);
  return null;
}

function delayTask(view: View, task: TaskView, at: number, { delayMs: ms = 0 }: Data): void {
  const reason = failureOf(task);
  if (task.steered.length > 0 && task.state === 'attemptEnded') {
    if (task.attempt?.verdict?.kind === 'ok') keepIntegrated(task);
    if (ms > 0) blame(view, 8, `${task.id} waits ${ms} ms for nothing: its agent was spoken to`);
    if (task.run.state !== 'running') blame(view, 7, `${task.id} is to go on while its run is ${task.run.state}`);
    task.state = 'delayed';
    task.delay = { from: at, ms };
    return;
  }
  if (isRetriedByWord(task)) {
    task.forgiven = task.attempts;
    task.conflicts = 0;
    task.sentBack = 0;
    task.conflict = null;
    task.state = 'delayed';
    task.delay = { from: at, ms };
    return;
  }
  if (task.state !== 'attemptEnded' || reason === null) {
    return blame(view, 2, `${task.id} is delayed without an attempt that failed`);
  }
  if (task.run.state === 'stopping') blame(view, 7, `${task.id} is to be retried while its run is being stopped`);
  if (isStopped(task.attempt)) blame(view, 7, `${task.id} is to be retried, and a person has stopped it`);
  if (!isCurable(task, reason)) blame(view, 7, `${task.id} is to be retried after ${reason}, which no retry cures`);
  const made = task.attempts - task.forgiven;
  if (attemptsLeft(task) <= 0) blame(view, 7, `${task.id} is to be retried after ${made} attempts, all it may have`);
  const { delayMs = 0, delayMaxMs = 0 } = task.spec.retry ?? {};
  // Work that is sent back to its author continues at once.
  const full = task.attempt?.back === 'work' ? 0 : Math.min(delayMs * 2 ** (made - 1), delayMaxMs);
  if (ms < full * 0.75 - 1 || ms > full * 1.25 + (full === 0 ? 0 : 1)) {
    blame(view, 8, `${task.id} is delayed by ${ms} ms after ${made} attempts, about ${full} is right`);
  }
  task.state = 'delayed';
  task.delay = { from: at, ms };
}

function isStopped(attempt: AttemptView | null): boolean {
  return attempt !== null && (attempt.stop === 'stopped' || attempt.brokenOff !== null);
}

/** Due when its time has passed, or when the clock went back behind the beginning of the wait. */
function taskDue(view: View, task: TaskView, at: number): void {
  if (task.state !== 'delayed' || task.delay === null) return blame(view, 2, `${task.id} is due while ${task.state}`);
  const { from, ms } = task.delay;
  if (at >= from && at - from < ms) blame(view, 8, `${task.id} is due after ${at - from} of ${ms} ms`);
  task.state = 'waiting';
  task.delay = null;
}

function reopenTask(view: View, task: TaskView): void {
  if (task.state !== 'ended') return blame(view, 2, `${task.id} is reopened while ${task.state}`);
  if (task.outcome === 'succeeded' && task.steered.length === 0 && !isCountedAgain(view, task))
    blame(view, 6, `${task.id} is reopened although it has succeeded`);
  view.traces.retry += 1;
  if (task.outcome === 'succeeded') keepIntegrated(task);
  // A matrix that has its tasks waits for those of them that are done again.
  task.state = task.members.length > 0 ? 'expanded' : 'waiting';
  task.outcome = null;
  task.opened = false;
  task.forgiven = task.attempts;
  task.conflicts = 0;
  task.sentBack = 0;
  task.conflict = null;
  task.run.openTasks += 1;
  task.spawning.told = false;
}

function keepIntegrated({ attempt, integratedBefore }: TaskView): void {
  if (attempt !== null) integratedBefore.push(...chainOf(attempt));
}

/** A phase is counted again with any of what it counted. A matrix that is open with none of its tasks is found at rest. */
function isCountedAgain({ tasks }: View, { spec, members }: TaskView): boolean {
  if (spec.kind !== 'milestone') return members.length > 0;
  return (spec.needs ?? []).some((id) => tasks.get(id)?.state !== 'ended');
}

/** What must hold between two commits: no task waits without a reason. */
export function checkRunAtRest(view: View, run: RunView): void {
  const isLanding = run.landing !== null && run.landing.outcome === null;
  if (run.openTasks === 0 && run.state !== 'ended' && !isLanding) {
    blame(view, 8, `all tasks of ${run.id} are ended and the run is not`);
  }
  checkGraphAtRest(view, run);
  checkChildrenAtRest(view, run);
  checkAllReported(view, run);
  checkAllBack(view, run);
  if (run.state !== 'stopping') return;
  const { stoppedBy } = run;
  if (stoppedBy !== null && run.byName.get(stoppedBy)?.outcome !== 'failed') {
    blame(view, 8, `${run.id} is being stopped because ${stoppedBy} failed, and it has not`);
  }
  for (const task of run.tasks) {
    if (task.state === 'ended' || task.state === 'expanded') continue;
    if (task.state !== 'active') blame(view, 8, `${run.id} is being stopped and ${task.id} is still ${task.state}`);
    const { attempt } = task;
    if (attempt !== null && attempt.stop === null && attempt.verdict === null && task.state === 'active') {
      blame(view, 8, `${run.id} is being stopped and nobody stops ${attempt.id}`);
    }
  }
}
