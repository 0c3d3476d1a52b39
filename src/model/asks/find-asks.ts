// Finds the asks of a run by what they are about.

import { must } from '../../std/assert.ts';
import { type AskId, askNumber, type RunId, type TaskId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import { type BudgetScope, scopeName } from '../spending/budget.ts';
import { type Ask, type AskEvent, type AskOf, isRequest, type RequestAsk, type TaskAsk } from './ask.ts';

/** What an ask is about. An attempt may have many requests; of everything else there is one ask at a time, the last. */
export function ownerOf(ask: Ask): string {
  if (isRequest(ask)) return ask.attemptId;
  switch (ask.kind) {
    case 'consent':
      return ask.withRun;
    case 'budget':
      return `budget ${scopeName(ask.scope)}`;
    default:
      return ask.taskId;
  }
}

/** All requests by an agent's own protocol, while its attempt lives. */
export function requestsOf(run: Run, { id }: { readonly id: string }): readonly RequestAsk[] {
  return (run.asksOf.get(id) ?? []) as RequestAsk[];
}

/** Open requests, in the order of asking. */
export function openRequests(run: Run, attempt: { readonly id: string }): RequestAsk[] {
  return requestsOf(run, attempt).filter(({ state }) => state === 'open');
}

export function requestAsk(run: Run, id: AskId): RequestAsk {
  const ask = must(run.asks.get(id), `no ask ${id}`);
  return must(isRequest(ask) ? ask : undefined, `${id} is asked by an agent`);
}

/** The last ask about a task itself, open or not; null = there was none. */
export function lastAskAbout(run: Run, taskId: TaskId): TaskAsk | null {
  return (run.asksOf.get(taskId)?.[0] ?? null) as TaskAsk | null;
}

export function openAskAbout(run: Run, { spec }: Pick<Task, 'spec'>): TaskAsk | null {
  const last = lastAskAbout(run, spec.id);
  return last?.state === 'open' ? last : null;
}

export function consentAskedFor(run: Run, withRun: RunId): AskOf<'consent'> | null {
  return (run.asksOf.get(withRun)?.[0] ?? null) as AskOf<'consent'> | null;
}

/** The open ask of an exhausted budget that was not raised since. */
export function openBudgetAsk(run: Run, scope: BudgetScope): AskOf<'budget'> | null {
  const last = (run.asksOf.get(`budget ${scopeName(scope)}`)?.[0] ?? null) as AskOf<'budget'> | null;
  return last?.state === 'open' ? last : null;
}

export function openBudgetAsks(run: Run): AskOf<'budget'>[] {
  return openAsks(run).filter((ask) => ask.kind === 'budget');
}

/** The first asked first. */
export function openAsks(run: Run): Ask[] {
  return [...run.openAsks.values()];
}

/** The number of the next ask of that owner. */
export function nextNumber(run: Run, owner: string): number {
  const last = run.asksOf.get(owner)?.at(-1);
  return last === undefined ? 1 : askNumber(last.id) + 1;
}

/** The task that this answer retries; null = none. */
export function retriedBy(run: Run, { askId, choice }: Extract<AskEvent, { type: 'ask.answered' }>): TaskId | null {
  const ask = choice === 'retry' ? run.asks.get(askId) : undefined;
  return ask?.kind === 'failure' || ask?.kind === 'conflict' ? ask.taskId : null;
}
