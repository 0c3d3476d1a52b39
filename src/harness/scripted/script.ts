// The scripted agent's script: what it may say, and what each step means in words when it is malformed. Pure.
// docs/scripts.md is this file for people.

export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'write' | 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'waitFor'; readonly path: string }
  | { readonly kind: 'usage'; readonly usage: ScriptUsage }
  | { readonly kind: 'fail'; readonly reason: string }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'crash'; readonly signal: string }
  | { readonly kind: 'hang' }
  | { readonly kind: 'deaf' };

/** Added to what the turn has used so far. A null cost makes the cost of the whole turn unknown. */
export interface ScriptUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

/** The steps, or a ScriptError that names the first step that is wrong. */
export function parseScript(text: string): readonly Step[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ScriptError(`the script is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (!Array.isArray(value)) throw new ScriptError('a script is an array of steps');
  return value.map((step: unknown, index) => {
    const wrong = (why: string): ScriptError => new ScriptError(`step ${index + 1} of the script: ${why}`);
    if (!isObject(step) || Object.keys(step).length !== 1) throw wrong('a step is an object with one key');
    const [key, argument] = Object.entries(step)[0] as [string, unknown];
    const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (read === undefined) throw wrong(`"${key}" is not one of ${Object.keys(readers).join(', ')}`);
    const made = read(argument);
    if (typeof made === 'string') throw wrong(`"${key}" ${made}`);
    return made;
  });
}

/** What it does without a script: small steps that take about two seconds and leave a note. */
export function defaultScript(prompt: string): readonly Step[] {
  const path = `signalbox-notes/${slug(prompt)}.md`;
  const pause: Step = { kind: 'wait', ms: 500 };
  return [
    { kind: 'say', text: 'I am the scripted agent: no model is asked. I leave a note with your prompt.' },
    pause,
    { kind: 'say', text: `Writing ${path}.` },
    pause,
    { kind: 'write', path, text: `# Prompt\n\n${prompt}\n` },
    pause,
    { kind: 'say', text: 'The note is written.' },
    pause,
  ];
}

type Reader = (argument: unknown) => Step | string;

const file =
  (kind: 'write' | 'append'): Reader =>
  (given) => {
    if (!isObject(given) || typeof given['path'] !== 'string' || typeof given['text'] !== 'string')
      return 'takes {"path": …, "text": …}';
    return { kind, path: given['path'], text: given['text'] };
  };

const only =
  (kind: 'hang' | 'deaf'): Reader =>
  (given) =>
    given === true ? { kind } : 'takes true';

const readers: Readonly<Record<string, Reader>> = {
  say: (given) => (typeof given === 'string' ? { kind: 'say', text: given } : 'takes a text'),
  write: file('write'),
  append: file('append'),
  run: (given) => (typeof given === 'string' ? { kind: 'run', command: given } : 'takes a shell command'),
  wait: (given) => (isCount(given) ? { kind: 'wait', ms: given } : 'takes milliseconds'),
  waitFor: (given) => (typeof given === 'string' ? { kind: 'waitFor', path: given } : 'takes a path'),
  usage: readUsage,
  fail: (given) => (typeof given === 'string' ? { kind: 'fail', reason: given } : 'takes a reason'),
  exit: (given) => (isCount(given) && given < 256 ? { kind: 'exit', code: given } : 'takes an exit code'),
  crash: (given) =>
    typeof given === 'string' && /^SIG[A-Z0-9]+$/.test(given)
      ? { kind: 'crash', signal: given }
      : 'takes the name of a signal',
  hang: only('hang'),
  deaf: only('deaf'),
};

function readUsage(given: unknown): Step | string {
  const hint = 'takes {"input_tokens": n, "output_tokens": n, "cost_usd": n or null}';
  if (!isObject(given)) return hint;
  const { input_tokens: input = 0, output_tokens: output = 0, cost_usd: cost = 0 } = given;
  const costFits = cost === null || (typeof cost === 'number' && cost >= 0);
  if (!isCount(input) || !isCount(output) || !costFits) return hint;
  return { kind: 'usage', usage: { inputTokens: input, outputTokens: output, costUsd: cost } };
}

function slug(text: string): string {
  const words = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+/, '').slice(0, 40).replace(/-+$/, '') || 'note';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
