// An agent's mail: what was said to it and is not known to be taken up. A delivered message leaves it.

import { must } from '../../std/assert.ts';
import type { Agent, Message } from '../agent.ts';
import type { MessageId } from '../ids.ts';
import { type MessageMove, messageNext, next } from '../states.ts';
import { isControl } from './record-body.ts';

/** Something said to the agent that it has not taken up, as far as anybody knows. */
export function isMail(message: Message): boolean {
  return message.state !== 'acked' && !isControl(message.body);
}

/**
 * The order of the mail is that of writing, and of what is not written the first may be there in part, where nothing else can
 * come then: nobody is put before it while there is a process to write to (`isRead`).
 */
export function queueMail(agent: Agent, message: Message, isRead: boolean): void {
  const { mail, memory } = agent;
  const first = mail.findIndex(isUnwritten);
  const { kind } = message.body;
  if (kind === 'prompt' || kind === 'compact') mail.splice(isRead && first >= 0 ? first + 1 : 0, 0, message);
  else mail.push(message);
  if (memory.compaction === 'asked') letControlPass(agent);
}

/** While it compacts nothing is said to it, so none of what waits is written in part; what steers it does not wait behind that. */
export function letControlPass(agent: Agent): void {
  const waits = (message: Message): boolean => isUnwritten(message) && isMail(message);
  agent.mail = [...agent.mail.filter((message) => !waits(message)), ...agent.mail.filter(waits)];
}

function isUnwritten({ state }: Message): boolean {
  return state === 'queued' || state === 'acked';
}

/** What is to be written next; null = nothing. */
export function nextToWrite({ mail, memory }: Agent): { readonly message: Message; readonly isLast: boolean } | null {
  const [message, ...behind] = mail.filter(isUnwritten);
  // What is said while it compacts would be taken for a part of that order.
  if (message === undefined || (memory.compaction === 'asked' && isMail(message))) return null;
  return { message, isLast: behind.length === 0 };
}

export function moveMail(agent: Agent, id: MessageId, move: MessageMove): void {
  const message = must(
    agent.mail.find((each) => each.id === id),
    `no message ${id} in the mail of ${agent.id}`,
  );
  message.state = next(messageNext, message.state, move);
  dropDone(agent);
}

export function moveAllMail(agent: Agent, move: MessageMove): void {
  for (const message of agent.mail) message.state = next(messageNext, message.state, move);
  dropDone(agent);
}

/** What steers a process ends with it. */
export function dropControl(agent: Agent): void {
  agent.mail = agent.mail.filter((message) => !isControl(message.body));
}

/** Nobody acknowledges a control record: written is all that can be known of it. */
function dropDone(agent: Agent): void {
  agent.mail = agent.mail.filter(
    ({ state, body }) => state !== 'delivered' && !(state === 'written' && isControl(body)),
  );
}
