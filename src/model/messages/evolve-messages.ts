// Folds messages for tasks, and the input records that deliver them to agents.

import { unreachable } from '../../std/assert.ts';
import type { Agent } from '../core/agent.ts';
import type { RunEvent } from '../core/events.ts';
import type { MessageId } from '../core/ids.ts';
import { agentOf, attemptOf, attemptOfLaunch, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { noteHeard, noteSender } from './evolve-other-runs.ts';
import { handOver, resetHops } from './mailbox.ts';
import type { Message } from './message.ts';
import type { InputRecord } from './messages-state.ts';
import { isControl } from './record-body.ts';
import {
  deferRecord,
  dropControl,
  letControlPass,
  moveAllRecords,
  moveRecord,
  queueInput,
  tryDeferred,
} from './record-queue.ts';
import { hasUnread } from './undelivered.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<
  | 'record.queued'
  | 'record.written'
  | 'record.delivered'
  | 'record.deferred'
  | 'launch.read'
  | 'record.found'
  | 'message.sent'
  | 'message.taken'
  | 'message.undelivered'
  | 'call.answered'
  | 'agent.sessionLost'
  | 'session.renewed'
  | 'turn.ended'
  | 'launch.intended'
  | 'attempt.started'
  | 'attempt.ended'
  | 'task.ended'
  | 'task.reopened'
>;

export function evolveMessages(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'record.queued':
      return queueRecord(run, event);
    case 'record.deferred':
      return deferRecord(agentOf(run, event.agentId), event.recordId);
    case 'launch.read': {
      const {
        launches: { current: launch },
        agentId,
      } = attemptOfLaunch(run, event.launchId);
      if (event.codec !== launch?.codec) tryDeferred(agentOf(run, agentId));
      return;
    }
    case 'record.written':
    case 'record.delivered':
    case 'record.found':
      return moveOn(run, agentOf(run, event.agentId), event);
    case 'message.sent':
      return post(run, event.message);
    case 'message.taken': {
      const { taskId, agentId } = attemptOf(run, event.attemptId);
      return handOver(run, taskOf(run, taskId), agentOf(run, agentId), event.messages);
    }
    case 'message.undelivered':
      return giveUpMessages(run, taskOf(run, event.taskId), event.messages);
    case 'call.answered':
      if (event.worked === true) resetHops(agentOf(run, event.agentId));
      return;
    case 'agent.sessionLost':
    case 'session.renewed': {
      // A new session does not need Signalbox's own records for the lost one, but it needs messages.
      const agent = agentOf(run, event.agentId);
      agent.mailbox.records = agent.mailbox.records.filter((message) => message.from !== 'signalbox');
      return;
    }
    case 'turn.ended':
      agentOf(run, event.agentId).mailbox.messageCharsInTurn = 0;
      return;
    case 'launch.intended': {
      // Undelivered input goes to the new process; control records end with the former one.
      const agent = agentOf(run, attemptOf(run, event.attemptId).agentId);
      agent.mailbox.messageCharsInTurn = 0;
      dropControl(agent);
      moveAllRecords(agent, 'launchGone');
      return tryDeferred(agent);
    }
    case 'attempt.started':
      // Input that the former attempt did not read was dropped with it.
      if (event.continues !== undefined) agentOf(run, event.agentId).mailbox.records = [];
      return;
    case 'attempt.ended':
      return moveAllRecords(agentOf(run, attemptOf(run, event.attemptId).agentId), 'givenUp');
    case 'task.ended':
      if (hasUnread(taskOf(run, event.taskId))) run.messages.unread.set(event.taskId, taskOf(run, event.taskId));
      return;
    case 'task.reopened':
      run.messages.unread.delete(event.taskId);
      return;
    default:
      unreachable(event);
  }
}

function queueRecord(run: Run, { agentId, recordId: id, from, body }: Of<'record.queued'>): void {
  const agent = agentOf(run, agentId);
  const { attempt } = taskOf(run, agent.taskId);
  const record: InputRecord = { id, from, body, state: 'queued' };
  queueInput(agent, record, attempt?.launches.current?.state === 'live');
  if (attempt !== null && from === 'signalbox') attempt.ownRecords += 1;
}

type Moved = Of<'record.written' | 'record.delivered' | 'record.found'>;

function moveOn(run: Run, agent: Agent, { type, recordId }: Moved): void {
  const message = agent.mailbox.records.find(({ id }) => id === recordId);
  if (type !== 'record.found' && message?.body.kind === 'compact' && message.state === 'queued') letControlPass(agent);
  if (type === 'record.written') return moveRecord(agent, recordId, 'written');
  if (message !== undefined && !isControl(message.body)) {
    if (message.body.kind === 'messages') handOver(run, taskOf(run, agent.taskId), agent, message.body.messages);
    if (message.from !== 'signalbox') resetHops(agent);
  }
  moveRecord(agent, recordId, type === 'record.delivered' ? 'delivered' : 'found');
}

function post(run: Run, message: Message): void {
  run.messages.count += 1;
  taskOf(run, message.to).mailbox.inbox.push(message);
  noteSender(run, message);
  noteHeard(run, message);
}

function giveUpMessages(run: Run, task: Task, ids: readonly MessageId[]): void {
  task.mailbox.inbox = task.mailbox.inbox.filter(({ id }) => !ids.includes(id));
  task.mailbox.undelivered = [...task.mailbox.undelivered, ...ids];
  if (!hasUnread(task)) run.messages.unread.delete(task.spec.id);
}
