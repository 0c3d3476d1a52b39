// The values of a gate's form, from options or from questions at the terminal, field by field. Only the daemon checks
// them, so that every client reports the same errors.

import { createInterface } from 'node:readline/promises';
import { Fault } from '../../std/fault.ts';
import { plainText } from '../../std/plain-text.ts';
import type { AskView, FormFieldView, QuestionView } from '../../wire/ask-views.ts';
import { argumentLines } from '../text/argument-lines.ts';
import { fieldWords, questionLines } from '../text/ask-text.ts';
import { canAsk } from './secret-input.ts';

export type FormValues = Record<string, string | number | boolean>;

/** Parses `--set field=value`; each value gets the type of its field. */
export function valuesOf(form: readonly FormFieldView[], words: readonly string[]): FormValues {
  const values: FormValues = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new Fault('bad_request', `--set ${word}: expected field=value`);
    const name = word.slice(0, at);
    if (Object.hasOwn(values, name)) throw new Fault('bad_request', `--set ${name} is given twice`);
    const field = form.find((each) => each.name === name);
    Object.defineProperty(values, name, { value: typed(field, word.slice(at + 1)), enumerable: true });
  }
  return values;
}

/** A word that does not fit the type stays a text, and the daemon refuses it. */
function typed(field: FormFieldView | undefined, word: string): string | number | boolean {
  if (field?.type === 'number' && word.trim() !== '' && Number.isFinite(Number(word))) return Number(word);
  if (field?.type === 'boolean' && /^(true|yes|y)$/i.test(word)) return true;
  if (field?.type === 'boolean' && /^(false|no|n)$/i.test(word)) return false;
  return word;
}

export interface Filled {
  readonly values: FormValues;
  readonly choice: string | null;
}

/** Asks at the terminal for missing values. Without a terminal, returns what was given. */
export async function askRest(asked: AskView, given: Filled): Promise<Filled> {
  const open = asked.form.filter(({ name }) => !Object.hasOwn(given.values, name));
  const chooses = asked.choices.length > 0 && given.choice === null;
  if (!canAsk() || (open.length === 0 && !chooses)) return given;
  process.stderr.write(`${plainText(asked.message)}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 });
  try {
    const values: FormValues = { ...given.values };
    for (const field of open) {
      const answer = (await lines.question(`${fieldWords(field)}? `)).trim();
      if (answer !== '') values[field.name] = typed(field, answer);
    }
    const choice = chooses ? (await lines.question(`${asked.choices.join(', ')}? `)).trim() : given.choice;
    return { values, choice: choice === '' ? null : choice };
  } catch (cause) {
    throw new Fault('bad_request', 'left; nothing was decided', { cause });
  } finally {
    lines.close();
  }
}

/** Shows all that an agent wants to do, then asks. Nothing but yes or no decides: `null` = left open. */
export async function askPermission(permission: NonNullable<AskView['permission']>): Promise<boolean | null> {
  if (!canAsk()) throw new Fault('bad_request', 'the answer is missing: signalbox answer <ask|task> yes|no');
  process.stderr.write(`${argumentLines(permission).join('\n')}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 });
  try {
    const word = (await lines.question('allow it? yes/no: ')).trim();
    return /^(y|yes|n|no)$/i.test(word) ? /^y/i.test(word) : null;
  } catch {
    return null;
  } finally {
    lines.close();
  }
}

/** Asks at the terminal for the answers to an agent's questions, one by one. A number stands for the option with that number. */
export async function askAnswers(questions: readonly QuestionView[]): Promise<readonly string[]> {
  if (!canAsk()) throw new Fault('bad_request', 'the answer is missing: signalbox answer <ask|task> "…"');
  const lines = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 });
  try {
    const answers: string[] = [];
    for (const question of questions) {
      process.stderr.write(
        questionLines(question, true)
          .map((line) => `${line}\n`)
          .join(''),
      );
      answers.push(byNumber(question, (await lines.question('your answer? ')).trim()));
    }
    if (answers.every((each) => each === '')) throw new Fault('bad_request', 'the answer is empty; nothing was sent');
    return answers;
  } finally {
    lines.close();
  }
}

/** As in `2`, or `1, 3` where several may be chosen. */
function byNumber({ options, multiple }: QuestionView, typed: string): string {
  const numbers = typed.split(',').map((each) => options[Number(each.trim()) - 1]?.label);
  if (numbers.length > 1 && !multiple) return typed;
  return numbers.every((label) => label !== undefined) ? numbers.join(', ') : typed;
}
