// Folds what becomes of an agent's conversation.

import { unreachable } from '../../std/assert.ts';
import { forgive } from '../asks/evolve-question.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { loseSession } from '../evolve-agent.ts';
import { isComplete, renewalsMax } from './handoff.ts';
import { rememberFilling } from './memory.ts';
import type { SessionEvent as Body } from './session-events.ts';

type SessionEvent = Extract<RunEvent, Body>;

export function isSessionEvent(event: RunEvent): event is SessionEvent {
  return event.type.startsWith('session.') || event.type.startsWith('context.') || event.type.startsWith('handoff.');
}

export function evolveSession(run: Run, event: SessionEvent): void {
  if (event.type === 'session.steered') {
    const { recordId, from, text } = event;
    const task = taskOf(run, event.taskId);
    task.steered = [...task.steered, { recordId, from, text }];
    forgive(task, event.at);
    return;
  }
  const agent = agentOf(run, event.agentId);
  const { memory } = agent;
  switch (event.type) {
    case 'session.renewed':
      noteRenewal(attemptOf(run, event.attemptId));
      return loseSession(agent, 'handedOver');
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
      // Who has nothing left to do was asked in vain, and is not asked again.
      if (!memory.handedOver) memory.handoversAsked = 0;
      return;
    }
    default:
      unreachable(event);
  }
}

/** One that begins so is no renewal of its own. */
function noteRenewal(attempt: Attempt): void {
  if (attempt.launches > 0) attempt.renewals += 1;
  // What the former session waited for, the new one is told of.
  attempt.waits = null;
}
