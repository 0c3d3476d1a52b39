// Folds what becomes of an agent, and what is said to it.

import { unreachable } from '../std/assert.ts';
import { forgetInput } from './asks/evolve-gate.ts';
import type { Agent, InputRecord } from './core/agent.ts';
import type { RunEvent } from './core/events.ts';
import { agentOf, askerOf, attemptOfLaunch, gateOf, launchOf, taskOf } from './core/lookup.ts';
import type { Run } from './core/run.ts';
import { handOver, resetHops } from './messages/mailbox.ts';
import { isControl } from './messages/record-body.ts';
import { deferRecord, letControlPass, moveRecord, queueInput } from './messages/record-queue.ts';
import { saidLast } from './session/last-words.ts';
import { forgetSession, noMemory } from './session/memory.ts';
import { toldBefore } from './tasks/told-before.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type AgentEvent = Extract<RunEvent, { type: `agent.${string}` | `record.${string}` }>;

export function isAgentEvent(event: RunEvent): event is AgentEvent {
  return /^(?:agent|record)\./.test(event.type);
}

export function evolveAgent(run: Run, event: AgentEvent): void {
  switch (event.type) {
    case 'agent.created': {
      const { agentId: id, taskId, name } = event;
      run.agents.set(id, newAgent(id, taskId, name));
      // The first one was counted when it was asked for.
      if (taskOf(run, taskId).attempts > 1 && askerOf(run, taskOf(run, taskId)) !== null) run.agentsAsked += 1;
      return;
    }
    case 'agent.session':
      agentOf(run, event.agentId).session = event.session;
      return;
    case 'agent.sessionLost':
      return loseSession(agentOf(run, event.agentId), 'lost');
    case 'record.queued':
      return queueRecord(run, event);
    case 'record.written':
      return writeRecord(run, event);
    case 'record.pinned':
      launchOf(attemptOfLaunch(run, event.launchId)).pinned = { recordId: event.recordId, codec: event.codec };
      return;
    case 'record.deferred': {
      const attempt = attemptOfLaunch(run, event.launchId);
      deferRecord(agentOf(run, event.agentId), event.recordId);
      if (event.end !== undefined) launchOf(attempt).written = event.end;
      delete attempt.failing.write;
      return;
    }
    case 'record.delivered':
      noteCompacting(agentOf(run, event.agentId), event);
      takeUp(run, event);
      return moveRecord(agentOf(run, event.agentId), event.recordId, 'delivered');
    case 'record.found':
      takeUp(run, event);
      return moveRecord(agentOf(run, event.agentId), event.recordId, 'found');
    default:
      unreachable(event);
  }
}

function newAgent(id: Agent['id'], taskId: Agent['taskId'], name: string): Agent {
  const books = { session: null, metered: [], booked: [] };
  const messages = { records: [], messageCharsInTurn: 0, hops: 0, trail: [], sentAt: [], spawnedAt: [], taken: [] };
  return { id, taskId, name, ...books, ...messages, calls: [], memory: noMemory() };
}

/** From now on it is at work on it. */
function takeUp(run: Run, { type, agentId, recordId }: Of<'record.delivered' | 'record.found'>): void {
  const agent = agentOf(run, agentId);
  const message = agent.records.find(({ id }) => id === recordId);
  if (message === undefined || isControl(message.body)) return;
  const task = taskOf(run, agent.taskId);
  if (message.body.kind === 'messages') handOver(run, task, agent, message.body.messages);
  if (message.from !== 'signalbox') resetHops(agent);
  const { attempt } = task;
  if (attempt?.agentId !== agentId) return;
  attempt.unfinished = saidLast(attempt);
  attempt.turn = null;
  attempt.idleSince = 0;
  // What was on its way when it began to wait. Where one is found later, nobody knows which was first.
  if (type === 'record.delivered') attempt.waits = null;
}

/** What Signalbox told the lost session is of no use to a new one; what others said is. */
export function loseSession(agent: Agent, ended: 'lost' | 'handedOver'): void {
  agent.session = null;
  forgetSession(agent.memory, ended);
  agent.metered = [];
  agent.booked = [];
  agent.records = agent.records.filter((message) => message.from !== 'signalbox');
}

function queueRecord(run: Run, event: Of<'record.queued'>): void {
  const agent = agentOf(run, event.agentId);
  const task = taskOf(run, agent.taskId);
  const { recordId: id, from, body } = event;
  const told = body.kind === 'prompt' ? { told: toldBefore(run, task, body.again === true) } : {};
  const message: InputRecord = { id, from, body, ...told, state: 'queued' };
  const { attempt } = task;
  queueInput(agent, message, attempt?.launch?.state === 'live');
  if (body.kind === 'text' && from !== 'signalbox') {
    task.said = [...task.said, { recordId: id, from, text: body.text.slice(0, saidMax) }].slice(-sayingsMax);
  }
  if (attempt !== null && event.from === 'signalbox') attempt.ownRecords += 1;
  // Whatever it waited for, now it is told something.
  if (attempt !== null && !isControl(event.body)) attempt.waits = null;
}

/** From the first that is noted of the order on, its writing or that it was taken up: by the second it may have been carried out. */
function noteCompacting(agent: Agent, { recordId }: Of<'record.written' | 'record.delivered'>): void {
  const message = agent.records.find(({ id }) => id === recordId);
  if (message?.body.kind !== 'compact' || message.state !== 'queued') return;
  agent.memory.compaction = 'asked';
  letControlPass(agent);
}

/** What is told of it again is bounded anyway. */
const saidMax = 1_000;
const sayingsMax = 8;

function writeRecord(run: Run, event: Of<'record.written'>): void {
  const agent = agentOf(run, event.agentId);
  const body = agent.records.find(({ id }) => id === event.recordId)?.body;
  if (body?.kind === 'answer') forgetInput(gateOf(run, body.askId));
  noteCompacting(agent, event);
  moveRecord(agent, event.recordId, 'written');
  const attempt = attemptOfLaunch(run, event.launchId);
  launchOf(attempt).written = event.end;
  launchOf(attempt).pinned = null;
  delete attempt.failing.write;
}
