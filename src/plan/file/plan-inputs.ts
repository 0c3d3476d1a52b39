// The values of a plan's inputs: given as texts, converted to their declared types.

import type { Json } from '../../model/core/json.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { type Problem, problemAt } from './problem.ts';

export type InputValues = ReadonlyMap<string, Json>;

/** `complete`: every input must have a value, as for a run. */
export function inputProblems(plan: Plan, given: Readonly<Record<string, string>>, complete: boolean): Problem[] {
  const names = plan.inputs.map(({ name }) => name);
  const strangers = Object.keys(given).filter((name) => !names.includes(name));
  const unknown = strangers.map((name) =>
    problemAt(
      plan.source,
      ['inputs'],
      { message: `there is no input "${name}"`, suggestion: didYouMean(name, names) },
      'key',
    ),
  );
  const own = plan.inputs.flatMap((input) => {
    const path = ['inputs', input.name];
    const text = given[input.name];
    const flaw = defaultFlaw(input);
    if (text !== undefined && valueOf(input, text) === undefined) {
      const message = `the input "${input.name}" takes ${typeWords[input.type]}, not "${text}"`;
      return [problemAt(plan.source, path, { message }, 'key')];
    }
    if (flaw !== null) return [problemAt(plan.source, [...path, 'default'], { message: flaw })];
    if (!complete || text !== undefined || input.default !== undefined) return [];
    const suggestion = `say it with --input ${input.name}=…, or give it a default`;
    return [problemAt(plan.source, path, { message: `the input "${input.name}" has no value`, suggestion }, 'key')];
  });
  return [...unknown, ...own];
}

/** The inputs that have a value. */
export function inputValues(plan: Plan, given: Readonly<Record<string, string>>): InputValues {
  const values = plan.inputs.map((input): [string, Json | undefined] => {
    const text = given[input.name];
    return [input.name, text === undefined ? input.default : valueOf(input, text)];
  });
  return new Map(values.filter((each): each is [string, Json] => each[1] !== undefined));
}

const typeWords = { string: 'a text', number: 'a number', boolean: 'true or false', json: 'JSON' } as const;

function defaultFlaw({ name, type, default: value }: PlanInput): string | null {
  if (value === undefined || type === 'json' || typeof value === type) return null;
  return `the input "${name}" takes ${typeWords[type]}, not ${JSON.stringify(value)}`;
}

/** undefined: the text does not have that type. */
function valueOf({ type }: PlanInput, text: string): Json | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'json':
      try {
        return JSON.parse(text) as Json;
      } catch {
        return undefined;
      }
  }
}
