// Which of its messages an agent is given next, and when.

import { isAsking } from '../asks/asks-alone.ts';
import { openAskAbout } from '../asks/find-asks.ts';
import { isOver } from '../attempt/stopping.ts';
import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { countMax, shownSize, turnMessageCharsMax } from '../messages/envelope.ts';
import type { Message } from '../messages/message.ts';
import { ownRecord } from '../messages/own-record.ts';
import { isInput } from '../messages/record-queue.ts';
import { holdsInput, isBetweenTurns } from '../parking/parking.ts';
import { hasComeAbout, hasNews, isTimeUp } from './awaited.ts';

/** The messages that an agent is to be given now, as a message; null = there is nothing to give, or not yet. */
export function nextBundle(run: Run, attempt: Attempt, now: number): RunEventBody | null {
  const { inbox } = taskOf(run, attempt.taskId).mailbox;
  if (inbox.length === 0) return null;
  const agent = agentOf(run, attempt.agentId);
  if (!canTake(run, attempt, agent, now)) return null;
  const room = turnMessageCharsMax - countMax - (isBetweenTurns(attempt) ? 0 : agent.mailbox.messageCharsInTurn);
  const messages = fitting(answersFirst(inbox), room);
  if (messages.length === 0) return null;
  const ids = messages.map(({ id }) => id);
  return ownRecord(attempt, { kind: 'messages', messages: ids, left: inbox.length - ids.length });
}

function canTake(run: Run, attempt: Attempt, agent: Agent, now: number): boolean {
  const { stop, waits } = attempt;
  // Who is about to end takes up nothing more: it is given to the next process, if there is one.
  if (run.state !== 'running' || isOver(attempt) || stop !== null) return false;
  if ((attempt.parking.parked === null || isAsking(attempt)) && holdsInput(run, attempt, now)) return false;
  // One message after the other: what is on its way is counted when it has arrived.
  if (agent.mailbox.records.some(isInput)) return false;
  return waits === null || isAwaited(run, attempt, now);
}

/** Whether what an agent waits for has come about, or something that it could not know of. */
function isAwaited(run: Run, attempt: Attempt, now: number): boolean {
  const { waits, taskId } = attempt;
  if (waits === null || isTimeUp(attempt, now)) return true;
  const task = taskOf(run, taskId);
  if (hasNews(task, waits)) return true;
  if (waits.askId !== null) return openAskAbout(run, task) === null;
  return hasComeAbout(run, waits);
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
