// When an agent whose turn has ended is not done: others are at work for it, a person is to answer, messages are to come, or
// its team may have something for it. It rests; its process is kept for a while, and then given up.

import { openQuestion } from '../asks/asking.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { type Command, type Decision, decided, stale } from '../command.ts';
import type { RunEventBody } from '../events.ts';
import type { MessageId } from '../ids.ts';
import { agentOf, taskOf } from '../lookup.ts';
import { isInput } from '../messages/record-queue.ts';
import type { Run, Task } from '../run.ts';
import { askPause } from '../spending/parking.ts';
import { standsIn } from '../teams/membership.ts';
import { waitIsOver } from '../timing.ts';
import type { Waits } from './awaited.ts';
import { childLimitsOf } from './child-limits.ts';

/** Why an attempt whose turn is over goes on later; null = its agent is done. `taken`: messages that it has taken up by now. */
export function restReason(run: Run, attempt: Attempt, taken: readonly MessageId[] = []): string | null {
  const errand = errandReason(run, attempt, taken);
  if (errand !== null) return errand;
  const team = standsIn(run, taskOf(run, attempt.taskId));
  return team === null ? null : `work of team "${team.name}"`;
}

/** The same of what it has begun itself: a member of a team that has none may still be given something. */
export function errandReason(run: Run, attempt: Attempt, taken: readonly MessageId[] = []): string | null {
  const task = taskOf(run, attempt.taskId);
  if (openQuestion(task)?.topic === 'agent') return 'a person, whom its agent has asked';
  if (attempt.waits !== null && attempt.waits.tasks.length > 0)
    return awaitedWords(run, attempt.waits.tasks, attempt.waits.mode);
  if (attempt.waits !== null && attempt.waits.until !== null) return 'messages, for which its agent waits';
  if (task.childrenOpen > 0) return awaitedWords(run, task.children);
  if (task.children.some((id) => run.untold.has(id)) || task.inbox.some(({ id }) => !taken.includes(id)))
    return 'messages that are on their way to it';
  return null;
}

function awaitedWords(run: Run, ids: readonly Task['spec']['id'][], mode: Waits['mode'] = 'all'): string {
  const open = ids.map((id) => taskOf(run, id)).filter(({ state }) => state !== 'ended');
  const names = open.slice(0, namesShown).map(({ spec }) => spec.name);
  const more = open.length > namesShown ? ` and ${open.length - namesShown} more` : '';
  if (open.length === 0) return 'to be told what has come about';
  return `the end of ${mode === 'any' && open.length > 1 ? 'any of ' : ''}${names.join(', ')}${more}`;
}

const namesShown = 5;

/** It has ended its turn well, rests, and nobody has said anything to it. */
export function isResting(run: Run, attempt: Attempt): boolean {
  const { state, stop, turn } = attempt;
  if (state !== 'running' || stop !== null || turn?.kind !== 'ok') return false;
  return !agentOf(run, attempt.agentId).records.some(isInput) && restReason(run, attempt) !== null;
}

/** A claim ends with the turn: an agent that rests, or goes on later, might wait for those that wait for its paths. */
export function giveBack({ id, claims }: Attempt): RunEventBody[] {
  return claims.length === 0 ? [] : [{ type: 'paths.claimed', attemptId: id, paths: [] }];
}

/** Those that may be given up at any time, the one that rests longest first. */
export function restingIn(run: Run): Attempt[] {
  return [...run.live.values()].filter((attempt) => isResting(run, attempt)).sort((a, b) => a.idleSince - b.idleSince);
}

/** When the process of one that rests is given up. */
export function restEndsAt(run: Run, { idleSince }: Attempt): { readonly from: number; readonly ms: number } {
  return { from: idleSince, ms: childLimitsOf(run).idleMs };
}

export function decideGiveUp(run: Run, { attemptId }: Extract<Command, { type: 'giveUp' }>): Decision {
  const attempt = run.live.get(attemptId);
  return attempt !== undefined && isResting(run, attempt) ? decided(giveUp(run, attempt)) : stale(attemptId);
}

function giveUp(run: Run, attempt: Attempt): RunEventBody[] {
  return askPause(attempt, { kind: 'waits', detail: restReason(run, attempt) ?? 'to go on' });
}

/** Those that have rested long enough. */
export function decideResting(run: Run, now: number): RunEventBody[] {
  return restingIn(run).flatMap((attempt) => {
    const { from, ms } = restEndsAt(run, attempt);
    return waitIsOver(now, from, ms) ? giveUp(run, attempt) : [];
  });
}
