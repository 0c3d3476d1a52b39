// Decisions on what a person answers about a task, and on what nobody answered in time.

import { must } from '../../std/assert.ts';
import { openQuestion } from '../asks/asking.ts';
import { fillForm } from '../asks/form.ts';
import type { Answer, GateSpec, Question } from '../asks/question.ts';
import { askStop } from '../attempt/stopping.ts';
import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import type { TaskId } from '../core/ids.ts';
import type { JsonObject } from '../core/json.ts';
import type { Run, Task } from '../core/run.ts';
import { limitIsPassed } from '../core/timing.ts';
import { answerMessage } from '../messages/own-message.ts';
import { endTask, failTask, failTaskAs, noConsequences } from '../tasks/end-task.ts';

type DecideGate = Extract<Command, { type: 'answerAsk' }>;

export function decideAnswer(run: Run, taskId: TaskId, command: DecideGate, now: number): Decision {
  const task = run.tasks.get(taskId);
  const question = task?.question ?? null;
  if (task === undefined || question?.id !== command.askId) return notAsked(question, command);
  if (question.state !== 'open') return decidedBefore(task, question, command);
  const gate = question.topic === 'gate' ? must(task.spec.gate, 'a gate says what is asked') : null;
  if (gate !== null && isLate(question, gate, now)) return refused('notAllowed', lateWords(question, gate));
  if (gate !== null && gate.who.length > 0 && !gate.who.includes(command.by)) {
    return refused('notAllowed', `${gate.who.join(', ')} may decide it, ${command.by} may not`);
  }
  if (command.remember !== null) return refused('notAllowed', 'only what an agent asks to use can be remembered');
  const wrong = wrongChoice(question, command);
  if (wrong !== null) return refused('notAllowed', wrong);
  const filled = filledIn(gate, command);
  if (filled.kind === 'wrong') return refused('notAllowed', filled.problems.join('; '));
  if (question.topic === 'agent') {
    const given = answerOf(command, question.choices);
    const heard: RunEventBody = { type: 'question.answered', askId: question.id, taskId, ...given, values: null };
    return decided([heard, answerMessage(run, task, given, now)]);
  }
  return decided(answered(run, task, question, answerOf(command), filled.values));
}

function notAsked(question: Question | null, { askId }: DecideGate): Decision {
  const again = question === null ? '' : `; what is asked now is ${question.id}`;
  return refused('unknown', `nobody waits for an answer to ${askId}${again}`);
}

/** The same answer again is no news, and no error to whoever did not hear that it arrived. */
function decidedBefore(task: Task, { id, decision, values, choices }: Question, command: DecideGate): Decision {
  if (decision === null) return refused('notAllowed', `${id} can be decided no more: ${endWords(task)}`);
  const { approved, choice, by, words } = decision;
  const again = answerOf(command, choices);
  const filled = filledIn(task.spec.gate, command);
  const isSame =
    filled.kind === 'filled' &&
    JSON.stringify(filled.values) === JSON.stringify(values ?? {}) &&
    approved === again.approved &&
    choice === again.choice &&
    words === again.words &&
    by === again.by;
  if (isSame) return refused('stale', `${id} is decided`);
  const said = words === undefined ? (approved ? 'approved' : 'rejected') : 'answered';
  const how = choice === null ? said : `chosen "${choice}" for`;
  return refused('notAllowed', `${by} has ${how} it already, at ${new Date(decision.at).toISOString()}`);
}

function endWords({ outcome }: Task): string {
  if (outcome === null) return 'its task goes on without an answer';
  if (outcome.kind === 'succeeded') return 'it was approved by its timeout';
  return outcome.kind === 'failed' ? outcome.failure.detail : `it was ${outcome.kind}`;
}

function wrongChoice(question: Question, command: DecideGate): string | null {
  const { choices, topic } = question;
  const { choice = null, approved } = command;
  if (topic === 'agent') return wrongAnswer(question, command);
  if (!isNone(command.words)) return 'only what an agent asks can be answered in words: approve or reject it';
  if (choices.length === 0) return choice === null ? null : 'there is nothing to choose: approve or reject it';
  if (choice === null) return `approved or rejected is not enough here: choose ${choices.join(', ')}`;
  if (!approved) return `what is chosen of a ${topic} is approved, not rejected`;
  return choices.some((each) => each === choice) ? null : `"${choice}" is no choice: there are ${choices.join(', ')}`;
}

/** An agent takes any words, but whoever chooses means one of those that it named. */
function wrongAnswer({ choices }: Question, { choice = null, approved, words }: DecideGate): string | null {
  if (!isNone(words)) {
    return approved && choice === null ? null : 'it is answered in words, or chosen, or approved or rejected: not both';
  }
  if (choices.length === 0) return choice === null ? null : 'there is nothing to choose: answer it in words';
  if (choice === null) return approved ? `yes is no answer here: choose ${choices.join(', ')}, or use words` : null;
  if (!approved) return 'what is chosen is approved, not rejected';
  return choices.includes(choice) ? null : `"${choice}" is no choice: there are ${choices.join(', ')}`;
}

function isNone(words: string | null | undefined): boolean {
  return words === null || words === undefined;
}

/** Who rejects fills nothing in. */
function filledIn(gate: GateSpec | null, { approved, values = {} }: DecideGate) {
  if (approved) return fillForm(gate?.form ?? [], values);
  const named = Object.keys(values);
  if (named.length === 0) return { kind: 'filled', values: {} } as const;
  return { kind: 'wrong', problems: [`${named.join(', ')}: what is rejected has no values`] } as const;
}

/** Words that an agent named itself are chosen. */
function answerOf(
  { approved, choice = null, by, message, words }: DecideGate,
  choices: readonly string[] = [],
): Answer {
  if (words === null || words === undefined) return { approved, choice, by, message };
  return choices.includes(words) ? { approved, choice: words, by, message } : { approved, choice, by, message, words };
}

function answered(
  run: Run,
  task: Task,
  { id, topic, failure }: Question,
  answer: Answer,
  values: JsonObject,
): RunEventBody[] {
  const { id: taskId } = task.spec;
  const all = noConsequences({ type: 'question.answered', askId: id, taskId, ...answer, values });
  if (topic === 'failure') {
    const about = must(failure, 'it was asked about a failure');
    if (answer.choice === 'retry') all.events.push({ type: 'task.delayed', taskId, delayMs: 0 });
    else failTaskAs(run, task, about, answer.choice === 'stop' ? 'stop' : 'skip', all);
  } else if (topic === 'crash') {
    const attempt = must(task.attempt, 'it is an agent that may go on');
    if (!answer.approved) all.events.push(...askStop(attempt, 'stopped', `stopped by ${answer.by}`));
  } else if (answer.approved) endTask(run, task, { kind: 'succeeded', commit: '' }, all);
  else {
    const why = answer.message === null ? '' : `: ${answer.message}`;
    failTask(run, task, { reason: 'rejected', detail: `${answer.by} rejected it${why}` }, all);
  }
  return all.events;
}

/** One at a time: each may decide what becomes of others. */
export function decideNextExpired(run: Run, now: number): RunEventBody[] {
  for (const task of run.questions.values()) {
    const { gate, id: taskId } = task.spec;
    const question = openQuestion(task);
    if (question === null || gate === null || !isLate(question, gate, now)) continue;
    const filled = gate.onTimeout === 'approve' ? fillForm(gate.form, {}) : null;
    const values = filled?.kind === 'filled' ? filled.values : null;
    const why = lateWords(question, gate);
    const all = noConsequences({ type: 'question.expired', askId: question.id, taskId, why, values });
    if (values !== null) endTask(run, task, { kind: 'succeeded', commit: '' }, all);
    else failTask(run, task, { reason: 'rejected', detail: why }, all);
    return all.events;
  }
  return [];
}

/** A clock that went back makes nothing late. */
function isLate({ topic, openedAt }: Question, { timeoutMs }: GateSpec, now: number): boolean {
  return topic === 'gate' && timeoutMs !== null && limitIsPassed(now, openedAt, timeoutMs);
}

function lateWords({ openedAt }: Question, { timeoutMs, onTimeout }: GateSpec): string {
  const until = new Date(openedAt + (timeoutMs ?? 0)).toISOString();
  return `nobody decided it until ${until}: it is ${onTimeout === 'approve' ? 'approved' : 'rejected'} by its timeout`;
}
