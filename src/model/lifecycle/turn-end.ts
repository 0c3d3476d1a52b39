// What follows when an agent has ended its turn: a fresh session, another turn, rest, or its end.

import { askStop } from '../attempt/stopping.ts';
import { correct, outputProblems } from '../attempt/typed-output.ts';
import { restOf } from '../children/resting.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { isControl } from '../messages/record-body.ts';
import type { AgentFact, Turn } from '../session/agent-fact.ts';
import { beforeNextTurn, handoverAtTurnEnd } from './handing-over.ts';

/** The end of a turn: the facts, the events decided already, and how many of those are records to the agent. */
export interface TurnEnding {
  readonly facts: readonly AgentFact[];
  /** An input record waits to be read. */
  readonly waiting: boolean;
  readonly before: readonly RunEventBody[];
  readonly told: number;
}

export function afterTurn(run: Run, attempt: Attempt, ending: TurnEnding): RunEventBody[] {
  const { facts, waiting, before, told } = ending;
  const handover = handoverAtTurnEnd(run, attempt, lastTurn(facts), waiting, before, told);
  if (handover !== null) return handover;
  if (waiting) return beforeNextTurn(run, attempt, before, told);
  if (restsAfter(run, attempt, facts)) return [];
  const first = beforeNextTurn(run, attempt, before, told);
  const corrections = correctionsOf(run, attempt, facts, told + countOf(first));
  if (corrections.length === 0) return askStop(attempt, 'finished', 'the agent has no more to do', told);
  return [...first, ...corrections];
}

export function countOf(events: readonly RunEventBody[]): number {
  return events.filter(({ type }) => type === 'record.queued').length;
}

export function lastTurn(facts: readonly AgentFact[]): Turn | null {
  return facts.findLast((fact) => fact.kind === 'turnEnded')?.turn ?? null;
}

/** Whether it continues later: its children are at work, or it waits. An agent whose turn failed does not rest. */
function restsAfter(run: Run, attempt: Attempt, facts: readonly AgentFact[]): boolean {
  if (lastTurn(facts)?.kind !== 'ok' || isStopped(attempt)) return false;
  const delivered = new Set(facts.map((fact) => (fact.kind === 'delivered' ? fact.recordId : null)));
  const taken = agentOf(run, attempt.agentId).mailbox.records.filter(
    ({ id, body }) => delivered.has(id) && !isControl(body),
  );
  const messages = taken.flatMap(({ body }) => (body.kind === 'messages' ? body.messages : []));
  // Like the fold: reading a record ends a wait.
  return restOf(run, taken.length === 0 ? attempt : { ...attempt, waits: null }, messages) !== null;
}

/**
 * An agent whose turn ended well and that is not being stopped may correct its output; one that was asked to end does so in a
 * new process.
 */
function correctionsOf(run: Run, attempt: Attempt, facts: readonly AgentFact[], told: number): RunEventBody[] {
  if (lastTurn(facts)?.kind !== 'ok' || isStopped(attempt)) return [];
  const given = facts.findLast((fact) => fact.kind === 'output');
  const problems = outputProblems(run, attempt, given ?? attempt.result.output);
  return problems.length === 0 ? [] : correct(attempt, problems, told);
}

function isStopped({ stop }: Attempt): boolean {
  return stop !== null && stop.reason !== 'finished';
}
