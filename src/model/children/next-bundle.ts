// Which messages an agent gets next, and when.

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

/** The input record with the messages that an agent gets now; null = none, or not yet. */
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
  // A process that is about to end gets no more input; the next one does, if there is one.
  if (run.state !== 'running' || isOver(attempt) || stop !== null) return false;
  if ((attempt.parking.parked === null || isAsking(attempt)) && holdsInput(run, attempt, now)) return false;
  // One record at a time: its characters are counted when it was delivered.
  if (agent.mailbox.records.some(isInput)) return false;
  return waits === null || isAwaited(run, attempt, now);
}

/** Whether what an agent waits for has happened, or something that it could not know of. */
function isAwaited(run: Run, attempt: Attempt, now: number): boolean {
  const { waits, taskId } = attempt;
  if (waits === null || isTimeUp(attempt, now)) return true;
  const task = taskOf(run, taskId);
  if (hasNews(task, waits)) return true;
  if (waits.askId !== null) return openAskAbout(run, task) === null;
  return hasComeAbout(run, waits);
}

/** What an agent waits for comes before other messages. */
function answersFirst(messages: readonly Message[]): Message[] {
  const isAnswer = ({ kind }: Message): boolean => kind === 'answer';
  return [...messages.filter(isAnswer), ...messages.filter((message) => !isAnswer(message))];
}

/** In order, as many as fit into the turn's limit; the first of a turn always does. */
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
