// Messages that will not be read because the receiving task has ended. Their sender is told once for each ended task, unless
// its own task has ended. Only messages of agents are reported, so a report is never reported itself.

import { cutTo } from '../../std/characters.ts';
import type { RunEventBody } from '../core/events.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { attribute } from './envelope.ts';
import { type Message, messageText } from './message.ts';
import { sendOwnMessage } from './own-message.ts';

/** Whether an ended task has unread messages of agents of its run. */
export function hasUnread({ state, mailbox: { inbox } }: Task): boolean {
  return state === 'ended' && inbox.some(isByAgent);
}

function isByAgent({ from, kind, trust, foreign }: Message): boolean {
  return from !== undefined && kind === 'message' && trust === 'agent' && foreign === undefined;
}

/** One sender at a time: each report takes the next message's number. */
export function decideNextUndelivered(run: Run, now: number): RunEventBody[] {
  for (const task of run.messages.unread.values()) {
    const first = task.mailbox.inbox.find((message) => isByAgent(message) && senderOf(run, message)?.state !== 'ended');
    const sender = first === undefined ? null : senderOf(run, first);
    if (sender === null) continue;
    const messages = task.mailbox.inbox.filter((message) => isByAgent(message) && senderOf(run, message) === sender);
    const report = { to: sender.spec.id, kind: 'message', type: 'not-delivered', about: task.spec.id } as const;
    return [
      { type: 'message.undelivered', taskId: task.spec.id, messages: messages.map(({ id }) => id) },
      sendOwnMessage(run, now, { ...report, text: reportText(task, messages) }),
    ];
  }
  return [];
}

function senderOf(run: Run, { from }: Message): Task | null {
  const agent = from === undefined ? undefined : run.agents.get(from);
  return agent === undefined ? null : taskOf(run, agent.taskId);
}

function reportText({ spec, outcome }: Task, messages: readonly Message[]): string {
  const lines = messages.slice(0, listedMax).map((message) => `${message.id}: ${firstLine(message)}`);
  const more = messages.length > listedMax ? [`and ${messages.length - listedMax} more`] : [];
  const head = `Not delivered to "${spec.name}", which ended (${outcome?.kind ?? 'ended'}) before it read:`;
  return [head, ...lines, ...more].join('\n');
}

const listedMax = 10;
const lineMax = 100;

function firstLine(message: Message): string {
  return attribute(cutTo(messageText(message).trimStart().split('\n', 1)[0] ?? '', lineMax), lineMax);
}

/** Why a message to this task would not be read; null = it would be. */
export function nobodyIn({ spec, state, outcome }: Task): string | null {
  if (spec.kind !== 'work') return `is a ${spec.kind}: nobody works on it`;
  return state === 'ended' ? `has ended (${outcome?.kind ?? 'ended'}): nobody would read it` : null;
}

/** The names of all tasks whose agents can read a message. */
export function readersIn({ tasks }: Run): string[] {
  return [...tasks.values()].flatMap((task) => (nobodyIn(task) === null ? [task.spec.name] : []));
}
