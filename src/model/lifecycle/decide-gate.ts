// Decisions on what an agent asks: a person answers once, or nobody needs the answer any more.

import { openGates } from '../asks/evolve-gate.ts';
import type { Attempt } from '../core/attempt.ts';
import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { attemptOfAsk, permissionId, taskOfConsent, taskOfQuestion } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import { decideConsent } from '../messages/decide-consent.ts';
import { ownRecord } from '../messages/own-record.ts';
import type { AgentFact } from '../session/agent-fact.ts';
import { decideAnswer } from './decide-question.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function answerAsk(run: Run, command: Of<'answerAsk'>, now: number): Decision {
  if (taskOfConsent(command.askId) !== null) return decideConsent(run, command, now);
  const about = taskOfQuestion(command.askId);
  return about === null ? decidePermission(run, command) : decideAnswer(run, about, command, now);
}

function decidePermission(run: Run, command: Of<'answerAsk'>): Decision {
  const { askId: id, approved, by, message, remember } = command;
  const attempt = run.live.get(attemptOfAsk(id));
  const gate = attempt?.gates.find((each) => each.id === id);
  if (attempt === undefined || gate === undefined) return refused('unknown', `nobody waits for an answer to ${id}`);
  if (gate.decision !== null) {
    const { decision } = gate;
    // The same answer again is no news, and no error to whoever did not hear that it arrived.
    if (decision.approved === approved && decision.by === by) return refused('stale', `${id} is decided`);
    return refused('notAllowed', `${decision.by} has ${decision.approved ? 'approved' : 'rejected'} it already`);
  }
  if (gate.state === 'expired') return refused('notAllowed', `the agent no longer waits for an answer to ${id}`);
  if (Object.keys(command.values ?? {}).length > 0 || (command.choice ?? null) !== null) {
    return refused('notAllowed', 'there is nothing to fill in or to choose: approve or reject it');
  }
  if (attempt.stop !== null) return refused('notAllowed', `the agent is being stopped (${attempt.stop.reason})`);
  return decided([
    { type: 'gate.decided', askId: id, approved, by, message, remember },
    ownRecord(attempt, { kind: 'answer', askId: id }),
  ]);
}

/** What an agent asks becomes a gate; what it no longer asks closes one. */
export function gateEvents(attempt: Attempt, facts: readonly AgentFact[]): RunEventBody[] {
  const events: RunEventBody[] = [];
  const asked = new Map(openGates(attempt).map(({ id, ask }) => [ask.requestId, id]));
  let opened = attempt.gates.length;
  for (const fact of facts) {
    if (fact.kind === 'permissionRequest' && attempt.stop === null) {
      const { requestId, tool, input } = fact;
      opened += 1;
      const id = permissionId(attempt.id, opened);
      asked.set(requestId, id);
      events.push({ type: 'gate.opened', askId: id, attemptId: attempt.id, ask: { requestId, tool, input } });
    }
    if (fact.kind !== 'withdrawn') continue;
    const id = asked.get(fact.requestId);
    asked.delete(fact.requestId);
    if (id !== undefined) events.push({ type: 'gate.expired', askId: id, why: 'the agent withdrew its question' });
  }
  return events;
}

export function expireGates(attempt: Attempt, why: string): RunEventBody[] {
  return openGates(attempt).map(({ id }) => ({ type: 'gate.expired', askId: id, why }));
}
