// Rules on what people are asked about tasks: asked when it is due, decided at most once, by who may, in time and as they
// said; and nothing follows from it but what was decided.

import { checkOutOfQuota, failureOf, isAskedAbout, isCurable } from '../tasks/failures.ts';
import { attemptsLeft, checkLookedAt, conditionHolds } from '../tasks/graph-rules.ts';
import type { Data, GateData, OutcomeData } from '../view/event-data.ts';
import { blame, type QuestionAnswer, type QuestionView, type Scene, type TaskView } from '../view/view.ts';

export function questionEvent(scene: Scene, task: TaskView, type: string, at: number, data: Data): void {
  task.last = type;
  if (type === 'ask.opened') return ask(scene, task, at, data);
  const { question } = task;
  const id = data.askId ?? 'undefined';
  if (question?.id !== id || question.state !== 'open') {
    return blame(scene, 7, `${type} of ${id}, which is ${question?.id === id ? question.state : 'not asked'}`);
  }
  question.values = data.values ?? null;
  question.late = isLate(question, task.spec.gate, at);
  if (type === 'ask.answered') return answer(scene, task, question, data);
  question.state = 'expired';
}

function ask(scene: Scene, task: TaskView, at: number, { askId: id = 'undefined', kind, failure }: Data): void {
  const before = task.question;
  const right = `ask_${task.id.replace('task_', '')}-q${task.questions + 1}`;
  if (id !== right) blame(scene, 2, `${id} is asked about ${task.id}, ${right} is next`);
  if (before?.state === 'open') blame(scene, 7, `${id} is asked while ${before.id} is open`);
  if (kind === 'gate') {
    checkLookedAt(scene, task, 'asked about');
    if (task.spec.kind !== 'gate') blame(scene, 2, `${id} is asked, and ${task.id} is no gate`);
    if (!conditionHolds(task)) blame(scene, 7, `${id} is asked although the condition of ${task.id} does not hold`);
  } else if (kind === 'question') askedBy(scene, task, id);
  else {
    checkFailed(scene, task, failure?.reason);
    const right = failure?.reason === 'conflict' ? 'conflict' : 'failure';
    if (kind !== right) blame(scene, 2, `${id} is asked as ${kind}, and is about ${failure?.reason}`);
  }
  task.questions += 1;
  task.question = {
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
function askedBy(scene: Scene, { attempt }: TaskView, id: string): void {
  if (attempt?.state !== 'running') return blame(scene, 7, `${id} is asked by nobody who is at work`);
  attempt.spawning.doings.push('ask.opened');
}

/** It is asked only about what has failed for good. */
function checkFailed(scene: Scene, task: TaskView, reason: string | undefined): void {
  const { id, spec, run } = task;
  if (!isAskedAbout(task, reason)) {
    blame(scene, 7, `a person is asked about the failure of ${id}, which does not say so`);
  }
  if (run.state !== 'running') blame(scene, 7, `a person is asked about ${id} while ${run.id} is ${run.state}`);
  if ((spec.kind ?? 'work') !== 'work') return checkLookedAt(scene, task, 'asked about');
  if (task.state === 'waiting' && reason === 'quota') return checkOutOfQuota(scene, task);
  if (task.state !== 'attemptEnded' || failureOf(task) !== reason) {
    return blame(scene, 3, `a person is asked about ${reason} of ${id}, which is ${task.state} for ${failureOf(task)}`);
  }
  if (reason === 'stopped') blame(scene, 3, `a person is asked about ${id}, which was stopped`);
  if (reason !== undefined && isCurable(task, reason) && attemptsLeft(task) > 0) {
    blame(scene, 8, `a person is asked about ${id} with ${attemptsLeft(task)} attempts left`);
  }
}

function answer(scene: Scene, task: TaskView, question: QuestionView, data: Data): void {
  const { id } = question;
  const { approved = false, by = 'undefined', choice = null } = data;
  const who = question.kind === 'gate' ? (task.spec.gate?.who ?? []) : [];
  if (who.length > 0 && !who.includes(by)) blame(scene, 7, `${id} is decided by ${by}, who may not`);
  if (question.late) blame(scene, 7, `${id} is decided after its time`);
  const said = (scene.told.get(id) ?? []).some(
    (each) => each.by === by && each.approved === approved && each.choice === choice && fits(task, data, each),
  );
  if (!said) blame(scene, 7, `${id} is recorded as ${choice ?? approved} by ${by}, and nobody said so`);
  if (isFailure(question) && !['retry', 'continue', 'stop'].includes(choice ?? '')) {
    blame(scene, 7, `${id} is decided as ${choice}, which is no choice`);
  }
  question.state = approved ? 'approved' : 'rejected';
  question.choice = choice;
}

/** Simulated forms have at most one field, a number called n. */
function fits({ spec: { gate }, question }: TaskView, { values, approved }: Data, said: QuestionAnswer): boolean {
  const field = question?.kind === 'gate' && approved === true ? gate?.form?.[0] : undefined;
  if (field === undefined) return Object.keys(values ?? {}).length === 0;
  const n = said.values['n'] ?? field.usual;
  return typeof n === 'number' && values?.['n'] === n;
}

function isLate({ kind, openedAt }: QuestionView, gate: GateData | null | undefined, at: number): boolean {
  const timeoutMs = gate?.timeoutMs ?? null;
  return kind === 'gate' && timeoutMs !== null && at - openedAt >= timeoutMs;
}

/** What became of a task about which a person was asked is what was decided, and nothing else. */
export function checkAsked(scene: Scene, task: TaskView, outcome: OutcomeData): void {
  const { id, question, spec } = task;
  if (question === null || question.state === 'open') {
    return blame(scene, 7, `${id} is ended as ${outcome.kind} while a person is asked about it`);
  }
  const { state, late, choice } = question;
  const reason = outcome.failure?.reason;
  const byTimeout = state === 'expired' && late ? (spec.gate?.onTimeout ?? null) : null;
  const right =
    outcome.kind === 'stopped'
      ? state === 'expired'
      : isFailure(question)
        ? outcome.kind === 'failed' && reason === question.failure && (choice === 'continue' || choice === 'stop')
        : outcome.kind === 'succeeded'
          ? state === 'approved' || byTimeout === 'approve'
          : outcome.kind === 'failed' && reason === 'rejected' && (state === 'rejected' || byTimeout === 'reject');
  if (!right) blame(scene, 7, `${id} is ended as ${outcome.kind}, and ${question.id} is ${choice ?? state}`);
  if (isFailure(question) && choice === 'stop' && task.run.state !== 'stopping') {
    blame(scene, 8, `${question.id} was to stop ${task.run.id}, and that goes on`);
  }
}

/** true: it is a person's word that it is tried again. */
export function isRetriedByWord({ state, question }: TaskView): boolean {
  return state === 'asked' && question?.state === 'approved' && question.choice === 'retry';
}

function isFailure({ kind }: QuestionView): boolean {
  return kind === 'failure' || kind === 'conflict';
}
