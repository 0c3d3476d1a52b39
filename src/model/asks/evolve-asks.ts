// Folds asks. Only this file writes `run.asks` and its indices.

import { must, unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import type { AskId, AttemptId } from '../core/ids.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { askNext, next } from '../core/states.ts';
import { type Ask, type AskEvent, isRequest, type RequestAsk } from './ask.ts';
import { ownerOf, requestsOf } from './find-asks.ts';
import { callOf } from './permission.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<AskEvent['type'] | 'record.written' | 'attempt.ended'>;

export function evolveAsks(run: Run, event: Concerned): void {
  if (event.type === 'attempt.ended') return forgetRequests(run, event.attemptId);
  if (event.type === 'record.written') {
    const body = agentOf(run, event.agentId).mailbox.records.find(({ id }) => id === event.recordId)?.body;
    if (body?.kind === 'answer') forgetInput(run, body.askId);
    return;
  }
  if (event.type === 'ask.opened') {
    const { type: _, askId: id, at: openedAt, ...subject } = event;
    return keepAsk(run, { id, openedAt, state: 'open', answer: null, values: null, ...subject });
  }
  const ask = must(run.asks.get(event.askId), `${event.askId} was opened`);
  run.openAsks.delete(ask.id);
  ask.values = event.values;
  switch (event.type) {
    case 'ask.answered': {
      const { type: _, askId: _id, values: _v, at, ...answer } = event;
      ask.state = next(askNext, ask.state, answer.approved ? 'approved' : 'rejected');
      ask.answer = { ...answer, at };
      if (isRequest(ask)) remember(run, ask);
      return;
    }
    case 'ask.expired':
      ask.state = next(askNext, ask.state, 'expired');
      if (isRequest(ask)) forgetInput(run, ask.id);
      return;
    default:
      unreachable(event);
  }
}

/** Also used when a snapshot is loaded. Of the asks about the same thing the last is kept; of an agent's requests all. */
export function keepAsk(run: Run, ask: Ask): void {
  const owner = ownerOf(ask);
  const before = run.asksOf.get(owner) ?? [];
  if (!isRequest(ask)) {
    for (const { id } of before) run.asks.delete(id);
    // So that both are in the order of asking, in which a snapshot stores them.
    run.asksOf.delete(owner);
  }
  run.asksOf.set(owner, isRequest(ask) ? [...before, ask] : [ask]);
  run.asks.set(ask.id, ask);
  if (ask.state === 'open') run.openAsks.set(ask.id, ask);
}

/** The requests of an agent are dropped with its attempt. */
function forgetRequests(run: Run, attemptId: AttemptId): void {
  for (const { id } of requestsOf(run, { id: attemptId })) {
    run.asks.delete(id);
    run.openAsks.delete(id);
  }
  run.asksOf.delete(attemptId);
}

/** The input of a request may be large and is in the journal; the decision, and who made it, is kept. */
function forgetInput(run: Run, id: AskId): void {
  const ask = run.asks.get(id);
  if (ask === undefined || !isRequest(ask)) return;
  ask.request = { ...ask.request, input: null };
}

function remember(run: Run, { request: { tool, input }, answer }: RequestAsk): void {
  if (answer?.remember === undefined) return;
  const call = answer.remember === 'call' ? callOf(input) : null;
  run.remembered.push({ tool, call, approved: answer.approved });
}
