// Validates answers to the questions of an agent: those of its own question tool, and the one asked by `ask_person`.

import type { Command } from '../core/command.ts';
import type { AskId } from '../core/ids.ts';
import { type Ask, isRequest, type TaskAsk } from './ask.ts';
import { answerCommand, type Question } from './question.ts';

type AnswerAsk = Extract<Command, { type: 'answerAsk' }>;

/** An agent accepts any words, but a choice must be one of its options. */
export function wrongWords({ id, choices }: TaskAsk, command: AnswerAsk): string | null {
  const { choice = null, approved } = command;
  if (typed(command) !== null) {
    return approved && choice === null ? null : 'it is answered in words, or chosen, or approved or rejected: not both';
  }
  if (choices.length === 0) return choice === null ? null : 'there is nothing to choose: answer it in words';
  if (choice === null)
    return approved ? `it is a question, which approval does not answer; type: ${commandFor(id, choices)}` : null;
  if (!approved) return 'what is chosen is approved, not rejected';
  return choices.includes(choice) ? null : `"${choice}" is no choice: there are ${choices.join(', ')}`;
}

function commandFor(id: AskId, choices: readonly string[]): string {
  return answerCommand(id, [{ options: choices.map((label) => ({ label, description: '' })) }]);
}

/** One answer for each, in their order. */
export function wrongAnswers(askId: AskId, questions: readonly Question[], command: AnswerAsk): string | null {
  const answers = typed(command);
  const how = `type: ${answerCommand(askId, questions)}`;
  if ((command.choice ?? null) !== null || Object.keys(command.values ?? {}).length > 0)
    return `it is a question; ${how}`;
  if (!command.approved) return answers === null ? null : `what is answered is not rejected; ${how}`;
  if (answers === null) return `it is a question, which approval does not answer; ${how}`;
  if (answers.length !== questions.length)
    return `it asks ${questions.length === 1 ? 'one question' : `${questions.length} questions`} and was given ${answers.length} answers; ${how}`;
  return answers.every((each) => each.trim() === '') ? `an answer is missing; ${how}` : null;
}

/** The answers as they were typed; null = none. */
export function typed({ answers = null, words = null }: AnswerAsk): readonly string[] | null {
  return answers ?? (words === null ? null : [words]);
}

/** The questions of an agent's own question tool; null = the ask is something else. */
export function questionsOf(ask: Ask): readonly Question[] | null {
  return isRequest(ask) ? (ask.request.questions ?? null) : null;
}
