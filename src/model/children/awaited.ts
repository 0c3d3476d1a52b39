// What an agent waits for that has ended its turn to wait, and whether that has come about.

import type { Attempt } from '../core/attempt.ts';
import type { AskId, TaskId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import { waitIsOver } from '../core/timing.ts';

export interface Waits {
  /** Tasks that have to end; none where it waits for a person, or for messages. */
  readonly tasks: readonly TaskId[];
  readonly mode: 'any' | 'all';
  /** What a person is asked; null = nobody is. */
  readonly askId: AskId | null;
  /** Until when at most; null = as long as it takes. */
  readonly until: number | null;
}

/** Whether a message is there for whoever waits so that does not have to wait as well: of the end of one of several it has to. */
export function hasNews({ mailbox: { inbox } }: Task, waits: Waits | null): boolean {
  if (waits === null) return inbox.length > 0;
  // Who has asked a person waits for the answer, whoever ends meanwhile.
  return inbox.some(({ about }) => about === undefined || (waits.askId === null && !waits.tasks.includes(about)));
}

/** Whether the tasks have ended as far as they have to; who asked for one is told of it first. */
export function hasComeAbout(run: Run, { tasks, mode }: Waits): boolean {
  const ended = tasks.filter((id) => run.tasks.get(id)?.state === 'ended' && !run.children.untold.has(id));
  return mode === 'any' ? ended.length > 0 : ended.length === tasks.length;
}

/** Also where the clock went back behind the end of its turn: to be told too early does less harm than never. */
export function isTimeUp({ waits, idleSince }: Attempt, now: number): boolean {
  const until = waits?.until ?? null;
  return until !== null && waitIsOver(now, idleSince, until - idleSince);
}
