// How a person comes to be asked about a task, and how that ends without an answer.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import type { Failure } from '../core/failure.ts';
import { questionId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { renderText } from '../inputs/render.ts';
import { isInput } from '../messages/record-queue.ts';
import type { ParkReason } from '../parking/admission.ts';
import { underWay } from '../session/interrupted-note.ts';
import { hasAnswer } from './asks-alone.ts';
import type { Asked, Choice, Question } from './question.ts';

/** What a person is told in words has its bounds; the rest is shown beside it. */
const messageMax = 4_000;

export function askAtGate(run: Run, task: Task): RunEventBody {
  const whole = renderText(run, task, task.spec.gate?.message ?? '', ({ ref }) => `"signalbox output ${ref[1]}"`);
  return ask(task, { topic: 'gate', message: whole, choices: [] }, 'signalbox output <task>');
}

/** What is more than work would only meet the same wall again. */
export function askAboutFailure(task: Task, failure: Failure): RunEventBody {
  const { kind, name } = task.spec;
  const message = `"${name}" has failed (${failure.reason}): ${failure.detail}`;
  const choices: readonly Choice[] = kind === 'work' ? ['retry', 'continue', 'stop'] : ['continue', 'stop'];
  return ask(task, { topic: 'failure', message, choices, failure }, 'signalbox events <run>');
}

/** Its process died in the middle of a turn: it is parked until a person says whether it goes on. */
export function askAfterCrash(run: Run, attempt: Attempt, calls: readonly string[]): RunEventBody[] {
  const inFlight = keptCalls(calls);
  const task = taskOf(run, attempt.taskId);
  const detail = 'its process died in the middle of a turn';
  const effects = inFlight.length === 0 ? 'What it did then' : `${underWay(inFlight)}What they did`;
  const message = `"${task.spec.name}": ${detail}. ${effects} may have taken effect in part. May it go on?`;
  const asked = ask(task, { topic: 'crash', message, choices: [] }, 'signalbox logs <task>');
  const why = { kind: 'person', askId: questionId(task.spec.id, task.questions + 1), detail, inFlight } as const;
  return [{ type: 'attempt.parked', attemptId: attempt.id, why }, asked];
}

/** In the words of an agent, which are shown as such. */
export function askForAgent(task: Task, question: string, options: readonly string[]): RunEventBody {
  return ask(task, { topic: 'agent', message: question, choices: options }, 'signalbox logs <task>');
}

/** They are the agent's own words. */
export function keptCalls(calls: readonly string[]): readonly string[] {
  return calls.slice(0, callsMax).map((call) => call.slice(0, callMax));
}

const callsMax = 20;
const callMax = 500;

/** Whether what an attempt is parked for has come about, where that is a person's word or a message. */
export function mayGoOn(run: Run, task: Task, why: ParkReason): boolean {
  if (why.kind === 'asks') return task.attempt !== null && hasAnswer(run, task.attempt);
  if (why.kind === 'waits') return (run.agents.get(task.attempt?.agentId ?? 'agent_')?.records ?? []).some(isInput);
  return why.kind !== 'person' || (task.question?.id === why.askId && task.question.state === 'approved');
}

function ask({ spec: { id }, questions }: Task, { message, ...asked }: Asked, whole: string): RunEventBody {
  const cut = message.length > messageMax ? `${message.slice(0, messageMax)}\n[cut: "${whole}" shows more]` : message;
  return { type: 'question.asked', askId: questionId(id, questions + 1), taskId: id, ...asked, message: cut };
}

/** Nobody works on it: a person says what becomes of it. */
export function waitsForAnswer(task: Task): boolean {
  const question = openQuestion(task);
  return question !== null && question.topic !== 'crash' && question.topic !== 'agent';
}

export function openQuestion({ question }: Task): Question | null {
  return question?.state === 'open' ? question : null;
}

/** Of an attempt that is to go on no more. */
export function withdrawFor(run: Run, { taskId }: Attempt, why: string): RunEventBody[] {
  return withdraw(taskOf(run, taskId), why);
}

/** The answer is needed no more. */
export function withdraw({ spec: { id }, question }: Task, why: string): RunEventBody[] {
  if (question?.state !== 'open') return [];
  return [{ type: 'question.expired', askId: question.id, taskId: id, why, values: null }];
}
