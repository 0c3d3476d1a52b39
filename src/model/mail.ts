// An agent's mail: what was said to it and is not known to be taken up. A delivered message leaves it.

import { must } from '../std/assert.ts';
import type { Agent, Message } from './agent.ts';
import type { MessageId } from './ids.ts';
import { isControl } from './message-body.ts';
import { type MessageMove, messageNext, next } from './states.ts';

/** Something said to the agent that it has not taken up, as far as anybody knows. */
export function isMail(message: Message): boolean {
  return message.state !== 'acked' && !isControl(message.body);
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
