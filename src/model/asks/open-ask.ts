// Opens asks about a task or a run, and withdraws them without an answer.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import type { Failure } from '../core/failure.ts';
import { budgetAskId, questionId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { renderText } from '../inputs/render.ts';
import { underWay } from '../session/interrupted-note.ts';
import { type BudgetScope, type Exhausted, scopeName } from '../spending/budget.ts';
import type { Choice, TaskSubject } from './ask.ts';
import { lastAskAbout, nextNumber, openAskAbout } from './find-asks.ts';

/** Characters of a message to a person; the rest is shown beside it. */
const messageMax = 4_000;

export function askAtGate(run: Run, task: Task): RunEventBody {
  const whole = renderText(run, task, task.spec.gate?.message ?? '', ({ ref }) => `"signalbox output ${ref[1]}"`);
  return ask(run, task, { kind: 'gate', message: whole, choices: [] }, 'signalbox output <task>');
}

/** A retry is offered only for work: everything else would fail again in the same way. */
export function askAboutFailure(run: Run, task: Task, failure: Failure): RunEventBody {
  const { kind: taskKind, name } = task.spec;
  const message = `"${name}" has failed (${failure.reason}): ${failure.detail}`;
  const choices: readonly Choice[] = taskKind === 'work' ? ['retry', 'continue', 'stop'] : ['continue', 'stop'];
  const kind = failure.reason === 'conflict' ? 'conflict' : 'failure';
  return ask(run, task, { kind, message, choices, failure }, 'signalbox events <run>');
}

/** The process died in the middle of a turn: the attempt is parked until a person decides whether it continues. */
export function askAfterCrash(run: Run, attempt: Attempt, calls: readonly string[]): RunEventBody[] {
  const inFlight = keptCalls(calls);
  const task = taskOf(run, attempt.taskId);
  const detail = 'its process died in the middle of a turn';
  const effects = inFlight.length === 0 ? 'What it did then' : `${underWay(inFlight)}What they did`;
  const message = `"${task.spec.name}": ${detail}. ${effects} may have taken effect in part. May it go on?`;
  const asked = ask(run, task, { kind: 'crash', message, choices: [] }, 'signalbox logs <task>');
  const why = { kind: 'person', askId: nextAskId(run, task), detail, inFlight } as const;
  return [{ type: 'attempt.parked', attemptId: attempt.id, why }, asked];
}

/** A question in the agent's own words, which are shown as such. */
export function askForAgent(run: Run, task: Task, question: string, options: readonly string[]): RunEventBody {
  return ask(run, task, { kind: 'question', message: question, choices: options }, 'signalbox logs <task>');
}

/** Opened once, until the budget is raised. */
export function askForBudget(run: Run, scope: BudgetScope, { what, spent, limit }: Exhausted): RunEventBody {
  const owner = scope.of === 'run' ? (run.spec?.id ?? 'run_') : scope.taskId;
  const askId = budgetAskId(scope.of, owner, nextNumber(run, `budget ${scopeName(scope)}`));
  return { type: 'ask.opened', askId, kind: 'budget', scope, what, spent, limit };
}

/** The agent's own text, so it is bounded. */
export function keptCalls(calls: readonly string[]): readonly string[] {
  return calls.slice(0, callsMax).map((call) => call.slice(0, callMax));
}

const callsMax = 20;
const callMax = 500;

/** The id that the next ask about a task will have. */
export function nextAskId(run: Run, { spec: { id } }: Task): ReturnType<typeof questionId> {
  return questionId(id, nextNumber(run, id));
}

function ask(run: Run, task: Task, { message, ...subject }: Omit<TaskSubject, 'taskId'>, whole: string): RunEventBody {
  const cut = message.length > messageMax ? `${message.slice(0, messageMax)}\n[cut: "${whole}" shows more]` : message;
  return { type: 'ask.opened', askId: nextAskId(run, task), ...subject, taskId: task.spec.id, message: cut };
}

/** No agent works on the task: a person decides how it continues. */
export function waitsForAnswer(run: Run, task: Task): boolean {
  const open = openAskAbout(run, task);
  return open !== null && open.kind !== 'crash' && open.kind !== 'question';
}

/** For an attempt that will not continue. */
export function withdrawFor(run: Run, { taskId }: Attempt, why: string): RunEventBody[] {
  return withdraw(run, taskOf(run, taskId), why);
}

/** The answer is no longer needed. */
export function withdraw(run: Run, { spec: { id } }: Task, why: string): RunEventBody[] {
  const last = lastAskAbout(run, id);
  return last?.state === 'open' ? [{ type: 'ask.expired', askId: last.id, why, values: null }] : [];
}
