// Rules on messages: stamped once, to an existing receiver, delivered once to each session and in order, bounded, and none can
// be mistaken for another.

import type { AttemptView, RecordView } from '../view/attempt-view.ts';
import { agentChildren, lately, liveAttempt, type MessageView, restsFor } from '../view/children-view.ts';
import type { Data, MessagesData } from '../view/event-data.ts';
import type { RunView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';
import { teamMessage } from './team-rules.ts';
import { isReport } from './undelivered-rules.ts';
import { hasEnded } from './waits-for.ts';

const messageMax = 2_000;
const turnMax = 16_000;

export function messageSent(view: View, run: RunView, at: number, { message }: Data): void {
  const to = view.tasks.get(message?.to ?? '');
  if (message === undefined || to?.run !== run) return blame(view, 2, `a message to ${message?.to}, who is not there`);
  run.spawning.messages += 1;
  const n = run.spawning.messages;
  if (message.id !== `message_${n}`) blame(view, 5, `${message.id} is sent, ${n} is next`);
  if (to.state === 'ended') blame(view, 5, `${message.id} is sent to ${to.id}, which has ended`);
  const received: MessageView = { id: message.id, n, data: message, to };
  if (message.kind === 'notification') notified(view, received);
  else if (message.kind === 'answer') answeredBy(view, received, at);
  else if (message.trust !== 'signalbox') written(view, received, at);
  else if (!isReport(view, received)) teamMessage(view, message, to);
  to.spawning.inbox.push(received);
}

/** The end of a task is reported once, to its parent. */
function notified(view: View, { id, data, to }: MessageView): void {
  const about = view.tasks.get(data.about ?? '');
  if (about === undefined || about.spawning.asker !== to)
    return blame(view, 5, `${id} tells ${to.id} of ${data.about}, which it did not ask for`);
  if (about.state !== 'ended') blame(view, 3, `${id} says that ${about.id} has ended, which is ${about.state}`);
  if (about.spawning.told) blame(view, 8, `${to.id} is told twice how ${about.id} ended`);
  if (!data.text.includes(`status="${about.outcome}"`)) blame(view, 5, `${id} does not say how ${about.id} ended`);
  about.spawning.told = true;
}

/** It asked a person, or waited, and is notified when that is over. */
function answeredBy(view: View, { id, data, to }: MessageView, at: number): void {
  if (data.trust === 'person') {
    if (to.ask?.kind !== 'question' || to.ask.state === 'open')
      blame(view, 7, `${id} is a person's word to ${to.id}, and no person said anything`);
    return;
  }
  const attempt = liveAttempt(to);
  if (attempt === null || !waitIsOver(view, attempt, at))
    blame(view, 8, `${id} says that a wait of ${to.id} is over, and it is not`);
  if (to.spawning.inbox.some((message) => message.data.kind === 'answer' && message.data.trust === 'signalbox'))
    blame(view, 5, `${id} tells ${to.id} what it is told already`);
}

/** Its time may be over by a clock that went back behind its beginning. */
function waitIsOver(view: View, { spawning: { waits, turnEndedAt } }: AttemptView, at: number): boolean {
  if (waits === null || waits.askId !== null) return false;
  return hasEnded(view, waits) || (waits.until !== null && (at >= waits.until || at < turnEndedAt));
}

/** By one agent to another: stamped with who wrote it, and within the limits. */
function written(view: View, { id, data, to }: MessageView, at: number): void {
  const from = view.agents.get(data.from ?? '');
  if (from === undefined || from.state !== 'running') return blame(view, 7, `${id} is by nobody who is at work`);
  from.spawning.doings.push('message.sent');
  from.spawning.sentTo.push(to.id);
  const { limits } = to.run.spawning;
  const over = (what: string, count: number): void => {
    if (count > (limits[what] ?? Number.POSITIVE_INFINITY))
      blame(view, 7, `with ${id} ${what} is passed: ${count} of ${limits[what]}`);
  };
  if (data.trust !== 'agent' || data.fromName !== from.task.spec.name)
    blame(view, 7, `${id} of ${from.id} is stamped as by ${data.fromName} (${data.trust})`);
  if (from.task === to) blame(view, 5, `${id} is to its own writer`);
  const agent = agentChildren(view, from.agentId);
  agent.sentAt = lately(agent.sentAt, at);
  over('messagesPerMinute', agent.sentAt.length);
  over('mailboxMax', to.spawning.inbox.length + 1);
  over(
    'mailboxCharsMax',
    to.spawning.inbox.reduce((sum, each) => sum + sizeOf(each.data), sizeOf(data)),
  );
  over('hopsMax', data.hops);
}

function sizeOf({ text, data }: MessagesData): number {
  return text.length + (data === undefined ? 0 : JSON.stringify(data).length);
}

/** A record with messages is queued for an agent: all of them waited for it, and it may be given them now. */
export function bundleQueued(view: View, attempt: AttemptView, at: number, body: NonNullable<Data['body']>): void {
  const { id, task, spawning } = attempt;
  const messages = messagesOf(attempt, body.messages ?? []);
  if (messages.length === 0 || messages.length !== body.messages?.length)
    blame(view, 5, `${id} is to be given ${body.messages?.join()}, which does not wait for it`);
  if (attempt.records.some(({ kind, deliveredIn, isGone }) => kind === 'messages' && deliveredIn === null && !isGone))
    blame(view, 5, `${id} is to be given messages while others are on their way`);
  if (attempt.stop !== null) blame(view, 5, `${id} is to be given messages, and is told to end for ${attempt.stop}`);
  const { waits } = spawning;
  if (waits === null) return;
  // An agent that asked a person waits for the answer, whichever child ends meanwhile.
  const asks = waits.askId !== null;
  const news = task.spawning.inbox.some(
    ({ data: { about } }) => about === undefined || (!asks && !waits.tasks.includes(about)),
  );
  const isOver = asks ? task.ask?.state !== 'open' : waitIsOver(view, attempt, at);
  if (!news && !isOver) blame(view, 8, `${id} is woken, and what it waits for has not come about`);
}

/** Its process was kept while it rested, and no longer than it may be. */
export function checkWarm(view: View, attempt: AttemptView, at: number): void {
  const { id, spawning, task } = attempt;
  const { idleMs = 10_000 } = task.run.spawning.limits;
  const since = spawning.restsSince;
  spawning.restsSince = null;
  if (since === null || attempt.state !== 'running' || attempt.stop !== null || !view.healed) return;
  if (since < (view.healedAt ?? 0) || at - since <= idleMs + slackMs) return;
  blame(view, 8, `${id} rested for ${at - since} ms with its process, ${idleMs} is right`);
}

const slackMs = 2_000;

/** Since when it rests, if it does. */
export function comesToRest(attempt: AttemptView, at: number): void {
  attempt.spawning.turnEndedAt = at;
  attempt.spawning.restsSince = attempt.turn === 'ok' && restsFor(attempt) !== null ? at : null;
}

export function messagesOf({ task }: AttemptView, ids: readonly string[]): MessageView[] {
  return ids.flatMap((id) => task.spawning.inbox.find((message) => message.id === id) ?? []);
}

/** Its agent has taken them up: for the first time in its session, and after those that their senders wrote before. */
export function takeMessages(view: View, attempt: AttemptView, ids: readonly string[]): void {
  const { id, task, agentId } = attempt;
  const agent = agentChildren(view, agentId);
  for (const messageId of ids) {
    const message = task.spawning.inbox.find((each) => each.id === messageId);
    if (message === undefined) {
      blame(view, 5, `${id} has taken up ${messageId}, which did not wait for it`);
      continue;
    }
    task.spawning.inbox.splice(task.spawning.inbox.indexOf(message), 1);
    if (agent.taken.has(message)) blame(view, 5, `${messageId} is taken up twice by one session of ${agentId}`);
    agent.taken.add(message);
    const { kind, from, fromName } = message.data;
    const sender = `${kind === 'answer' ? 'answer' : ''} ${from ?? fromName}`;
    if ((agent.lastOf.get(sender) ?? 0) > message.n)
      blame(view, 5, `${messageId} is taken up by ${agentId} after a later one of ${sender}`);
    agent.lastOf.set(sender, message.n);
  }
}

/** What is really written to a process: each message in an envelope of its own, all of them bounded. */
export function checkEnvelopes(view: View, message: RecordView, said: string): void {
  const { id, messages } = message;
  const left = /\n\n\[\d+ more messages? waits?:[^\n]*\]$/.exec(said)?.[0] ?? '';
  const text = left === '' ? said : said.slice(0, -left.length);
  const parts = text.split(/\n\n(?=<(?:task-notification|agent-message|signalbox-answer) )/);
  if (parts.length !== messages.length)
    return blame(view, 5, `${id} carries ${parts.length} messages, not ${messages.length}`);
  if (text.length > turnMax) blame(view, 5, `${id} carries ${text.length} characters of messages`);
  for (const [i, part] of parts.entries()) {
    const lines = part.split('\n');
    const tag = /^<([a-z-]+) /.exec(part)?.[1] ?? '';
    if (part.length > messageMax) blame(view, 5, `a message of ${id} has ${part.length} characters`);
    if (lines.at(-1) !== `</${tag}>`) blame(view, 5, `a message of ${id} is not closed`);
    const inside = lines.slice(1, -1).filter((line) => /^<\/?(?:task-notification|agent-message|signalbox)/.test(line));
    if (inside.length > 0) blame(view, 7, `a text in ${id} looks like an envelope: ${inside[0]}`);
    const message = messages[i];
    if (message === undefined || message.data.kind === 'notification') continue;
    if (!lines[0]?.includes(` id="${message.id}"`)) blame(view, 5, `${message.id} is given under another id`);
    if (!lines[0]?.includes(` trust="${message.data.trust}"`)) blame(view, 7, `${message.id} is shown as of another`);
  }
}
