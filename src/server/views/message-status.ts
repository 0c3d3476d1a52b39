// What became of a message, by who has not read it, who has ended, and what came back from other runs. Derived at each look.

import type { Run } from '../../model/core/run.ts';
import type { Message } from '../../model/messages/message.ts';
import type { MessageView } from '../../wire/message-views.ts';

type Fate = Pick<MessageView, 'state' | 'why'>;

export interface Standing {
  /** Whether it writes to other runs. */
  readonly abroad: boolean;
  /** Of tasks, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** Of one that is for an agent of this run. */
  here(message: Message): Fate;
  /** Of one that was written to another; `whyBack`: it came back. */
  there(message: Message, whyBack: string | undefined): Fate;
}

export function standingIn(run: Run): Standing {
  const tasks = [...run.tasks.values()];
  const unread = new Set(tasks.flatMap(({ inbox }) => inbox.map(({ id }) => id)));
  const undelivered = new Set(tasks.flatMap((task) => task.undelivered));
  const ended = new Map(tasks.flatMap(({ spec, outcome }) => (outcome === null ? [] : [[spec.id, outcome.kind]])));
  const otherRuns = [...run.otherRuns.values()];
  const held = new Set(otherRuns.flatMap((each) => each.held.map(({ message }) => message.id)));
  const leaving = new Set(otherRuns.flatMap((each) => each.outbox.flatMap(({ message }) => message?.id ?? [])));
  return {
    abroad: otherRuns.length > 0,
    names: new Map(tasks.map(({ spec }) => [spec.id, spec.name])),
    here({ id, to }) {
      const over = ended.get(to);
      // Of a task that was opened again since, what its sender was told stays true.
      if (undelivered.has(id)) return { state: 'dead', why: endedWords(over) };
      if (!unread.has(id)) return { state: 'delivered', why: null };
      return over === undefined ? { state: 'waiting', why: null } : { state: 'dead', why: endedWords(over) };
    },
    there({ id }, whyBack) {
      if (whyBack !== undefined) return { state: 'dead', why: whyBack };
      if (held.has(id) && run.state === 'running') return { state: 'held', why: null };
      if (held.has(id)) return { state: 'dead', why: 'its run has ended before a person agreed' };
      return { state: leaving.has(id) ? 'waiting' : 'delivered', why: null };
    },
  };
}

function endedWords(outcome: string | undefined): string {
  return `the task it was for has ended${outcome === undefined ? '' : ` (${outcome})`} before it was read`;
}
