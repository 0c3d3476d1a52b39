// The scripted agent's script: an array of steps, validated whole before the first one runs. Pure.

import { ArgumentError } from './argument-shape.ts';
import { askable, type Given, type Verb, verbs } from './step-list.ts';

export type Step = {
  [K in Verb]: {
    readonly kind: K;
    readonly given: Given<K>;
    /** Saved as done before it starts: a process that dies of it does not repeat it. */
    readonly once: boolean;
    /** A permission is asked for first. */
    readonly ask: boolean;
    /** Run only in the session of this number; null = in every one. */
    readonly session: number | null;
  };
}[Verb];

/** Its path below the agent's home. */
export const scriptFile = 'script.json';

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
    try {
      return readStep(step, index);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      const where = error.path.length === 0 ? '' : `"${error.path.join('.')}" `;
      throw new ScriptError(`step ${index + 1} of the script: ${where}${error.why}`);
    }
  });
}

/** What it does without a script: small steps that take about two seconds and leave a note. */
export function defaultScript(prompt: string): readonly Step[] {
  const path = `signalbox-notes/${slug(prompt)}.md`;
  const pause = { wait: 500 };
  const steps = [
    { say: 'I am the scripted agent: no model is asked. I leave a note with your prompt.' },
    pause,
    { say: `Writing ${path}.` },
    pause,
    { write: { path, text: `# Prompt\n\n${prompt}\n` } },
    pause,
    { say: 'The note is written.' },
    pause,
  ];
  return steps.map(readStep);
}

function readStep(step: unknown, index: number): Step {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) throw new ArgumentError(shapeOfStep);
  const { once = false, ask = false, session = null, ...rest } = step as Readonly<Record<string, unknown>>;
  const [kind, ...others] = Object.keys(rest);
  if (kind === undefined || others.length > 0) throw new ArgumentError(shapeOfStep);
  if (!isVerb(kind)) throw new ArgumentError(`"${kind}" is not one of ${Object.keys(verbs).join(', ')}`);
  for (const [name, value] of Object.entries({ once, ask })) {
    if (typeof value !== 'boolean') throw new ArgumentError('takes true or false', [name]);
  }
  if (session !== null && !(Number.isSafeInteger(session) && (session as number) >= 1)) {
    throw new ArgumentError('takes the number of a session, from 1', ['session']);
  }
  if (ask === true && !askable.includes(kind)) {
    throw new ArgumentError(`goes with ${askable.join(', ')}, not with "${kind}"`, ['ask']);
  }
  if (kind === 'noTurn' && index > 0) throw new ArgumentError('can only be the first step', [kind]);
  try {
    return { kind, given: verbs[kind](rest[kind]), once, ask, session } as Step;
  } catch (error) {
    throw error instanceof ArgumentError ? new ArgumentError(error.why, [kind, ...error.path]) : error;
  }
}

const shapeOfStep =
  'a step is an object with one key that says what to do; besides it there may be "once", "ask" and "session"';

function isVerb(name: string): name is Verb {
  return Object.hasOwn(verbs, name);
}

function slug(text: string): string {
  const words = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+/, '').slice(0, 40).replace(/-+$/, '') || 'note';
}
