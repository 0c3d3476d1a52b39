// What follows from a person's answer, and from an answer that did not come in time. Whether an answer is valid is checked
// before.

import { must } from '../../std/assert.ts';
import { type Answer, type Ask, type AskOf, isRequest, type TaskAsk } from '../asks/ask.ts';
import { checkAnswer, nextLate } from '../asks/check-answer.ts';
import { fillForm } from '../asks/form.ts';
import { askStop } from '../attempt/stopping.ts';
import { type Command, type Decision, decided } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import type { JsonObject } from '../core/json.ts';
import { attemptOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { answerMessage } from '../messages/own-message.ts';
import { ownRecord } from '../messages/own-record.ts';
import { setBudget } from '../parking/decide-parking.ts';
import { budgetAt } from '../spending/budget-state.ts';
import { endTask, failTask, failTaskAs, noConsequences } from '../tasks/end-task.ts';
import { giveConsent } from './decide-consent.ts';

type AnswerAsk = Extract<Command, { type: 'answerAsk' }>;

export function decideAnswer(run: Run, command: AnswerAsk, now: number): Decision {
  const checked = checkAnswer(run, command, now);
  if (checked.kind === 'refused') return checked;
  const { ask, answer } = checked;
  const values = takesNone.has(ask.kind) ? null : checked.values;
  const answered: RunEventBody = { type: 'ask.answered', askId: ask.id, values, ...answer };
  if (ask.kind !== 'budget') return decided(follows(run, ask, answer, answered, now));
  // Limits that are not named stay as they are.
  return setBudget(run, ask.scope, { ...budgetAt(run, ask.scope), ...command.set }, answer.by);
}

/** These asks have no form, so their answers have no values. */
const takesNone: ReadonlySet<Ask['kind']> = new Set(['question', 'permission', 'consent', 'budget']);

function follows(
  run: Run,
  ask: Exclude<Ask, { kind: 'budget' }>,
  answer: Answer,
  answered: RunEventBody,
  now: number,
): RunEventBody[] {
  if (isRequest(ask)) return [answered, ownRecord(attemptOf(run, ask.attemptId), { kind: 'answer', askId: ask.id })];
  switch (ask.kind) {
    case 'consent':
      return [answered, ...giveConsent(run, ask as AskOf<'consent'>, answer, now)];
    case 'question':
      return [answered, answerMessage(run, taskOf(run, ask.taskId), answer, now)];
    default:
      return afterTaskAsk(run, ask, answer, answered);
  }
}

function afterTaskAsk(run: Run, ask: TaskAsk, answer: Answer, answered: RunEventBody): RunEventBody[] {
  const { taskId } = ask;
  const task = taskOf(run, taskId);
  const all = noConsequences(answered);
  if (ask.kind === 'failure' || ask.kind === 'conflict') {
    const about = must(ask.failure, 'it was asked about a failure');
    if (answer.choice === 'retry') all.events.push({ type: 'task.delayed', taskId, delayMs: 0 });
    else failTaskAs(run, task, about, answer.choice === 'stop' ? 'stop' : 'skip', all);
  } else if (ask.kind === 'crash') {
    const attempt = must(task.attempt, 'it is an agent that may go on');
    if (!answer.approved) all.events.push(...askStop(attempt, 'stopped', `stopped by ${answer.by}`));
  } else if (answer.approved) endTask(run, task, { kind: 'succeeded', commit: '' }, all);
  else {
    const why = answer.message === null ? '' : `: ${answer.message}`;
    failTask(run, task, { reason: 'rejected', detail: `${answer.by} rejected it${why}` }, all);
  }
  return all.events;
}

/** One at a time: the outcome of one may end others. */
export function decideNextExpired(run: Run, now: number): RunEventBody[] {
  const late = nextLate(run, now);
  if (late === null) return [];
  const { task, ask, gate, why } = late;
  const values = valuesByTimeout(gate);
  const all = noConsequences({ type: 'ask.expired', askId: ask.id, why, values });
  if (values !== null) endTask(run, task, { kind: 'succeeded', commit: '' }, all);
  else failTask(run, task, { reason: 'rejected', detail: why }, all);
  return all.events;
}

/** null: the gate is rejected. */
function valuesByTimeout({ onTimeout, form }: NonNullable<Task['spec']['gate']>): JsonObject | null {
  const filled = onTimeout === 'approve' ? fillForm(form, {}) : null;
  return filled?.kind === 'filled' ? filled.values : null;
}
