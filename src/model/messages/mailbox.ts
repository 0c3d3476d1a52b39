// An agent's mailbox: messages that wait for it, and those that it has taken up. How many characters of messages may enter its
// context in one turn is bounded. When it is given the next ones is decided in children/next-bundle.ts.

import { newest } from '../../std/newest-entries.ts';
import type { Agent } from '../core/agent.ts';
import type { MessageId, RunId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import { countMax, shownSize } from './envelope.ts';
import { type Message, messageSize } from './message.ts';

/** What is kept of messages that were taken up, in characters as they are whole: more than one message can carry. */
const readKept = { count: 200, size: 1_000_000 };

/** Messages that are not on their way to the agent already. */
export function unsent({ mailbox: { inbox } }: Task, { mailbox: { records } }: Agent): Message[] {
  const sent = new Set(records.flatMap(({ body }) => (body.kind === 'messages' ? body.messages : [])));
  return inbox.filter(({ id }) => !sent.has(id));
}

/** Its agent has taken them up. */
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

/** Who wrote what led to it, and it, each as one of this run writes to it. */
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

/** It has done something else than to answer messages. */
export function resetHops(agent: Agent): void {
  agent.mailbox.hops = 0;
  agent.mailbox.trail = [];
}
