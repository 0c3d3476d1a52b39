// Makes a message with its envelope from what an agent writes, and limits how much an agent may send.

import { childLimitsOf } from '../core/child-limits.ts';
import { messageId, type TaskId } from '../core/ids.ts';
import { namesAbove } from '../core/task-tree.ts';
import { inLastMinute } from '../core/timing.ts';
import { type Message, messageMax, messageSize } from '../messages/message.ts';
import type { CallRequest } from './call.ts';
import { type Answered, type CallScene, refuse, refuseBy } from './call-answer.ts';

type Send = Extract<CallRequest, { tool: 'send_message' }>;

export function messageOf(
  { run, task, agent, call, now }: CallScene,
  to: TaskId,
  { text, type, data }: Send,
  n: number,
): Message {
  return {
    id: messageId(n),
    from: agent.id,
    fromName: task.spec.name,
    to,
    kind: 'message',
    trust: 'agent',
    ...(type === null ? {} : { type }),
    text,
    ...(data === undefined ? {} : { data }),
    chain: namesAbove(run, task),
    hops: (call.worked ? 0 : agent.mailbox.hops) + 1,
    ...(call.worked || agent.mailbox.trail.length === 0 ? {} : { trail: agent.mailbox.trail }),
    at: now,
  };
}

export function overSize(messages: readonly Message[]): Answered | null {
  const size = messages[0] === undefined ? 0 : messageSize(messages[0]);
  if (size <= messageMax) return null;
  return refuse(
    `${size} characters are more than the ${messageMax} of a message: submit_artifact keeps it, and you send its id`,
  );
}

/** Limits per minute and on chains of replies. */
export function overRate(scene: CallScene, messages: readonly Message[]): Answered | null {
  const { run, agent, task, now } = scene;
  const { messagesPerMinute, hopsMax } = childLimitsOf(run);
  if (messages.some(({ hops }) => hops > hopsMax)) {
    const loop = [...agent.mailbox.trail, task.spec.name].join(' → ');
    return refuseBy(scene, 'hopsMax', `these messages only answer one another, without other work in between: ${loop}`);
  }
  const { length: written } = inLastMinute(agent.mailbox.sentAt, now);
  if (written + messages.length > messagesPerMinute) {
    return refuseBy(scene, 'messagesPerMinute', `you wrote ${written} messages in the last minute; say more in fewer`);
  }
  return null;
}
