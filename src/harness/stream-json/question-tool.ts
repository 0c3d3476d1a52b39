// The tool by which an agent of this protocol asks its user: questions as they are shown, and answers as the agent's own
// interface would return them. The tool's input is returned with the answers in it, by question.

import type { Question, QuestionAnswer, QuestionOption } from '../../model/asks/question.ts';
import { type Json, listIn, objectIn, textIn, textOrNull } from './untrusted-json.ts';

const questionTool = 'AskUserQuestion';

/** null = not the question tool, or its input cannot be read. */
export function questionsIn(tool: string, input: unknown): readonly Question[] | null {
  if (tool !== questionTool) return null;
  const questions = listIn(objectIn(input)['questions']).map(objectIn).map(questionIn);
  return questions.some(({ question }) => question === '') || questions.length === 0 ? null : questions;
}

function questionIn(given: Json): Question {
  const options = listIn(given['options']).map(objectIn).map(optionIn);
  return {
    question: textIn(given['question']),
    header: textOrNull(given['header']),
    options: options.filter(({ label }) => label !== ''),
    multiple: given['multiSelect'] === true,
  };
}

function optionIn(given: Json): QuestionOption {
  const preview = textOrNull(given['preview']);
  const shown = preview === null || preview === '' ? {} : { preview };
  return { label: textIn(given['label']), description: textIn(given['description']), ...shown };
}

/** Several options of one question are joined by commas. If an option has a preview, that is returned too. */
export function withAnswers(input: unknown, given: readonly QuestionAnswer[]): Json {
  const questions = questionsIn(questionTool, input) ?? [];
  const answers: [string, string][] = [];
  const annotations: [string, object][] = [];
  questions.forEach(({ question, options }, i) => {
    const answer = (given[i] ?? []).join(', ');
    if (answer === '') return;
    answers.push([question, answer]);
    const preview = options.find(({ label }) => label === answer)?.preview;
    if (preview !== undefined) annotations.push([question, { preview }]);
  });
  const shown = annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) };
  return { ...objectIn(input), answers: Object.fromEntries(answers), ...shown };
}

/** The text that an agent's own program makes of the answered input for its model. */
export function answeredText(input: Json): string {
  const given = Object.entries(objectIn(input['answers'])).map(
    ([question, answer]) => `"${question}"="${textIn(answer)}"`,
  );
  return `User has answered your questions: ${given.join(', ')}. You can now continue with the user's answers in mind.`;
}
