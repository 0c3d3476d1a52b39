// An ask as lines: the question, what the gate shows, the form, and the commands that answer it. Control characters in text from
// agents are shown by their numbers. Pure.

import { localTime } from '../../std/clock.ts';
import { plainLine, plainText } from '../../std/plain-text.ts';
import { shellQuote } from '../../std/shell-quote.ts';
import type { AskView, FormFieldView, QuestionView, ShownView } from '../../wire/ask-views.ts';
import { argumentLines } from './argument-lines.ts';
import { answerOptions, raiseCommand, whoseWords } from './budget-text.ts';
import { seconds } from './event-text.ts';
import { count, dollars } from './figures.ts';

export interface ChangedFile {
  readonly path: string;
  /** null: not text. */
  readonly added: number | null;
  readonly deleted: number | null;
}

/** `files`: the integrated changes, if they are to be shown. */
export function askLines(ask: AskView, files: readonly ChangedFile[], now: number): string[] {
  const { who, until, onTimeout } = ask;
  return [
    headLine(ask, now),
    ...(ask.kind === 'question' ? ['  its agent asks, in its own words:'] : []),
    ...bodyLines(ask),
    ...ask.shows.flatMap((shown) => shownLines(shown, files, ask.runId)),
    ...(ask.form.length === 0 ? [] : ['  to fill in:', ...ask.form.map((field) => `    ${fieldWords(field)}`)]),
    ...(who.length === 0 ? [] : [`  may decide: ${plainLine(who.join(', '))}`]),
    ...(until === null
      ? []
      : [`  until ${localTime(until, now)}; then it is ${onTimeout === 'approve' ? 'approved' : 'rejected'}`]),
    ...howToAnswer(ask),
  ];
}

function headLine({ task, run, since, budget }: AskView, now: number): string {
  const waiting = since === null ? '' : `, waiting for ${seconds(Math.max(0, now - since))}`;
  const about = budget === null ? (task ?? '') : whoseWords(budget);
  return `${plainLine(about)}  (${budget?.of === 'day' ? 'all runs' : plainLine(run)}${waiting})`;
}

function bodyLines({ permission, questions, message }: AskView): string[] {
  if (permission !== null) return argumentLines(permission).map((line) => `    ${line}`);
  if (questions.length > 0) return questionsLines(questions).map((line) => `    ${line}`);
  return indented(message.trim(), '    ');
}

/** Several are numbered, in the order of their answers. */
function questionsLines(questions: readonly QuestionView[]): string[] {
  const [only, another] = questions;
  // Options without description are listed in the commands below.
  const isPlain = only?.options.every(({ description, preview }) => description === '' && preview === '');
  if (only !== undefined && another === undefined) return questionLines(isPlain ? { ...only, options: [] } : only);
  return questions.flatMap((each, i) => {
    const [first = '', ...rest] = questionLines(each);
    return [`${i + 1}. ${first}`, ...rest.map((line) => `   ${line}`)];
  });
}

/** A question with its options and their descriptions. `numbered`: an option may be named by its number. */
export function questionLines({ question, options, multiple }: QuestionView, numbered = false): string[] {
  const lines = indented(question.trim(), '');
  const how = multiple ? ['(one or more, separated by commas)'] : [];
  const shown = options.flatMap(({ label, description, preview }, i) => [
    `  ${numbered ? `${i + 1}. ` : '- '}${plainLine(label)}${description === '' ? '' : `: ${plainLine(description)}`}`,
    ...(preview === '' ? [] : indented(preview.trimEnd(), '      | ')),
  ]);
  return [...lines, ...how, ...shown];
}

function howToAnswer({ id, kind, runId, choices, questions, form, budget }: AskView): string[] {
  if (budget !== null) return [`  ${raiseCommand(runId, budget)}`, `  signalbox answer ${id} ${answerOptions(budget)}`];
  if (kind === 'question') return howToAnswerQuestions(id, questions);
  if (choices.length > 0) return choices.map((choice) => `  signalbox approve ${id} --choose ${plainLine(choice)}`);
  const needed = form.filter(({ required, usual }) => required && usual === null);
  const values = needed.map(({ name }) => ` --set ${name}=<value>`).join('');
  return [`  signalbox approve ${id}${values}`, `  signalbox reject ${id} -m "<why>"`];
}

function howToAnswerQuestions(id: string, questions: readonly QuestionView[]): string[] {
  const [first, another] = questions;
  const refuse = `  signalbox reject ${id} -m "<why>"`;
  if (first === undefined) return [refuse];
  if (another !== undefined) {
    const each = questions.map(({ header }, i) => `"<${i + 1}${header === null ? '' : `: ${plainLine(header)}`}>"`);
    return ['  one answer for each, an option or your words:', `  signalbox answer ${id} ${each.join(' ')}`, refuse];
  }
  const { options, multiple } = first;
  const named = options.map(({ label }) => `  signalbox answer ${id} ${plainLine(shellQuote(label))}`);
  const several = multiple && options.length > 1 ? [`  signalbox answer ${id} ${exampleOf(options)}`] : [];
  return [...named, ...several, `  signalbox answer ${id} "<in your words>"`, refuse];
}

function exampleOf(options: QuestionView['options']): string {
  const two = options.slice(0, 2).map(({ label }) => label);
  return plainLine(shellQuote(two.join(', ')));
}

function shownLines(shown: ShownView, files: readonly ChangedFile[], runId: string): string[] {
  switch (shown.kind) {
    case 'output': {
      const { task, taskId, text, length } = shown;
      const more = length - text.length;
      const cut = more > 0 ? [`    [cut: ${more} more characters; the whole: signalbox output ${taskId}]`] : [];
      return [`  output of ${plainLine(task)}:`, ...indented(text, '    '), ...cut];
    }
    case 'cost':
      return [`  cost so far: ${costWords(shown)}, ${count(shown.tokens)} tokens`];
    case 'diff':
      return shown.work === null ? ['  nothing has changed so far'] : changedLines(files, runId);
  }
}

const filesShown = 20;

function changedLines(files: readonly ChangedFile[], runId: string): string[] {
  const sum = (of: 'added' | 'deleted'): number => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  const more = files.length > filesShown ? [`    and ${files.length - filesShown} more`] : [];
  return [
    `  changed so far: ${files.length === 1 ? '1 file' : `${files.length} files`}, +${sum('added')} -${sum('deleted')}; signalbox diff ${runId}`,
    ...files.slice(0, filesShown).map(({ path, added, deleted }) => {
      return `    ${plainLine(path)} ${added === null ? '(not text)' : `+${added} -${deleted ?? 0}`}`;
    }),
    ...more,
  ];
}

function costWords({ costMicroUsd, costAtLeastMicroUsd }: Extract<ShownView, { kind: 'cost' }>): string {
  if (costMicroUsd !== null) return dollars(costMicroUsd);
  return costAtLeastMicroUsd > 0 ? `unknown, at least ${dollars(costAtLeastMicroUsd)}` : 'unknown';
}

/** As in `where (choice of east, west; usually east): on which side`. */
export function fieldWords({ name, type, label, options, required, usual }: FormFieldView): string {
  const kind = type === 'choice' ? `choice of ${options.join(', ')}` : type;
  const rest =
    usual !== null
      ? `; usually ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`
      : required
        ? ''
        : '; may be left out';
  return plainLine(`${name} (${kind}${rest})${label === '' ? '' : `: ${label}`}`);
}

function indented(text: string, by: string): string[] {
  return plainText(text)
    .split('\n')
    .map((line) => `${by}${line}`);
}
