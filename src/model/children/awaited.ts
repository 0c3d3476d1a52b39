// What a waiting agent waits for, and whether that has happened.

import type { Attempt } from '../core/attempt.ts';
import type { AskId, TaskId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import { waitIsOver } from '../core/timing.ts';

export interface Waits {
  /** Tasks that have to end; empty if it waits for a person or for messages. */
  readonly tasks: readonly TaskId[];
  readonly mode: 'any' | 'all';
  /** The ask that a person has to answer; null = none. */
  readonly askId: AskId | null;
  /** The time limit of the wait; null = none. */
  readonly until: number | null;
}

/** Whether there is a message that ends the wait. A notification about one of several awaited tasks does not. */
export function hasNews({ mailbox: { inbox } }: Task, waits: Waits | null): boolean {
  if (waits === null) return inbox.length > 0;
  // An agent that asked a person waits for the answer, even if tasks end meanwhile.
  return inbox.some(({ about }) => about === undefined || (waits.askId === null && !waits.tasks.includes(about)));
}

/** Whether the awaited tasks have ended. A parent is notified of a child's end before its wait is over. */
export function hasComeAbout(run: Run, { tasks, mode }: Waits): boolean {
  const ended = tasks.filter((id) => run.tasks.get(id)?.state === 'ended' && !run.children.unnotified.has(id));
  return mode === 'any' ? ended.length > 0 : ended.length === tasks.length;
}

/** Also true if the clock was set back before the end of its turn: ending a wait too early does less harm than never. */
export function isTimeUp({ waits, turn: { idleSince } }: Attempt, now: number): boolean {
  const until = waits?.until ?? null;
  return until !== null && waitIsOver(now, idleSince, until - idleSince);
}
