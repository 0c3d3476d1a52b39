// What follows when an attempt ends: another attempt, or the task's outcome and its effects on dependants. One command can end
// many tasks; `Consequences` collects their events as if each had been folded already.

import { openAskAbout } from '../asks/find-asks.ts';
import { askAboutFailure, waitsForAnswer, withdraw, withdrawFor } from '../asks/open-ask.ts';
import { askStop, liveAttempt, stopForGood } from '../attempt/stopping.ts';
import type { Attempt } from '../core/attempt.ts';
import { matrixOutcome, runOutcome } from '../core/combined-outcome.ts';
import type { RunEventBody, RunOutcome, TaskOutcome, Verdict } from '../core/events.ts';
import { type Failure, isCuredByRetry, lacksEvidence } from '../core/failure.ts';
import type { TaskId } from '../core/ids.ts';
import { askerOf, matrixOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { retryDelay } from '../core/timing.ts';
import { suffices } from '../inputs/needs.ts';
import type { Landing } from '../land/landing.ts';
import { askLanding, landingWanted } from '../land/landing-due.ts';
import { canGoOn } from '../session/continuing.ts';

export interface Consequences {
  readonly events: RunEventBody[];
  /** Outcomes decided by `events` and not folded yet. */
  readonly ended: Map<TaskId, TaskOutcome>;
  /** How many of them belong to each matrix. */
  readonly ofMatrix: Map<TaskId, number>;
  /** The task whose failure stops the run, if `events` say so. */
  stopper: TaskId | null;
}

export function noConsequences(...events: RunEventBody[]): Consequences {
  return { events, ended: new Map(), ofMatrix: new Map(), stopper: null };
}

/** Ends an attempt with its verdict, with all consequences for its task and run. */
export function endAttempt(run: Run, attempt: Attempt, verdict: Verdict, commit: string, all: Consequences): void {
  all.events.push({ type: 'attempt.ended', attemptId: attempt.id, verdict });
  const task = taskOf(run, attempt.taskId);
  if (openAskAbout(run, task)?.kind === 'question')
    all.events.push(...withdraw(run, task, 'the agent that asked has ended'));
  // A message for its agent is waiting.
  if (task.session.steered.length > 0 && run.state === 'running' && all.stopper === null) {
    all.events.push({ type: 'task.delayed', taskId: task.spec.id, delayMs: 0 });
    return;
  }
  if (verdict.kind === 'ok') return endTask(run, task, { kind: 'succeeded', commit }, all);
  const { failure } = verdict;
  if (failure.reason === 'stopped' || run.state === 'stopping' || all.stopper !== null) {
    return endTask(run, task, { kind: 'stopped' }, all);
  }
  const sentBack = isSentBack(run, task, attempt, failure);
  if (isOrphan(run, task, all) || (!sentBack && !mayTryAgain(task, failure))) return failTask(run, task, failure, all);
  const { attempts, attemptsForgiven } = task.tries;
  const delayMs = sentBack ? 0 : retryDelay(task.spec.retry, attempts - attemptsForgiven, attempt.id);
  all.events.push({ type: 'task.delayed', taskId: task.spec.id, delayMs });
}

/** Sent back: the author is told what is missing and goes on at once. Send-backs do not use up retries. */
function isSentBack(run: Run, { spec, tries: { sentBack } }: Task, attempt: Attempt, failure: Failure): boolean {
  const { sendBacksMax = 0 } = spec.retry;
  return lacksEvidence(failure) && sentBack < sendBacksMax && spec.keeps && canGoOn(run, attempt);
}

/** A conflict with integrated work has a limit of its own and does not use up retries. */
function mayTryAgain(task: Task, failure: Failure): boolean {
  const { attemptsMax, conflictsMax, sendBacksMax = 0 } = task.spec.retry;
  // This failure's own conflict is not folded yet.
  const conflicts = task.integration.conflicts + (failure.reason === 'conflict' ? 1 : 0);
  if (failure.reason === 'conflict' && conflicts <= conflictsMax) return true;
  const beyond = Math.min(conflicts, conflictsMax) + Math.min(task.tries.sentBack, sendBacksMax);
  const made = task.tries.attempts - task.tries.attemptsForgiven - beyond;
  // Without waiting for the quota, a retry would only meet it again.
  if (failure.reason === 'quota' && task.spec.onQuota === 'stop') return false;
  return isCuredByRetry(failure.reason) && made < attemptsMax;
}

/** A final failure: it may stop the run, or a person decides what follows. */
export function failTask(run: Run, task: Task, failure: Failure, all: Consequences): void {
  const { onFailure, onConflict, kind } = task.spec;
  // A person has just decided a gate: do not ask again.
  const asks = onFailure === 'ask' || (failure.reason === 'conflict' && onConflict === 'ask');
  if (asks && kind !== 'gate') all.events.push(askAboutFailure(run, task, failure));
  else failTaskAs(run, task, failure, onFailure === 'stop' ? 'stop' : 'skip', all);
}

export function failTaskAs(run: Run, task: Task, failure: Failure, how: 'skip' | 'stop', all: Consequences): void {
  if (how === 'stop') stopOthers(run, task, all);
  endTask(run, task, { kind: 'failed', failure }, all);
}

/** Stops everything else in the run. */
function stopOthers(run: Run, task: Task, all: Consequences): void {
  const detail = `task "${task.spec.name}" failed`;
  all.stopper = task.spec.id;
  all.events.push({ type: 'run.stopAsked', by: detail });
  for (const other of run.live.values()) {
    if (other.taskId === task.spec.id) continue;
    all.events.push(...withdrawFor(run, other, 'it is stopped'), ...askStop(other, 'stopped', detail));
  }
  for (const other of run.tasks.values()) {
    if (other !== task) stopWaiting(run, other, all);
  }
}

/** A task without a running attempt ends at once. */
export function stopWaiting(run: Run, task: Task, all: Consequences): void {
  if (task.state === 'ended' || all.ended.has(task.spec.id)) return;
  if (task.state === 'active' && !waitsForAnswer(run, task)) return;
  all.events.push(...withdraw(run, task, 'it is stopped'));
  endTask(run, task, { kind: 'stopped' }, all);
}

/**
 * Ends a task; skips or omits dependants that can no longer run; ends its matrix if it was the last, and the run with its last
 * task.
 */
export function endTask(run: Run, task: Task, outcome: TaskOutcome, all: Consequences): void {
  endOne(run, task, outcome, all);
  if (run.graph.openTasks === all.ended.size) {
    const outcomeOf = (each: Task): TaskOutcome | null => all.ended.get(each.spec.id) ?? each.outcome;
    all.events.push(endOrLand(run, runOutcome(run, outcomeOf, all.stopper), outcomeOf, all));
  }
}

/** With its last task a run ends, or begins to land in the branch that was named for it. */
function endOrLand(
  run: Run,
  outcome: RunOutcome,
  outcomeOf: (task: Task) => TaskOutcome | null,
  all: Consequences,
): RunEventBody {
  const again = resolvedLanding(run, outcomeOf);
  if (again !== null && run.state === 'running') return askLanding(run, again, again.by, again.rounds + 1);
  const ask = outcome === 'succeeded' ? (again ?? landingWanted(run, all.events)) : null;
  if (ask === null) return { type: 'run.ended', outcome };
  if (run.state === 'stopping') return { type: 'run.ended', outcome: 'stopped' };
  return askLanding(run, ask, 'signalbox');
}

/** The landing whose conflict with the user's branch its author has resolved; null = there is none. */
function resolvedLanding(run: Run, outcomeOf: (task: Task) => TaskOutcome | null): Landing | null {
  const { landing } = run;
  if (landing?.outcome?.kind !== 'conflict' || landing.outcome.author === undefined) return null;
  return outcomeOf(taskOf(run, landing.outcome.author))?.kind === 'succeeded' ? landing : null;
}

function endOne(run: Run, first: Task, outcome: TaskOutcome, all: Consequences): void {
  const toEnd: { task: Task; outcome: TaskOutcome }[] = [{ task: first, outcome }];
  // The list grows while it is walked.
  for (const { task, outcome } of toEnd) {
    if (task.state === 'ended' || all.ended.has(task.spec.id)) continue;
    all.ended.set(task.spec.id, outcome);
    all.events.push({ type: 'task.ended', taskId: task.spec.id, outcome });
    const matrix = matrixOf(run, task);
    if (matrix !== null && isLastOf(matrix, all)) {
      const outcomeOf = (id: TaskId): TaskOutcome | null => all.ended.get(id) ?? taskOf(run, id).outcome;
      toEnd.push({ task: matrix, outcome: matrixOutcome(run, matrix, outcomeOf) });
    }
    stopChildren(run, task, toEnd, all);
    for (const dependant of task.graph.dependants.map((id) => taskOf(run, id))) {
      if (suffices(dependant, task, outcome)) continue;
      toEnd.push({ task: dependant, outcome: withoutNeed(task, outcome) });
    }
  }
}

/** Their parent has ended, so nobody needs their results. */
function stopChildren(run: Run, task: Task, toEnd: { task: Task; outcome: TaskOutcome }[], all: Consequences): void {
  if (task.children.open === 0) return;
  for (const child of task.children.ids.map((id) => taskOf(run, id))) {
    if (child.state === 'ended' || all.ended.has(child.spec.id)) continue;
    const attempt = liveAttempt(run, child);
    if (attempt !== null && isToStop(all, attempt)) continue;
    all.events.push(...withdraw(run, child, 'its parent has ended'));
    if (attempt === null) toEnd.push({ task: child, outcome: { kind: 'stopped' } });
    else all.events.push(...stopForGood(run, attempt, child, `"${task.spec.name}" has ended, its parent`));
  }
}

/** Its parent has ended, so it is not retried. */
function isOrphan(run: Run, task: Task, { ended }: Consequences): boolean {
  const asker = askerOf(run, task);
  return asker !== null && (asker.state === 'ended' || ended.has(asker.spec.id));
}

/** Whether `events` already ask it to stop. */
export function isToStop({ events }: Consequences, { id }: Attempt): boolean {
  return events.some((event) => event.type === 'stop.asked' && event.attemptId === id);
}

/** Dependants of an omitted task are omitted too, which is no failure. */
function withoutNeed({ spec: { id } }: Task, outcome: TaskOutcome): TaskOutcome {
  return outcome.kind === 'omitted' ? { kind: 'omitted', because: id } : { kind: 'skipped', because: id };
}

function isLastOf({ spec: { id }, graph: { membersOpen } }: Task, all: Consequences): boolean {
  const ended = (all.ofMatrix.get(id) ?? 0) + 1;
  all.ofMatrix.set(id, ended);
  return ended === membersOpen;
}
