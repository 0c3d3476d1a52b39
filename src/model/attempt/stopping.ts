// How an attempt is stopped: first by a message, then TERM, then KILL, each with its grace. The rung that is due follows from
// the journal and the time alone, so a restart in the middle of the ladder continues there.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody, Rung, StopReason } from '../core/events.ts';
import { type Failure, finalStops, isFailure, killedAtOnce } from '../core/failure.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { killGraceMs, killRepeatMs, termGraceMs } from '../core/timing.ts';
import { ownRecord } from '../messages/own-record.ts';
import type { Launch } from './attempt-state.ts';
import { needsProof } from './verdict.ts';

/** The attempt has a reason to stop, or its work is over and is being saved and proved. */
export function isEnding(attempt: Attempt): boolean {
  return attempt.stop !== null || isOver(attempt);
}

/** The attempt in which a task's agent works or rests. */
export function liveAttempt(run: Run, { attempt }: Task): Attempt | null {
  return attempt !== null && run.live.has(attempt.id) ? attempt : null;
}

/** The agent will do no more: the work is being saved, proved or integrated. */
export function isOver({ state }: Attempt): boolean {
  return state === 'saving' || state === 'proving' || state === 'integrating';
}

/** Why to break off what happens before or after the agent's work: setup, evidence, integration. */
export function breakOffReason(run: Run, { state, stop }: Attempt): Failure | null {
  if (state === 'resting' || state === 'launching' || state === 'running' || state === 'ended') return null;
  if (stop !== null && isFailure(stop.reason)) return { reason: stop.reason, detail: stop.detail };
  return run.state === 'stopping' ? { reason: 'stopped', detail: 'the run was stopped' } : null;
}

/**
 * Only two later reasons replace an earlier one after which the attempt would continue: a person's stop, and work that cannot
 * be verified.
 */
export function yieldsTo(former: StopReason, reason: StopReason): boolean {
  return finalStops.has(reason) && (!isFailure(former) || former === 'stall');
}

/**
 * The first reason wins: an attempt that is already stopping gives no events. `toldBefore` counts the records of ours that the
 * same decision has queued already.
 */
export function askStop(attempt: Attempt, reason: StopReason, detail: string, toldBefore = 0): RunEventBody[] {
  // A stopping agent may continue afterwards: in a fresh session, with a fixed output, or with later input records. A person's
  // stop ends that too.
  const mayGoOn = attempt.stop !== null && !isOver(attempt) && yieldsTo(attempt.stop.reason, 'stopped');
  if (mayGoOn && reason === 'stopped') return [{ type: 'stop.asked', attemptId: attempt.id, reason, detail }];
  if (isEnding(attempt)) return [];
  const events: RunEventBody[] = [{ type: 'stop.asked', attemptId: attempt.id, reason, detail }];
  if (!killedAtOnce.has(reason) && (attempt.state === 'launching' || attempt.state === 'running')) {
    const done = reason === 'finished' || (reason === 'parked' && attempt.turn.ended !== null);
    const words = done ? (['end'] as const) : (['interrupt', 'end'] as const);
    words.forEach((kind, i) => events.push(ownRecord(attempt, { kind }, toldBefore + i)));
  }
  if (attempt.state === 'resting' && isFailure(reason)) {
    events.push({
      type: 'attempt.finished',
      attemptId: attempt.id,
      verdict: { kind: 'failed', failure: { reason, detail } },
    });
  }
  return events;
}

/** Also stops an attempt whose work is being proved or integrated; no events if it is stopping already. */
export function stopForGood(run: Run, attempt: Attempt, { spec }: Task, detail: string): RunEventBody[] {
  if (!canBreakOff(run, attempt, spec)) return askStop(attempt, 'stopped', detail);
  return [{ type: 'stop.asked', attemptId: attempt.id, reason: 'stopped', detail }];
}

/** The checks and the integration that follow finished work go on only while they are still wanted. */
function canBreakOff(run: Run, attempt: Attempt, spec: TaskSpec): boolean {
  const {
    state,
    stop,
    result: { verdict },
  } = attempt;
  if (stop !== null && stop.reason !== 'finished') return false;
  if (state === 'integrating') return true;
  const more = needsProof(spec) || (run.spec?.integrates === true && spec.keeps);
  return (state === 'saving' || state === 'proving') && verdict?.kind === 'ok' && more;
}

/** The next rung and the time at which it is due. */
export function nextRung(launch: Launch, stop: NonNullable<Attempt['stop']>): { rung: Rung; from: number; ms: number } {
  const { signalled } = launch;
  if (signalled === null) {
    if (killedAtOnce.has(stop.reason)) return { rung: 'kill', from: stop.at, ms: 0 };
    return { rung: 'term', from: Math.max(stop.at, launch.startedAt ?? stop.at), ms: termGraceMs };
  }
  return { rung: 'kill', from: signalled.at, ms: signalled.rung === 'term' ? killGraceMs : killRepeatMs };
}

/** Whether its agent can still be given something, now or later. */
export function isAtWork(run: Run, task: Task): boolean {
  const attempt = liveAttempt(run, task);
  if (task.state === 'ended' || attempt === null) return task.state !== 'ended';
  return !isOver(attempt) && (attempt.stop === null || !isFailure(attempt.stop.reason));
}
