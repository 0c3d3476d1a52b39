// Folds what becomes of an agent, and what is said to it.

import { unreachable } from '../std/assert.ts';
import type { Agent, Message } from './agent.ts';
import type { RunEvent } from './events.ts';
import { letControlPass, moveMail, queueMail } from './messages/record-queue.ts';
import { handOver, resetHops } from './messages/mailbox.ts';
import { isControl } from './messages/record-body.ts';
import { agentOf, askerOf, attemptOfLaunch, gateOf, launchOf, taskOf } from './lookup.ts';
import { forgetInput } from './asks/evolve-gate.ts';
import type { Run } from './run.ts';
import { saidLast } from './session/last-words.ts';
import { forgetSession, noMemory } from './session/memory.ts';
import { toldBefore } from './session/told-before.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type AgentEvent = Extract<RunEvent, { type: `agent.${string}` | `message.${string}` }>;

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
    case 'message.queued':
      return queueMessage(run, event);
    case 'message.written':
      return writeMessage(run, event);
    case 'message.delivered':
      noteCompacting(agentOf(run, event.agentId), event);
      takeUp(run, event);
      return moveMail(agentOf(run, event.agentId), event.messageId, 'delivered');
    case 'message.found':
      takeUp(run, event);
      return moveMail(agentOf(run, event.agentId), event.messageId, 'found');
    default:
      unreachable(event);
  }
}

function newAgent(id: Agent['id'], taskId: Agent['taskId'], name: string): Agent {
  const books = { session: null, metered: [], settled: [] };
  const letters = { mail: [], mailInTurn: 0, hops: 0, trail: [], sentAt: [], spawnedAt: [], taken: [] };
  return { id, taskId, name, ...books, ...letters, calls: [], memory: noMemory() };
}

/** From now on it is at work on it. */
function takeUp(run: Run, { type, agentId, messageId }: Of<'message.delivered' | 'message.found'>): void {
  const agent = agentOf(run, agentId);
  const message = agent.mail.find(({ id }) => id === messageId);
  if (message === undefined || isControl(message.body)) return;
  const task = taskOf(run, agent.taskId);
  if (message.body.kind === 'mail') handOver(run, task, agent, message.body.letters);
  if (message.from !== 'signalbox') resetHops(agent);
  const { attempt } = task;
  if (attempt?.agentId !== agentId) return;
  attempt.unfinished = saidLast(attempt);
  attempt.turn = null;
  attempt.idleSince = 0;
  // What was on its way when it began to wait. Where one is found later, nobody knows which was first.
  if (type === 'message.delivered') attempt.waits = null;
}

/** What Signalbox told the lost session is of no use to a new one; what others said is. */
export function loseSession(agent: Agent, ended: 'lost' | 'handedOver'): void {
  agent.session = null;
  forgetSession(agent.memory, ended);
  agent.metered = [];
  agent.settled = [];
  agent.mail = agent.mail.filter((message) => message.from !== 'signalbox');
}

function queueMessage(run: Run, event: Of<'message.queued'>): void {
  const agent = agentOf(run, event.agentId);
  const task = taskOf(run, agent.taskId);
  const { messageId: id, from, body } = event;
  const told = body.kind === 'prompt' ? { told: toldBefore(run, task, body.again === true) } : {};
  const message: Message = { id, from, body, ...told, state: 'queued' };
  const { attempt } = task;
  queueMail(agent, message, attempt?.launch?.state === 'live');
  if (body.kind === 'text' && from !== 'signalbox') {
    task.said = [...task.said, { messageId: id, from, text: body.text.slice(0, saidMax) }].slice(-sayingsMax);
  }
  if (attempt !== null && event.from === 'signalbox') attempt.ownMessages += 1;
  // Whatever it waited for, now it is told something.
  if (attempt !== null && !isControl(event.body)) attempt.waits = null;
}

/** From the first that is noted of the order on, its writing or that it was taken up: by the second it may have been carried out. */
function noteCompacting(agent: Agent, { messageId }: Of<'message.written' | 'message.delivered'>): void {
  const message = agent.mail.find(({ id }) => id === messageId);
  if (message?.body.kind !== 'compact' || message.state !== 'queued') return;
  agent.memory.compaction = 'asked';
  letControlPass(agent);
}

/** What is told of it again is bounded anyway. */
const saidMax = 1_000;
const sayingsMax = 8;

function writeMessage(run: Run, event: Of<'message.written'>): void {
  const agent = agentOf(run, event.agentId);
  const body = agent.mail.find(({ id }) => id === event.messageId)?.body;
  if (body?.kind === 'answer') forgetInput(gateOf(run, body.gateId));
  noteCompacting(agent, event);
  moveMail(agent, event.messageId, 'written');
  const attempt = attemptOfLaunch(run, event.launchId);
  launchOf(attempt).written = event.end;
  delete attempt.failing.write;
}
