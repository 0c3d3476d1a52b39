// What an agent asks to use becomes an ask; what it no longer asks expires.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { permissionId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { AgentFact } from '../session/agent-fact.ts';
import { openPermissions, permissionsOf } from './find-asks.ts';

export function permissionEvents(run: Run, attempt: Attempt, facts: readonly AgentFact[]): RunEventBody[] {
  const events: RunEventBody[] = [];
  const asked = new Map(openPermissions(run, attempt).map(({ id, request }) => [request.requestId, id]));
  let opened = permissionsOf(run, attempt).length;
  for (const fact of facts) {
    if (fact.kind === 'permissionRequest' && attempt.stop === null) {
      const { requestId, tool, input } = fact;
      opened += 1;
      const askId = permissionId(attempt.id, opened);
      asked.set(requestId, askId);
      const request = { requestId, tool, input };
      events.push({ type: 'ask.opened', askId, kind: 'permission', attemptId: attempt.id, request });
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

export function expirePermissions(run: Run, attempt: Attempt, why: string): RunEventBody[] {
  return openPermissions(run, attempt).map(({ id: askId }) => ({ type: 'ask.expired', askId, why, values: null }));
}
