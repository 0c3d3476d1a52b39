// The prompt for a task's agent, or its command. Values reach a command by environment, never as part of shell text.

import type { Text } from '../../model/inputs/reference.ts';
import type { InputValues } from '../file/plan-inputs.ts';
import { textWith } from '../file/substitute.ts';
import type { Work } from '../plan.ts';
import type { Role } from '../role.ts';

/** Work of an agent or a command. */
export type OwnWork = Exclude<Work, { kind: 'gate' }>;

interface WorkInput {
  readonly prompt: Text;
  readonly settings: Record<string, string>;
  readonly env: Record<string, string | TextParts>;
}

type TextParts = (string | { ref: string[] })[];

export function workOf(work: OwnWork, inputs: InputValues, role: Role | null): WorkInput {
  if (work.kind === 'shell') return commandOf(['sh', '-c', work.text], {});
  if (work.kind === 'argv') return argvOf(work.argv.map((each) => textWith(inputs, each)));
  const prompt = textWith(inputs, work.prompt);
  if (role === null) return { prompt, settings: {}, env: {} };
  const before = `${role.prompt.trim()}\n\n---\n\n`;
  return { prompt: typeof prompt === 'string' ? before + prompt : [before, ...prompt], settings: {}, env: {} };
}

/** Arguments with references are passed by environment to a shell text that names only variables. */
function argvOf(argv: readonly Text[]): WorkInput {
  const literal = argv.filter((each) => typeof each === 'string');
  if (literal.length === argv.length) return commandOf(literal, {});
  const env: Record<string, string | TextParts> = {};
  let place = 0;
  const words = argv.map((each, i) => {
    if (typeof each === 'string') {
      place += 1;
      return `"\${${place}}"`;
    }
    const name = `SIGNALBOX_ARG_${i}`;
    env[name] = sent(each);
    return `"$${name}"`;
  });
  return commandOf(['sh', '-c', `exec ${words.join(' ')}`, 'sh', ...literal], env);
}

function commandOf(argv: readonly string[], env: WorkInput['env']): WorkInput {
  return { prompt: ' ', settings: { argv: JSON.stringify(argv) }, env };
}

/** The text in the form of the request, whose types are not read-only. */
export function sent(text: Text): string | TextParts {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : { ref: [...part.ref] }));
}
