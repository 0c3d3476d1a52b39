// Rules on what people are asked about tasks: asked when it is due, decided at most once, by who may, in time and as they
// said; and nothing follows from it but what was decided.

import { checkOutOfQuota, failureOf, isAskedAbout, isCurable } from '../tasks/failures.ts';
import { attemptsLeft, checkLookedAt, conditionHolds } from '../tasks/graph-rules.ts';
import type { Data, GateData, OutcomeData } from '../view/event-data.ts';
import type { AskAnswer, AskView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

export function taskAskEvent(view: View, task: TaskView, type: string, at: number, data: Data): void {
  task.last = type;
  if (type === 'ask.opened') return openAsk(view, task, at, data);
  const { ask } = task;
  const id = data.askId ?? 'undefined';
  if (ask?.id !== id || ask.state !== 'open') {
    return blame(view, 7, `${type} of ${id}, which is ${ask?.id === id ? ask.state : 'not asked'}`);
  }
  ask.values = data.values ?? null;
  ask.late = isLate(ask, task.spec.gate, at);
  if (type === 'ask.answered') return answer(view, task, ask, data);
  ask.state = 'expired';
}

function openAsk(view: View, task: TaskView, at: number, { askId: id = 'undefined', kind, failure }: Data): void {
  const before = task.ask;
  const right = `ask_${task.id.replace('task_', '')}-q${task.asks + 1}`;
  if (id !== right) blame(view, 2, `${id} is asked about ${task.id}, ${right} is next`);
  if (before?.state === 'open') blame(view, 7, `${id} is asked while ${before.id} is open`);
  if (kind === 'gate') {
    checkLookedAt(view, task, 'asked about');
    if (task.spec.kind !== 'gate') blame(view, 2, `${id} is asked, and ${task.id} is no gate`);
    if (!conditionHolds(task)) blame(view, 7, `${id} is asked although the condition of ${task.id} does not hold`);
  } else if (kind === 'question') askedBy(view, task, id);
  else {
    checkFailed(view, task, failure?.reason);
    const right = failure?.reason === 'conflict' ? 'conflict' : 'failure';
    if (kind !== right) blame(view, 2, `${id} is asked as ${kind}, and is about ${failure?.reason}`);
  }
  task.asks += 1;
  task.ask = {
    id,
    kind: kind ?? 'undefined',
    openedAt: at,
    state: 'open',
    late: false,
    choice: null,
    values: null,
    failure: failure?.reason ?? null,
  };
  if (kind !== 'question') task.state = 'asked';
}

/** An agent asks, which is at work. */
function askedBy(view: View, { attempt }: TaskView, id: string): void {
  if (attempt?.state !== 'running') return blame(view, 7, `${id} is asked by nobody who is at work`);
  attempt.spawning.doings.push('ask.opened');
}

/** It is asked only about what has failed for good. */
function checkFailed(view: View, task: TaskView, reason: string | undefined): void {
  const { id, spec, run } = task;
  if (!isAskedAbout(task, reason)) {
    blame(view, 7, `a person is asked about the failure of ${id}, which does not say so`);
  }
  if (run.state !== 'running') blame(view, 7, `a person is asked about ${id} while ${run.id} is ${run.state}`);
  if ((spec.kind ?? 'work') !== 'work') return checkLookedAt(view, task, 'asked about');
  if (task.state === 'waiting' && reason === 'quota') return checkOutOfQuota(view, task);
  if (task.state !== 'attemptEnded' || failureOf(task) !== reason) {
    return blame(view, 3, `a person is asked about ${reason} of ${id}, which is ${task.state} for ${failureOf(task)}`);
  }
  if (reason === 'stopped') blame(view, 3, `a person is asked about ${id}, which was stopped`);
  if (reason !== undefined && isCurable(task, reason) && attemptsLeft(task) > 0) {
    blame(view, 8, `a person is asked about ${id} with ${attemptsLeft(task)} attempts left`);
  }
}

function answer(view: View, task: TaskView, ask: AskView, data: Data): void {
  const { id } = ask;
  const { approved = false, by = 'undefined', choice = null } = data;
  const who = ask.kind === 'gate' ? (task.spec.gate?.who ?? []) : [];
  if (who.length > 0 && !who.includes(by)) blame(view, 7, `${id} is decided by ${by}, who may not`);
  if (ask.late) blame(view, 7, `${id} is decided after its time`);
  const said = (view.askAnswers.get(id) ?? []).some(
    (each) => each.by === by && each.approved === approved && each.choice === choice && fits(task, data, each),
  );
  if (!said) blame(view, 7, `${id} is recorded as ${choice ?? approved} by ${by}, and nobody said so`);
  if (isFailure(ask) && !['retry', 'continue', 'stop'].includes(choice ?? '')) {
    blame(view, 7, `${id} is decided as ${choice}, which is no choice`);
  }
  ask.state = approved ? 'approved' : 'rejected';
  ask.choice = choice;
}

/** Simulated forms have at most one field, a number called n. */
function fits({ spec: { gate }, ask }: TaskView, { values, approved }: Data, said: AskAnswer): boolean {
  const field = ask?.kind === 'gate' && approved === true ? gate?.form?.[0] : undefined;
  if (field === undefined) return Object.keys(values ?? {}).length === 0;
  const n = said.values['n'] ?? field.usual;
  return typeof n === 'number' && values?.['n'] === n;
}

function isLate({ kind, openedAt }: AskView, gate: GateData | null | undefined, at: number): boolean {
  const timeoutMs = gate?.timeoutMs ?? null;
  return kind === 'gate' && timeoutMs !== null && at - openedAt >= timeoutMs;
}

/** The outcome of a task that a person was asked about is exactly what the person decided. */
export function checkAsked(view: View, task: TaskView, outcome: OutcomeData): void {
  const { id, ask, spec } = task;
  if (ask === null || ask.state === 'open') {
    return blame(view, 7, `${id} is ended as ${outcome.kind} while a person is asked about it`);
  }
  const { state, late, choice } = ask;
  const reason = outcome.failure?.reason;
  const byTimeout = state === 'expired' && late ? (spec.gate?.onTimeout ?? null) : null;
  const right =
    outcome.kind === 'stopped'
      ? state === 'expired'
      : isFailure(ask)
        ? outcome.kind === 'failed' && reason === ask.failure && (choice === 'continue' || choice === 'stop')
        : outcome.kind === 'succeeded'
          ? state === 'approved' || byTimeout === 'approve'
          : outcome.kind === 'failed' && reason === 'rejected' && (state === 'rejected' || byTimeout === 'reject');
  if (!right) blame(view, 7, `${id} is ended as ${outcome.kind}, and ${ask.id} is ${choice ?? state}`);
  if (isFailure(ask) && choice === 'stop' && task.run.state !== 'stopping') {
    blame(view, 8, `${ask.id} was to stop ${task.run.id}, and that goes on`);
  }
}

/** true: it is a person's word that it is tried again. */
export function isRetriedByWord({ state, ask }: TaskView): boolean {
  return state === 'asked' && ask?.state === 'approved' && ask.choice === 'retry';
}

function isFailure({ kind }: AskView): boolean {
  return kind === 'failure' || kind === 'conflict';
}
