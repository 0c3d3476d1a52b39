// An agent's mailbox: which of its messages it is given next, and when. What enters its context from others is bounded, one by
// one and for each turn; the rest waits.

import { newest } from '../../std/newest-entries.ts';
import { openQuestion } from '../asks/asking.ts';
import { isAsking } from '../asks/asks-alone.ts';
import { isOver } from '../attempt/stopping.ts';
import type { Waits } from '../children/awaited.ts';
import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import type { MessageId, RunId } from '../core/ids.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { waitIsOver } from '../core/timing.ts';
import { holdsInput, isBetweenTurns } from '../parking/parking.ts';
import { countMax, shownSize } from './envelope.ts';
import { type Message, messageSize } from './message.ts';
import { ownRecord } from './own-record.ts';
import { isInput } from './record-queue.ts';

/** Of messages, in characters, that one turn is given. */
export const turnMessageCharsMax = 16_000;

/** What is kept of messages that were taken up, in characters as they are whole: more than one message can carry. */
const readKept = { count: 200, size: 1_000_000 };

/** The messages that an agent is to be given now, as a message; null = there is nothing to give, or not yet. */
export function nextBundle(run: Run, attempt: Attempt, now: number): RunEventBody | null {
  const { inbox } = taskOf(run, attempt.taskId);
  if (inbox.length === 0) return null;
  const agent = agentOf(run, attempt.agentId);
  if (!canTake(run, attempt, agent, now)) return null;
  const room = turnMessageCharsMax - countMax - (isBetweenTurns(attempt) ? 0 : agent.messageCharsInTurn);
  const messages = fitting(answersFirst(inbox), room);
  if (messages.length === 0) return null;
  const ids = messages.map(({ id }) => id);
  return ownRecord(attempt, { kind: 'messages', messages: ids, left: inbox.length - ids.length });
}

function canTake(run: Run, attempt: Attempt, agent: Agent, now: number): boolean {
  const { stop, waits } = attempt;
  // Who is about to end takes up nothing more: it is given to the next process, if there is one.
  if (run.state !== 'running' || isOver(attempt) || stop !== null) return false;
  if ((attempt.parked === null || isAsking(attempt)) && holdsInput(run, attempt, now)) return false;
  // One message after the other: what is on its way is counted when it has arrived.
  if (agent.records.some(isInput)) return false;
  return waits === null || isAwaited(run, attempt, now);
}

/** Whether what an agent waits for has come about, or something that it could not know of. */
function isAwaited(run: Run, attempt: Attempt, now: number): boolean {
  const { waits, taskId } = attempt;
  if (waits === null || isTimeUp(attempt, now)) return true;
  const task = taskOf(run, taskId);
  if (hasNews(task, waits)) return true;
  if (waits.askId !== null) return openQuestion(task) === null;
  return hasComeAbout(run, waits);
}

/** Whether a message is there for whoever waits so that does not have to wait as well: of the end of one of several it has to. */
export function hasNews({ inbox }: Task, waits: Waits | null): boolean {
  if (waits === null) return inbox.length > 0;
  // Who has asked a person waits for the answer, whoever ends meanwhile.
  return inbox.some(({ about }) => about === undefined || (waits.askId === null && !waits.tasks.includes(about)));
}

/** Whether the tasks have ended as far as they have to; who asked for one is told of it first. */
export function hasComeAbout(run: Run, { tasks, mode }: Waits): boolean {
  const ended = tasks.filter((id) => run.tasks.get(id)?.state === 'ended' && !run.untold.has(id));
  return mode === 'any' ? ended.length > 0 : ended.length === tasks.length;
}

/** Also where the clock went back behind the end of its turn: to be told too early does less harm than never. */
export function isTimeUp({ waits, idleSince }: Attempt, now: number): boolean {
  const until = waits?.until ?? null;
  return until !== null && waitIsOver(now, idleSince, until - idleSince);
}

/** What an agent has waited for is not to wait behind what it has not. */
function answersFirst(messages: readonly Message[]): Message[] {
  const isAnswer = ({ kind }: Message): boolean => kind === 'answer';
  return [...messages.filter(isAnswer), ...messages.filter((message) => !isAnswer(message))];
}

/** In order, as many as there is room for; for the first of a turn there always is. */
function fitting(messages: readonly Message[], room: number): Message[] {
  let left = room;
  const taken: Message[] = [];
  for (const message of messages) {
    left -= shownSize(message);
    if (left < 0) break;
    taken.push(message);
  }
  return taken;
}

/** Messages that are not on their way to the agent already. */
export function unsent({ inbox }: Task, { records }: Agent): Message[] {
  const sent = new Set(records.flatMap(({ body }) => (body.kind === 'messages' ? body.messages : [])));
  return inbox.filter(({ id }) => !sent.has(id));
}

/** Its agent has taken them up. */
export function handOver(run: Run, task: Task, agent: Agent, ids: readonly MessageId[]): void {
  const taken = task.inbox.filter(({ id }) => ids.includes(id));
  task.inbox = task.inbox.filter(({ id }) => !ids.includes(id));
  task.read = newest([...task.read, ...taken], readKept, messageSize);
  agent.messageCharsInTurn += countMax;
  for (const message of taken) {
    agent.messageCharsInTurn += shownSize(message);
    if (message.kind !== 'message') continue;
    if (message.hops < agent.hops) continue;
    agent.hops = message.hops;
    agent.trail = trailOf(message, run.spec?.id);
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
  agent.hops = 0;
  agent.trail = [];
}
