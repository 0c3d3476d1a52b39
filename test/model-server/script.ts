// What the scripted model answers: the steps of the scripted agent's scripts, as deeds of a real agent. By which tools an agent does
// them is in tool-words.ts; how answers are written, in the file of each API.

import type { ModelRequest } from './model-server.ts';
import { spoken } from './tool-words.ts';

export type ModelStep =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly run: string }
  /** Until a file is there. */
  | { readonly waitFor: string }
  | { readonly call: Call }
  /** Several calls in one answer, which the agent runs side by side. */
  | { readonly calls: readonly Call[] }
  /** The structured output. */
  | { readonly output: unknown }
  /** The same, made of what was said so far: ids that only the prompt tells. */
  | { readonly outputOf: CallInput }
  /** Before the answer begins. */
  | { readonly wait: number }
  /** Of the next answer alone. */
  | { readonly usage: AnswerUsage }
  /** The next answer is an HTTP error, so many times; without a number for ever. */
  | { readonly refuse: Partial<Refusal> & Pick<Refusal, 'status'> }
  /** No answer comes, or none after its first word. */
  | { readonly hang: true | 'midway' }
  /** How the answer stops instead. */
  | { readonly stop: 'refusal' | 'max_tokens' };

export interface Call {
  readonly tool: string;
  /** Or a `CallInput` that makes it: ids that only an earlier result tells, as much as there is room for. */
  readonly input: unknown;
}

export type CallInput = (conversation: string, requestBytes: number) => unknown;

export interface AnswerUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

export interface Refusal {
  /** null = the connection breaks. */
  readonly status: number | null;
  readonly times: number;
  readonly message: string;
  /** Seconds, told in the header of that name; null = not told. */
  readonly retryAfter: number | null;
}

/** What an answer has the agent do. */
export type Deed =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'output'; readonly value: unknown }
  | { readonly kind: 'call'; readonly tool: string; readonly input: unknown };

/** A deed as a call of a tool that the agent has. Text as input: the tool takes no JSON. */
export interface SpokenCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: unknown;
}

export interface Answer extends AnswerRest {
  readonly deeds: readonly { readonly id: string; readonly deed: Deed }[];
}

/** In the words of the agent that asked. */
export interface SpokenAnswer extends AnswerRest {
  readonly calls: readonly SpokenCall[];
}

interface AnswerRest {
  readonly text: string;
  readonly waitMs: number;
  readonly usage: AnswerUsage;
  readonly refusal: Refusal | null;
  readonly hang: true | 'midway' | null;
  readonly stop: 'refusal' | 'max_tokens' | null;
}

export const usualUsage = { input_tokens: 10, output_tokens: 5 };

/** The answer with all that depends on the request filled in. */
export function answerIn(
  { conversation, bytes, tools }: Pick<ModelRequest, 'conversation' | 'bytes' | 'tools'>,
  { deeds, ...answer }: Answer,
): SpokenAnswer {
  const calls: SpokenCall[] = [];
  let { text } = answer;
  for (const { id, deed } of deeds) {
    const said = spoken(filledIn(deed, conversation, bytes), tools);
    if ('say' in said) text += said.say;
    else calls.push({ id, ...said });
  }
  return { ...answer, text, calls };
}

function filledIn(deed: Deed, conversation: string, bytes: number): Deed {
  const fill = (given: unknown): unknown =>
    typeof given === 'function' ? (given as CallInput)(conversation, bytes) : given;
  if (deed.kind === 'call') return { ...deed, input: fill(deed.input) };
  return deed.kind === 'output' ? { ...deed, value: fill(deed.value) } : deed;
}

/** One answer for each tool round, and one to end. The ids of the calls tell where in the script a request stands. */
export function answersOf(name: string, steps: readonly ModelStep[]): readonly Answer[] {
  const answers: Answer[] = [];
  let draft = emptyAnswer();
  const doAll = (deeds: readonly Deed[]): void => {
    answers.push({ ...draft, deeds: deeds.map((deed, i) => ({ id: callId(name, answers.length, i), deed })) });
    draft = emptyAnswer();
  };
  const run = (command: string): void => doAll([{ kind: 'run', command }]);
  for (const step of steps) {
    if ('say' in step) draft = { ...draft, text: draft.text + step.say };
    else if ('write' in step) doAll([{ kind: 'write', ...step.write }]);
    else if ('run' in step) run(step.run);
    else if ('waitFor' in step) run(`until [ -e '${step.waitFor}' ]; do sleep 0.05; done`);
    else if ('call' in step) doAll([{ kind: 'call', ...step.call }]);
    else if ('calls' in step) doAll(step.calls.map((call) => ({ kind: 'call', ...call })));
    else if ('output' in step) doAll([{ kind: 'output', value: step.output }]);
    else if ('outputOf' in step) doAll([{ kind: 'output', value: step.outputOf }]);
    else if ('wait' in step) draft = { ...draft, waitMs: draft.waitMs + step.wait };
    else if ('usage' in step) draft = { ...draft, usage: step.usage };
    else if ('refuse' in step) {
      draft = { ...draft, refusal: refusalOf(step.refuse) };
    } else if ('hang' in step) draft = { ...draft, hang: step.hang };
    else draft = { ...draft, stop: step.stop };
  }
  answers.push(draft.text === '' ? { ...draft, text: 'The script is done.' } : draft);
  return answers;
}

export function refusalOf(given: Partial<Refusal> & Pick<Refusal, 'status'>): Refusal {
  return { times: Number.POSITIVE_INFINITY, message: 'refused by the script', retryAfter: null, ...given };
}

export function emptyAnswer(text = ''): Answer {
  return { text, deeds: [], waitMs: 0, usage: usualUsage, refusal: null, hang: null, stop: null };
}

export function callId(name: string, at: number, nth = 0): string {
  return `toolu_${name}_${at}${nth === 0 ? '' : `_${nth}`}`;
}

/** Which answer of the script a conversation needs next, by the tool results that are in it. */
export function positionIn(name: string, conversation: string): number {
  let next = 0;
  for (const match of conversation.matchAll(new RegExp(`toolu_${name}_(\\d+)`, 'g'))) {
    next = Math.max(next, Number(match[1]) + 1);
  }
  return next;
}
