// When an attempt has to wait without process and slot, why, and what its agent reads when it continues.

import { isAsking } from '../asks/asks-alone.ts';
import { askStop } from '../attempt/stopping.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { serviceLimitOf } from '../core/failure.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import { pauseOf } from '../core/pause.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { isInput } from '../messages/record-queue.ts';
import type { AgentFact, Turn } from '../session/agent-fact.ts';
import { type Shortage, shortageFor } from '../spending/allowance.ts';
import { shortageWords } from '../spending/budget-words.ts';
import { journalled } from '../spending/underway.ts';
import type { ParkReason } from './admission.ts';

/** After this many refusals without an answer in between, the attempt fails instead of waiting again. */
const limitsMax = 20;

/** Why an attempt continues later after a turn that ended like this; null = the turn has really ended. */
export function pauseAfter(run: Run, attempt: Attempt, turn: Turn | null): ParkReason | null {
  if (attempt.parking.brake !== null) return attempt.parking.brake;
  if (turn?.kind !== 'failed' || run.state === 'stopping') return null;
  const { reason, detail } = turn.failure;
  if (serviceLimitOf(reason) === undefined || refusedBefore(attempt) >= limitsMax) return null;
  const { onQuota } = taskOf(run, attempt.taskId).spec;
  return reason === 'quota' && onQuota === 'stop' ? null : { kind: 'quota', detail };
}

/**
 * Why an attempt parks when its service asks it to retry later; null = it may wait with its process. Otherwise all agents that
 * got the same time would retry at once. An exhausted account ends the turn by itself.
 */
export function pauseInRetry(run: Run, attempt: Attempt, facts: readonly AgentFact[], now: number): ParkReason | null {
  const last = facts.findLast(({ kind }) => kind === 'limited' || kind === 'answered');
  if (last?.kind !== 'limited' || last.limit === 'quota' || last.untilMs === null) return null;
  if (last.untilMs - now <= retryMaxMs || run.state === 'stopping' || refusedBefore(attempt) >= limitsMax) return null;
  return { kind: 'quota', detail: 'the service told when it is to be asked again' };
}

/** For a shorter wait, a new process would cost more than keeping this one. */
const retryMaxMs = 5_000;

/** Without the present process, which may have been counted already. */
function refusedBefore({ parking: { limits, refused } }: Attempt): number {
  return refused ? limits - 1 : limits;
}

/**
 * Marks the account as limited after a turn that ended by a limit which the agent did not report: otherwise the next attempt
 * would try at once.
 */
export function limitAfter(attempt: Attempt, turn: Turn | null): RunEventBody[] {
  const limit = turn?.kind === 'failed' ? serviceLimitOf(turn.failure.reason) : undefined;
  return limit === undefined ? [] : [{ type: 'attempt.limited', attemptId: attempt.id, limit, untilMs: null }];
}

/** Why an attempt may make no further request; null = it may. */
export function pauseBefore(run: Run, attempt: Attempt, now: number, meteredOf = journalled): ParkReason | null {
  const shortage = shortageFor(run, taskOf(run, attempt.taskId), now, meteredOf);
  return shortage === null ? null : reasonOf(run, shortage);
}

function reasonOf(run: Run, shortage: Shortage): ParkReason {
  return { kind: shortage.of === 'pause' ? 'pause' : 'budget', detail: wordsOf(run, shortage) };
}

/** Why an attempt may not launch now although it has a slot: its first process, or one after a loss. */
export function pauseAtLaunch(run: Run, attempt: Attempt, now: number): ParkReason | null {
  const { closed } = attempt.parking;
  return pauseBefore(run, attempt, now) ?? (closed === null ? null : { kind: 'quota', detail: closed });
}

/** Ends the process of an attempt, so that it parks. */
export function askPause(attempt: Attempt, why: ParkReason, toldBefore = 0): RunEventBody[] {
  const stop = askStop(attempt, 'parked', why.detail, toldBefore);
  if (stop.length === 0) return [];
  return attempt.parking.brake === null ? [{ type: 'attempt.braked', attemptId: attempt.id, why }, ...stop] : stop;
}

/**
 * Attempts that would start or continue a turn without budget. Unwritten records wait, so that no turn can start. `shortages`:
 * of every task at work.
 */
export function dueForPause(
  run: Run,
  shortages: ReadonlyMap<Task, Shortage | null>,
): { readonly attempt: Attempt; readonly why: ParkReason }[] {
  const due: { attempt: Attempt; why: ParkReason }[] = [];
  for (const attempt of run.live.values()) {
    if (attempt.state !== 'running' || attempt.stop !== null) continue;
    const shortage = shortages.get(taskOf(run, attempt.taskId)) ?? null;
    if (shortage === null) continue;
    const atOnce =
      shortage.of === 'day' ? run.spending.dayTimed : shortage.of === 'scope' && shortage.what === 'timeMs';
    if (atOnce || waitsForTurn(run, attempt)) due.push({ attempt, why: reasonOf(run, shortage) });
  }
  return due;
}

/** Whether input records have to wait: they would start a turn, now or after the present one. */
export function holdsInput(run: Run, attempt: Attempt, now: number): boolean {
  return hasBudgets(run) && shortageFor(run, taskOf(run, attempt.taskId), now) !== null;
}

export function hasBudgets(run: Run): boolean {
  return (
    pauseOf(run) !== null || run.spending.dayExhausted !== null || run.spending.budget !== null || run.spending.budgeted
  );
}

function waitsForTurn(run: Run, attempt: Attempt): boolean {
  return isBetweenTurns(attempt) && agentOf(run, attempt.agentId).mailbox.records.some(isInput);
}

/** It has no process, or no record was written to it yet, or its turn has ended. */
export function isBetweenTurns(attempt: Attempt): boolean {
  const {
    launches: { current: launch },
    turn: { ended: turn },
    parking: { parked },
  } = attempt;
  return (parked !== null && !isAsking(attempt)) || turn !== null || launch === null || launch.written === 0;
}

export function wordsOf(run: Run, shortage: Shortage): string {
  if (shortage.of !== 'scope') return shortage.detail;
  const { scope } = shortage;
  const name = scope.of === 'run' ? 'the run' : `"${taskOf(run, scope.taskId).spec.name}"`;
  return shortageWords(scope.of === 'tree' ? `all of ${name}` : name, shortage);
}

export function noteOnReturn(why: ParkReason, { name }: TaskSpec): string {
  return `${returnWords(why)} Go on with your task "${name}" where you were. What you had begun is as you left it.`;
}

function returnWords({ kind }: ParkReason): string {
  if (kind === 'budget') return 'You were paused because a budget was used up; there is more now.';
  if (kind === 'pause') return 'A person paused you, and lets you go on now.';
  return 'You were paused because the model was not available; it is again.';
}
