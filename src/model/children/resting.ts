// When an agent whose turn has ended is not done: others are at work for it, a person is to answer, messages are to come, or
// its team may have something for it. It rests; its process is kept for a while, and then given up.

import { openAskAbout } from '../asks/find-asks.ts';
import type { Attempt } from '../core/attempt.ts';
import { childLimitsOf } from '../core/child-limits.ts';
import { type Command, type Decision, decided, stale } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import type { MessageId } from '../core/ids.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { waitIsOver } from '../core/timing.ts';
import { isInput } from '../messages/record-queue.ts';
import { askPause } from '../parking/parking.ts';
import { standsIn } from '../teams/membership.ts';
import type { Waits } from './awaited.ts';

/** What an agent whose turn is over goes on with later. */
export type Rest =
  /** Of a person whom it has asked. */
  | { readonly for: 'answer' }
  /** The end of tasks; `more`: those that are not named. */
  | { readonly for: 'tasks'; readonly tasks: string[]; readonly more: number; readonly mode: Waits['mode'] }
  /** What it waits for has come about; it is told soon. */
  | { readonly for: 'notification' }
  /** `sent`: they are on their way to it; otherwise it waits whether there will be any. */
  | { readonly for: 'messages'; readonly sent: boolean }
  /** Of its team. */
  | { readonly for: 'work'; readonly team: string };

/** Why an attempt whose turn is over goes on later; null = its agent is done. `taken`: messages that it has taken up by now. */
export function restOf(run: Run, attempt: Attempt, taken: readonly MessageId[] = []): Rest | null {
  const errand = errandOf(run, attempt, taken);
  if (errand !== null) return errand;
  const team = standsIn(run, taskOf(run, attempt.taskId));
  return team === null ? null : { for: 'work', team: team.name };
}

/** The same of what it has begun itself: a member of a team that has none may still be given something. */
export function errandOf(run: Run, attempt: Attempt, taken: readonly MessageId[] = []): Rest | null {
  const task = taskOf(run, attempt.taskId);
  if (openAskAbout(run, task)?.kind === 'question') return { for: 'answer' };
  if (attempt.waits !== null && attempt.waits.tasks.length > 0)
    return awaited(run, attempt.waits.tasks, attempt.waits.mode);
  if (attempt.waits !== null && attempt.waits.until !== null) return { for: 'messages', sent: false };
  if (task.children.open > 0) return awaited(run, task.children.ids);
  if (
    task.children.ids.some((id) => run.children.untold.has(id)) ||
    task.mailbox.inbox.some(({ id }) => !taken.includes(id))
  )
    return { for: 'messages', sent: true };
  return null;
}

function awaited(run: Run, ids: readonly Task['spec']['id'][], mode: Waits['mode'] = 'all'): Rest {
  const open = ids.map((id) => taskOf(run, id)).filter(({ state }) => state !== 'ended');
  if (open.length === 0) return { for: 'notification' };
  const tasks = open.slice(0, namesShown).map(({ spec }) => spec.name);
  return { for: 'tasks', tasks, more: open.length - tasks.length, mode };
}

const namesShown = 5;

/** As agents are told, and as it is recorded. */
export function restWords(rest: Rest): string {
  switch (rest.for) {
    case 'answer':
      return 'a person, whom its agent has asked';
    case 'tasks': {
      const any = rest.mode === 'any' && rest.tasks.length + rest.more > 1 ? 'any of ' : '';
      return `the end of ${any}${rest.tasks.join(', ')}${rest.more > 0 ? ` and ${rest.more} more` : ''}`;
    }
    case 'notification':
      return 'to be told what has come about';
    case 'messages':
      return rest.sent ? 'messages that are on their way to it' : 'messages, for which its agent waits';
    case 'work':
      return `work of team "${rest.team}"`;
  }
}

/** It has ended its turn well, rests, and nobody has said anything to it. */
export function isResting(run: Run, attempt: Attempt): boolean {
  const { state, stop, turn } = attempt;
  if (state !== 'running' || stop !== null || turn?.kind !== 'ok') return false;
  return !agentOf(run, attempt.agentId).mailbox.records.some(isInput) && restOf(run, attempt) !== null;
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
  const rest = restOf(run, attempt);
  return askPause(attempt, { kind: 'waits', detail: rest === null ? 'to go on' : restWords(rest) });
}

/** Those that have rested long enough. */
export function decideResting(run: Run, now: number): RunEventBody[] {
  return restingIn(run).flatMap((attempt) => {
    const { from, ms } = restEndsAt(run, attempt);
    return waitIsOver(now, from, ms) ? giveUp(run, attempt) : [];
  });
}
