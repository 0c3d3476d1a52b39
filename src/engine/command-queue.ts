// The queue of commands and facts for the tick. It is bounded: when it is full, the sender waits, so an agent that
// prints faster than the journal writes is read more slowly instead of filling memory.

import type { Command, Refusal } from '../model/core/command.ts';
import type { RunId } from '../model/core/ids.ts';

export type Outcome = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Entry {
  readonly runId: RunId;
  readonly command: Command;
  readonly answer: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

export interface Inbox {
  /** Entries waiting for the tick, and senders waiting for a place. */
  readonly waiting: number;
  readonly held: number;
  /** Resolves when the command is committed or refused; rejects with the Fault that kept it from the journal. */
  send(runId: RunId, command: Command): Promise<Outcome>;
  take(max: number): Entry[];
  /** All waiting and later commands fail with `error`. */
  close(error: unknown): void;
}

export function createInbox(capacity: number, onEntry: () => void): Inbox {
  const entries: Entry[] = [];
  const held: Entry[] = [];
  let closed: { error: unknown } | null = null;
  return {
    get waiting() {
      return entries.length;
    },
    get held() {
      return held.length;
    },
    send(runId, command) {
      if (closed !== null) return Promise.reject(closed.error);
      return new Promise<Outcome>((answer, fail) => {
        const entry: Entry = { runId, command, answer, fail };
        if (entries.length < capacity) entries.push(entry);
        else held.push(entry);
        onEntry();
      });
    },
    take(max) {
      const taken = entries.splice(0, max);
      entries.push(...held.splice(0, capacity - entries.length));
      return taken;
    },
    close(error) {
      closed = { error };
      for (const entry of [...entries.splice(0), ...held.splice(0)]) entry.fail(error);
    },
  };
}
