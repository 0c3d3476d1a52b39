// Folds what becomes of an agent, and what is said to it.

import { unreachable } from '../std/assert.ts';
import type { Agent, Message } from './agent.ts';
import type { RunEvent } from './events.ts';
import { forgetInput } from './evolve-gate.ts';
import { agentOf, attemptOfLaunch, gateOf, launchOf, taskOf } from './lookup.ts';
import { moveMail } from './mail.ts';
import type { Run } from './run.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type AgentEvent = Extract<RunEvent, { type: `agent.${string}` | `message.${string}` }>;

export function evolveAgent(run: Run, event: AgentEvent): void {
  switch (event.type) {
    case 'agent.created': {
      const { agentId: id, taskId, name } = event;
      run.agents.set(id, { id, taskId, name, session: null, metered: [], settled: [], mail: [] });
      return;
    }
    case 'agent.session':
      agentOf(run, event.agentId).session = event.session;
      return;
    case 'agent.sessionLost':
      return loseSession(agentOf(run, event.agentId));
    case 'message.queued':
      return queueMessage(run, event);
    case 'message.written':
      return writeMessage(run, event);
    case 'message.delivered':
      return moveMail(agentOf(run, event.agentId), event.messageId, 'delivered');
    case 'message.found':
      return moveMail(agentOf(run, event.agentId), event.messageId, 'found');
    default:
      unreachable(event);
  }
}

/** What Signalbox told the lost session is of no use to a new one; what others said is. */
function loseSession(agent: Agent): void {
  agent.session = null;
  agent.metered = [];
  agent.settled = [];
  agent.mail = agent.mail.filter((message) => message.from !== 'signalbox');
}

function queueMessage(run: Run, event: Of<'message.queued'>): void {
  const agent = agentOf(run, event.agentId);
  const message: Message = { id: event.messageId, from: event.from, body: event.body, state: 'queued' };
  // A prompt comes first, whatever else waits.
  if (event.body.kind === 'prompt') agent.mail.unshift(message);
  else agent.mail.push(message);
  const attempt = taskOf(run, agent.taskId).attempt;
  if (attempt !== null && event.from === 'signalbox') attempt.ownMessages += 1;
}

function writeMessage(run: Run, event: Of<'message.written'>): void {
  const agent = agentOf(run, event.agentId);
  const body = agent.mail.find(({ id }) => id === event.messageId)?.body;
  if (body?.kind === 'answer') forgetInput(gateOf(run, body.gateId));
  moveMail(agent, event.messageId, 'written');
  const attempt = attemptOfLaunch(run, event.launchId);
  launchOf(attempt).written = event.end;
  delete attempt.failing.write;
}
