// An agent's mailbox: unread messages, and the last ones that it has read. The characters of messages per turn are limited.
// children/next-bundle.ts decides when it gets the next ones.

import { newest } from '../../std/newest-entries.ts';
import type { Agent } from '../core/agent.ts';
import type { MessageId, RunId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import { countMax, shownSize } from './envelope.ts';
import { type Message, messageSize } from './message.ts';

/** How many read messages are kept, by count and by characters: more than one record can carry. */
const readKept = { count: 200, size: 1_000_000 };

/** Messages that are not on their way to the agent yet. */
export function unsent({ mailbox: { inbox } }: Task, { mailbox: { records } }: Agent): Message[] {
  const sent = new Set(records.flatMap(({ body }) => (body.kind === 'messages' ? body.messages : [])));
  return inbox.filter(({ id }) => !sent.has(id));
}

/** Its agent has read them. */
export function handOver(run: Run, task: Task, agent: Agent, ids: readonly MessageId[]): void {
  const taken = task.mailbox.inbox.filter(({ id }) => ids.includes(id));
  task.mailbox.inbox = task.mailbox.inbox.filter(({ id }) => !ids.includes(id));
  task.mailbox.read = newest([...task.mailbox.read, ...taken], readKept, messageSize);
  agent.mailbox.messageCharsInTurn += countMax;
  for (const message of taken) {
    agent.mailbox.messageCharsInTurn += shownSize(message);
    if (message.kind !== 'message') continue;
    if (message.hops < agent.mailbox.hops) continue;
    agent.mailbox.hops = message.hops;
    agent.mailbox.trail = trailOf(message, run.spec?.id);
  }
}

const trailMax = 8;

/** The senders of the messages that led to this one and of this one, as addresses that this run can use. */
function trailOf({ trail = [], fromName, foreign }: Message, here: RunId | undefined): string[] {
  const names = [...trail, fromName].slice(-trailMax);
  if (foreign === undefined) return names;
  return names.map((name) =>
    name.startsWith(`${here}/`)
      ? name.slice(`${here}/`.length)
      : name.includes('/')
        ? name
        : `${foreign.runId}/${name}`,
  );
}

/** The agent has done other work than answering messages. */
export function resetHops(agent: Agent): void {
  agent.mailbox.hops = 0;
  agent.mailbox.trail = [];
}
