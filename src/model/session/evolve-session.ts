// Folds the events of an agent's session and its memory.

import { unreachable } from '../../std/assert.ts';
import type { Agent } from '../core/agent.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, attemptOfLaunch, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { allSeen, rememberCall } from './answered-calls.ts';
import { isComplete, renewalsMax } from './handoff.ts';
import { forgetSession, rememberArtifact, rememberFilling, rememberTurn } from './memory.ts';
import type { SessionEvent } from './session-events.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<
  | SessionEvent['type']
  | 'agent.session'
  | 'agent.sessionLost'
  | 'record.queued'
  | 'record.written'
  | 'record.delivered'
  | 'message.taken'
  | 'call.answered'
  | 'turn.ended'
  | 'launch.intended'
  | 'launch.ended'
  | 'launch.lost'
  | 'artifact.stored'
  | 'attempt.started'
  | 'task.ended'
>;

export function evolveSession(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'session.steered': {
      const { recordId, from, text } = event;
      const task = taskOf(run, event.taskId);
      task.session.steered = [...task.session.steered, { recordId, from, text }];
      return;
    }
    case 'attempt.started':
    case 'task.ended':
      taskOf(run, event.taskId).session.steered = [];
      return;
    case 'record.queued':
      return noteSaid(run, event);
    case 'message.taken': {
      const agent = agentOf(run, attemptOf(run, event.attemptId).agentId);
      agent.memory.taken = [...agent.memory.taken, ...event.messages];
      return;
    }
    case 'launch.intended': {
      const { memory } = agentOf(run, attemptOf(run, event.attemptId).agentId);
      if (memory.compaction === 'asked') memory.compaction = 'tried';
      return;
    }
    case 'launch.ended':
    case 'launch.lost':
      agentOf(run, attemptOfLaunch(run, event.launchId).agentId).memory.inFlight = event.inFlight ?? [];
      return;
    case 'artifact.stored':
      return rememberArtifact(agentOf(run, attemptOf(run, event.attemptId).agentId).memory, event);
    default:
      return evolveAgent(agentOf(run, event.agentId), event);
  }
}

type OfAgent = Exclude<
  Concerned,
  {
    type:
      | 'session.steered'
      | 'attempt.started'
      | 'task.ended'
      | 'record.queued'
      | 'message.taken'
      | `launch.${string}`
      | 'artifact.stored';
  }
>;

function evolveAgent(agent: Agent, event: OfAgent): void {
  const { memory } = agent;
  switch (event.type) {
    case 'agent.session':
      agent.session = event.session;
      return;
    case 'agent.sessionLost':
    case 'session.renewed':
      agent.session = null;
      return forgetSession(memory, event.type === 'session.renewed' ? 'handedOver' : 'lost');
    case 'record.written':
    case 'record.delivered':
      return noteCompacting(agent, event);
    case 'call.answered':
      return rememberCall(agent, event);
    case 'turn.ended':
      if (event.turn.kind === 'ok') allSeen(agent);
      return rememberTurn(memory, event);
    case 'context.filled':
    case 'context.compacted':
      return rememberFilling(memory, event);
    case 'handoff.asked':
      memory.handoversAsked += 1;
      return;
    case 'handoff.given': {
      const { artifactId, handoff } = event;
      memory.handoffs = [...memory.handoffs, { artifactId, handoff }].slice(-renewalsMax - 1);
      memory.handedOver = !isComplete(handoff);
      // An agent with nothing left to do needs no handoff, and is not asked again.
      if (!memory.handedOver) memory.handoversAsked = 0;
      return;
    }
    default:
      unreachable(event);
  }
}

/** Counts from the first of the two events, written or delivered: by the second one the compaction may be done. */
function noteCompacting(agent: Agent, { recordId }: Of<'record.written' | 'record.delivered'>): void {
  const message = agent.mailbox.records.find(({ id }) => id === recordId);
  if (message?.body.kind === 'compact' && message.state === 'queued') agent.memory.compaction = 'asked';
}

/** These texts are shown only in part anyway. */
const saidMax = 1_000;
const sayingsMax = 8;

function noteSaid(run: Run, { agentId, recordId, from, body }: Of<'record.queued'>): void {
  if (body.kind !== 'text' || from === 'signalbox') return;
  const task = taskOf(run, agentOf(run, agentId).taskId);
  task.session.said = [...task.session.said, { recordId, from, text: body.text.slice(0, saidMax) }].slice(-sayingsMax);
}
