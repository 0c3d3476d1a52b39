// Validates a person's answer against its ask: who may answer, in time, yes or no or a choice or words, and the form's values.
// An answer is accepted whole or not at all. What follows from it is decided elsewhere.

import { must } from '../../std/assert.ts';
import { type Command, type Decision, refused } from '../core/command.ts';
import { type AskId, taskOfQuestion } from '../core/ids.ts';
import type { JsonObject } from '../core/json.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { limitIsPassed } from '../core/timing.ts';
import { type Answer, type Ask, isRequest, type TaskAsk } from './ask.ts';
import { lastAskAbout } from './find-asks.ts';
import { fillForm } from './form.ts';
import type { GateSpec } from './gate-spec.ts';
import { readAnswer } from './question.ts';
import { questionsOf, typed, wrongAnswers, wrongWords } from './question-answers.ts';

type AnswerAsk = Extract<Command, { type: 'answerAsk' }>;
type Refused = Extract<Decision, { kind: 'refused' }>;

export type Checked =
  | Refused
  | { readonly kind: 'fits'; readonly ask: Ask; readonly answer: Answer; readonly values: JsonObject };

export function checkAnswer(run: Run, command: AnswerAsk, now: number): Checked {
  const ask = run.asks.get(command.askId);
  if (ask === undefined) return notAsked(run, command.askId);
  if (ask.state !== 'open') return answeredBefore(run, ask, command);
  const problem = closedTo(run, ask, command, now) ?? mismatch(ask, command);
  if (problem !== null) return no('notAllowed', problem);
  const filled = filledIn(gateOf(run, ask), command);
  if (filled.kind === 'wrong') return no('notAllowed', filled.problems.join('; '));
  return { kind: 'fits', ask, answer: answerOf(command, ask), values: filled.values };
}

function no(kind: Refused['refusal']['kind'], reason: string): Refused {
  return refused(kind, reason) as Refused;
}

function notAsked(run: Run, askId: AskId): Refused {
  const taskId = taskOfQuestion(askId);
  const last = taskId === null ? null : lastAskAbout(run, taskId);
  const again = last === null ? '' : `; what is asked now is ${last.id}`;
  return no('unknown', `nobody waits for an answer to ${askId}${again}`);
}

/** The same answer again changes nothing and is no error: the client may have missed that it arrived. */
function answeredBefore(run: Run, ask: Ask, command: AnswerAsk): Refused {
  const { id, values } = ask;
  const given = ask.answer ?? heardConsent(run, ask);
  if (given === null) return no('notAllowed', `${id} can be decided no more: ${endWords(run, ask)}`);
  const { approved, choice, by, words, answers, at } = given;
  const again = answerOf(command, ask);
  const filled = filledIn(gateOf(run, ask), command);
  const isSame =
    filled.kind === 'filled' &&
    JSON.stringify(filled.values) === JSON.stringify(values ?? {}) &&
    approved === again.approved &&
    choice === again.choice &&
    words === again.words &&
    JSON.stringify(answers) === JSON.stringify(again.answers) &&
    by === again.by;
  if (isSame && ask.kind !== 'budget') return no('stale', `${id} is decided`);
  const how = ask.kind === 'budget' ? 'raised it' : givenWords(given);
  return no('notAllowed', `${by} has ${how} already, at ${new Date(at).toISOString()}`);
}

/** The answer, as the words after "has". */
export function givenWords({ approved, choice, words, answers }: Omit<Answer, 'by'>): string {
  if (choice !== null) return `chosen "${choice}" for it`;
  const said = words ?? answers?.map((each) => each.join(', ')).join('; ');
  if (said !== undefined) return `answered it with "${said.length > saidMax ? `${said.slice(0, saidMax)}…` : said}"`;
  return approved ? 'approved it' : 'rejected it';
}

const saidMax = 200;

/** A person's decision in the other run about messages between the two. */
function heardConsent(run: Run, ask: Ask): (Answer & { readonly at: number }) | null {
  const consent = ask.kind === 'consent' ? (run.messages.otherRuns.get(ask.withRun)?.consent ?? null) : null;
  return consent === null ? null : { ...consent, choice: null };
}

function endWords(run: Run, ask: Ask): string {
  if (isRequest(ask)) return 'the agent no longer waits for an answer';
  if (ask.kind === 'consent' || ask.kind === 'budget') return 'nobody needs the answer any more';
  const { outcome } = taskOf(run, ask.taskId);
  if (outcome === null) return 'its task goes on without an answer';
  if (outcome.kind === 'succeeded') return 'it was approved by its timeout';
  return outcome.kind === 'failed' ? outcome.failure.detail : `it was ${outcome.kind}`;
}

/** Why nobody, or not this person, may answer it now; null = they may. */
function closedTo(run: Run, ask: Ask, { by }: AnswerAsk, now: number): string | null {
  if (isRequest(ask)) {
    const stop = run.live.get(ask.attemptId)?.stop ?? null;
    return stop === null ? null : `the agent is being stopped (${stop.reason})`;
  }
  if (ask.kind === 'consent') {
    return run.state === 'running' ? null : `the run is ${run.state}: nobody of it writes any more`;
  }
  const gate = gateOf(run, ask);
  if (gate === null) return null;
  if (isLate(ask, gate, now)) return lateWords(ask, gate);
  return gate.who.length > 0 && !gate.who.includes(by) ? `${gate.who.join(', ')} may decide it, ${by} may not` : null;
}

/** Why an answer is not of the kind that the ask needs; null = it is. Forms are checked separately. */
function mismatch(ask: Ask, command: AnswerAsk): string | null {
  const { choice = null, remember, set = null, approved } = command;
  const questions = questionsOf(ask);
  const said = typed(command);
  if (ask.kind === 'budget') {
    return set === null || !approved ? `it asks for more to spend: say how much, or let it wait` : null;
  }
  if (set !== null) return 'it asks for no budget';
  if (ask.kind === 'consent' && remember !== null) return 'it is remembered anyway: it holds for both runs';
  if (ask.kind !== 'permission' && remember !== null) return 'only what an agent asks to use can be remembered';
  if (questions !== null) return wrongAnswers(ask.id, questions, command);
  if (isRequest(ask) || ask.kind === 'consent') {
    const plain = Object.keys(command.values ?? {}).length === 0 && choice === null && said === null;
    return plain ? null : 'there is nothing to fill in or to choose: approve or reject it';
  }
  if (ask.kind === 'question') return wrongWords(ask, command);
  if (said !== null) return 'only what an agent asks can be answered in words: approve or reject it';
  return wrongChoice(ask, command);
}

function wrongChoice({ choices, kind }: TaskAsk, { choice = null, approved }: AnswerAsk): string | null {
  if (choices.length === 0) return choice === null ? null : 'there is nothing to choose: approve or reject it';
  if (choice === null) return `approved or rejected is not enough here: choose ${choices.join(', ')}`;
  if (!approved) return `what is chosen of a ${kind} is approved, not rejected`;
  return choices.includes(choice) ? null : `"${choice}" is no choice: there are ${choices.join(', ')}`;
}

/** A rejection fills in no values. */
function filledIn(gate: GateSpec | null, { approved, values = {} }: AnswerAsk) {
  if (approved) return fillForm(gate?.form ?? [], values);
  const named = Object.keys(values);
  if (named.length === 0) return { kind: 'filled', values: {} } as const;
  return { kind: 'wrong', problems: [`${named.join(', ')}: what is rejected has no values`] } as const;
}

/** Words that are one of the agent's options count as a choice. */
function answerOf(command: AnswerAsk, ask: Ask): Answer {
  const { approved, choice = null, by, message, remember } = command;
  const answer = { approved, choice, by, message, ...(remember === null ? {} : { remember }) };
  const questions = questionsOf(ask);
  const said = typed(command);
  if (said === null) return answer;
  if (questions !== null) return { ...answer, answers: questions.map((each, i) => readAnswer(each, said[i] ?? '')) };
  const words = said.join(' ');
  return choicesOf(ask).includes(words) ? { ...answer, choice: words } : { ...answer, words };
}

function choicesOf(ask: Ask): readonly string[] {
  return ask.kind === 'question' && !isRequest(ask) ? ask.choices : [];
}

function gateOf(run: Run, ask: Ask): GateSpec | null {
  if (ask.kind !== 'gate') return null;
  return must(taskOf(run, ask.taskId).spec.gate, 'a gate says what is asked');
}

/** A gate whose time is over; null = there is none. */
export function nextLate(run: Run, now: number): { task: Task; ask: TaskAsk; gate: GateSpec; why: string } | null {
  for (const ask of run.openAsks.values()) {
    const gate = gateOf(run, ask);
    if (gate === null || ask.kind !== 'gate' || !isLate(ask, gate, now)) continue;
    return { task: taskOf(run, ask.taskId), ask, gate, why: lateWords(ask, gate) };
  }
  return null;
}

/** A clock that was set back makes nothing late. */
function isLate({ openedAt }: Ask, { timeoutMs }: GateSpec, now: number): boolean {
  return timeoutMs !== null && limitIsPassed(now, openedAt, timeoutMs);
}

function lateWords({ openedAt }: Ask, { timeoutMs, onTimeout }: GateSpec): string {
  const until = new Date(openedAt + (timeoutMs ?? 0)).toISOString();
  return `nobody decided it until ${until}: it is ${onTimeout === 'approve' ? 'approved' : 'rejected'} by its timeout`;
}
