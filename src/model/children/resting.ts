// When an agent whose turn has ended is not done: its children are working, a person has to answer, messages are on their way,
// or its team may have work for it. Such an agent rests: its process is kept for a while and then ended.

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

/** What a resting agent will go on with. */
export type Rest =
  /** A person's answer. */
  | { readonly for: 'answer' }
  /** The end of tasks; `more`: how many are not named. */
  | { readonly for: 'tasks'; readonly tasks: string[]; readonly more: number; readonly mode: Waits['mode'] }
  /** What it waits for has happened; its notification follows. */
  | { readonly for: 'notification' }
  /** `sent`: messages are on their way to it; otherwise it waits for any message. */
  | { readonly for: 'messages'; readonly sent: boolean }
  /** Work of its team. */
  | { readonly for: 'work'; readonly team: string };

/** Why an attempt whose turn has ended will go on; null = its agent is done. `taken`: messages that it has read by now. */
export function restOf(run: Run, attempt: Attempt, taken: readonly MessageId[] = []): Rest | null {
  const errand = errandOf(run, attempt, taken);
  if (errand !== null) return errand;
  const team = standsIn(run, taskOf(run, attempt.taskId));
  return team === null ? null : { for: 'work', team: team.name };
}

/** The same without team work: a member that waits for nothing else may still get an item. */
export function errandOf(run: Run, attempt: Attempt, taken: readonly MessageId[] = []): Rest | null {
  const task = taskOf(run, attempt.taskId);
  if (openAskAbout(run, task)?.kind === 'question') return { for: 'answer' };
  if (attempt.waits !== null && attempt.waits.tasks.length > 0)
    return awaited(run, attempt.waits.tasks, attempt.waits.mode);
  if (attempt.waits !== null && attempt.waits.until !== null) return { for: 'messages', sent: false };
  if (task.children.open > 0) return awaited(run, task.children.ids);
  if (
    task.children.ids.some((id) => run.children.unnotified.has(id)) ||
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

/** The text that agents read and that is recorded. */
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

/** Its turn ended well, it rests, and no input waits for it. */
export function isResting(run: Run, attempt: Attempt): boolean {
  const {
    state,
    stop,
    turn: { ended: turn },
  } = attempt;
  if (state !== 'running' || stop !== null || turn?.kind !== 'ok') return false;
  return !agentOf(run, attempt.agentId).mailbox.records.some(isInput) && restOf(run, attempt) !== null;
}

/** Claims end with the turn: otherwise a resting agent could wait for tasks that wait for its paths. */
export function giveBack({ id, claims }: Attempt): RunEventBody[] {
  return claims.length === 0 ? [] : [{ type: 'paths.claimed', attemptId: id, paths: [] }];
}

/** Resting attempts, whose processes may be ended at any time; the longest resting first. */
export function restingIn(run: Run): Attempt[] {
  return [...run.live.values()]
    .filter((attempt) => isResting(run, attempt))
    .sort((a, b) => a.turn.idleSince - b.turn.idleSince);
}

/** When the process of a resting agent is ended. */
export function restEndsAt(run: Run, { turn: { idleSince } }: Attempt): { readonly from: number; readonly ms: number } {
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

/** Ends the processes of agents that have rested long enough. */
export function decideResting(run: Run, now: number): RunEventBody[] {
  return restingIn(run).flatMap((attempt) => {
    const { from, ms } = restEndsAt(run, attempt);
    return waitIsOver(now, from, ms) ? giveUp(run, attempt) : [];
  });
}
