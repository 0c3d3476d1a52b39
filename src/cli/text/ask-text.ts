// An ask as lines: the question, what the gate shows, the form, and the commands that answer it. Text from agents is
// stripped of control characters. Pure.

import { localTime } from '../../std/clock.ts';
import { plainLine, plainText } from '../../std/plain-text.ts';
import { shellQuote } from '../../std/shell-quote.ts';
import type { AskView, FormFieldView, ShownView } from '../../wire/ask-views.ts';
import { answerOptions, raiseCommand, whoseWords } from './budget-text.ts';
import { seconds } from './event-text.ts';
import { count, dollars } from './figures.ts';

export interface ChangedFile {
  readonly path: string;
  /** null: not text. */
  readonly added: number | null;
  readonly deleted: number | null;
}

/** `files`: what has been integrated, where that is to be shown. */
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

function bodyLines({ permission, message }: AskView): string[] {
  if (permission !== null) return argumentsOf(permission).map((line) => `    ${line}`);
  return indented(message.trim(), '    ');
}

/** Every argument whole: a person decides on exactly this. */
export function argumentsOf({ tool, input }: NonNullable<AskView['permission']>): string[] {
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : [['', input] as const];
  return [
    `wants to use ${plainText(tool)}`,
    ...given.flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const [first = '', ...rest] = plainText(text).split('\n');
      return [`  ${plainText(name)}: ${first}`, ...rest.map((line) => `    ${line}`)];
    }),
  ];
}

function howToAnswer({ id, kind, runId, choices, form, budget }: AskView): string[] {
  if (budget !== null) return [`  ${raiseCommand(runId, budget)}`, `  signalbox answer ${id} ${answerOptions(budget)}`];
  if (kind === 'question') {
    const named = choices.map((choice) => `  signalbox answer ${id} ${plainLine(shellQuote(choice))}`);
    const yesOrNo = [`  signalbox approve ${id}`, `  signalbox reject ${id} -m "<why>"`];
    return [...named, `  signalbox answer ${id} "<in your words>"`, ...(named.length === 0 ? yesOrNo : [])];
  }
  if (choices.length > 0) return choices.map((choice) => `  signalbox approve ${id} --choose ${choice}`);
  const needed = form.filter(({ required, usual }) => required && usual === null);
  const values = needed.map(({ name }) => ` --set ${name}=<value>`).join('');
  return [`  signalbox approve ${id}${values}`, `  signalbox reject ${id} -m "<why>"`];
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
