// Opens asks for requests by an agent's own protocol, and expires those that the agent has withdrawn.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { permissionId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { AgentFact } from '../session/agent-fact.ts';
import { openRequests, requestsOf } from './find-asks.ts';

export function requestEvents(run: Run, attempt: Attempt, facts: readonly AgentFact[]): RunEventBody[] {
  const events: RunEventBody[] = [];
  const asked = new Map(openRequests(run, attempt).map(({ id, request }) => [request.requestId, id]));
  let opened = requestsOf(run, attempt).length;
  for (const fact of facts) {
    if (fact.kind === 'permissionRequest' && attempt.stop === null) {
      const { kind: _, ...request } = fact;
      opened += 1;
      const askId = permissionId(attempt.id, opened);
      asked.set(request.requestId, askId);
      const kind = request.questions === undefined ? 'permission' : 'question';
      events.push({ type: 'ask.opened', askId, kind, attemptId: attempt.id, request });
    }
    if (fact.kind !== 'withdrawn') continue;
    const askId = asked.get(fact.requestId);
    asked.delete(fact.requestId);
    if (askId !== undefined) {
      events.push({ type: 'ask.expired', askId, why: 'the agent withdrew its question', values: null });
    }
  }
  return events;
}

export function expireRequests(run: Run, attempt: Attempt, why: string): RunEventBody[] {
  return openRequests(run, attempt).map(({ id: askId }) => ({ type: 'ask.expired', askId, why, values: null }));
}
