// Delivery status of messages: delivered, waiting, held or dead. Derived on every request.

import type { Run } from '../../model/core/run.ts';
import type { Message } from '../../model/messages/message.ts';
import type { MessageView } from '../../wire/message-views.ts';

type Fate = Pick<MessageView, 'state' | 'why'>;

export interface Standing {
  /** Whether the run sends messages to other runs. */
  readonly abroad: boolean;
  /** Task names by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Status of a message to an agent of this run. */
  here(message: Message): Fate;
  /** Status of a message to another run; `whyBack`: why it was returned. */
  there(message: Message, whyBack: string | undefined): Fate;
}

export function standingIn(run: Run): Standing {
  const tasks = [...run.tasks.values()];
  const unread = new Set(tasks.flatMap(({ mailbox: { inbox } }) => inbox.map(({ id }) => id)));
  const undelivered = new Set(tasks.flatMap((task) => task.mailbox.undelivered));
  const ended = new Map(tasks.flatMap(({ spec, outcome }) => (outcome === null ? [] : [[spec.id, outcome.kind]])));
  const otherRuns = [...run.messages.otherRuns.values()];
  const held = new Set(otherRuns.flatMap((each) => each.held.map(({ message }) => message.id)));
  const leaving = new Set(otherRuns.flatMap((each) => each.outbox.flatMap(({ message }) => message?.id ?? [])));
  return {
    abroad: otherRuns.length > 0,
    names: new Map(tasks.map(({ spec }) => [spec.id, spec.name])),
    here({ id, to }) {
      const over = ended.get(to);
      // Stays dead even if the task was reopened since: its sender was told so.
      if (undelivered.has(id)) return { state: 'dead', why: endedWords(over) };
      if (!unread.has(id)) return { state: 'delivered', why: null };
      return over === undefined ? { state: 'waiting', why: null } : { state: 'dead', why: endedWords(over) };
    },
    there({ id }, whyBack) {
      if (whyBack !== undefined) return { state: 'dead', why: whyBack };
      if (held.has(id) && run.state === 'running') return { state: 'held', why: null };
      if (held.has(id)) return { state: 'dead', why: 'its run ended before a person agreed' };
      return { state: leaving.has(id) ? 'waiting' : 'delivered', why: null };
    },
  };
}

function endedWords(outcome: string | undefined): string {
  return `the receiving task ended${outcome === undefined ? '' : ` (${outcome})`} before reading it`;
}
