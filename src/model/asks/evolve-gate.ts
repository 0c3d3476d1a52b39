// Folds the events of gates. A gate lives as long as the attempt that asked.

import { unreachable } from '../../std/assert.ts';
import type { Attempt, Gate } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, gateOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { gateNext, next } from '../core/states.ts';
import { callOf } from './permission.ts';

export function evolveGate(
  run: Run,
  event: Extract<
    RunEvent,
    { type: 'gate.opened' | 'gate.decided' | 'gate.expired' | 'record.written' | 'attempt.ended' }
  >,
): void {
  switch (event.type) {
    case 'gate.opened':
      attemptOf(run, event.attemptId).gates.push({
        id: event.askId,
        openedAt: event.at,
        ask: event.ask,
        state: 'open',
        decision: null,
      });
      return;
    case 'gate.decided': {
      const { approved, by, message, remember } = event;
      const gate = gateOf(run, event.askId);
      gate.state = next(gateNext, gate.state, approved ? 'approved' : 'rejected');
      gate.decision = { approved, by, message, remember };
      const { tool, input } = gate.ask;
      if (remember !== null) run.remembered.push({ tool, call: remember === 'call' ? callOf(input) : null, approved });
      return;
    }
    case 'gate.expired': {
      const gate = gateOf(run, event.askId);
      gate.state = next(gateNext, gate.state, 'expired');
      return forgetInput(gate);
    }
    case 'record.written': {
      const body = agentOf(run, event.agentId).records.find(({ id }) => id === event.recordId)?.body;
      if (body?.kind === 'answer') forgetInput(gateOf(run, body.askId));
      return;
    }
    case 'attempt.ended':
      attemptOf(run, event.attemptId).gates = [];
      return;
    default:
      unreachable(event);
  }
}

/** Those that wait for a person, in the order of asking. */
export function openGates(attempt: Attempt): Gate[] {
  return attempt.gates.filter(({ state }) => state === 'open');
}

/** What was asked may be large and is in the journal; that it was decided, and by whom, is still told. */
function forgetInput(gate: Gate): void {
  gate.ask = { ...gate.ask, input: null };
}
