// What the scripted model answers: the steps of the scripted agent's scripts, as tool calls of the real CLI.

import type { ModelRequest } from './model-server.ts';

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

export interface Answer {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly waitMs: number;
  readonly usage: AnswerUsage;
  readonly refusal: Refusal | null;
  readonly hang: true | 'midway' | null;
  readonly stop: 'refusal' | 'max_tokens' | null;
}

export const usualUsage = { input_tokens: 10, output_tokens: 5 };

/** The answer with all that depends on the request filled in. */
export function answerIn(
  { conversation, bytes }: Pick<ModelRequest, 'conversation' | 'bytes'>,
  answer: Answer,
): Answer {
  const calls = answer.calls.map(({ input, ...call }) => ({
    ...call,
    input: typeof input === 'function' ? (input as CallInput)(conversation, bytes) : input,
  }));
  return { ...answer, calls };
}

/** One answer for each tool round, and one to end. The ids of the calls tell where in the script a request stands. */
export function answersOf(name: string, steps: readonly ModelStep[]): readonly Answer[] {
  const answers: Answer[] = [];
  let draft = emptyAnswer();
  const callAll = (calls: readonly Call[]): void => {
    const round = calls.map(({ tool, input }, i) => ({ id: callId(name, answers.length, i), name: tool, input }));
    answers.push({ ...draft, calls: round });
    draft = emptyAnswer();
  };
  const call = (tool: string, input: unknown): void => callAll([{ tool, input }]);
  for (const step of steps) {
    if ('say' in step) draft = { ...draft, text: draft.text + step.say };
    else if ('write' in step) call('Write', { file_path: step.write.path, content: step.write.text });
    else if ('run' in step) call('Bash', { command: step.run, description: 'a step of the script' });
    else if ('waitFor' in step) {
      call('Bash', { command: `until [ -e '${step.waitFor}' ]; do sleep 0.05; done`, description: 'wait' });
    } else if ('call' in step) callAll([step.call]);
    else if ('calls' in step) callAll(step.calls);
    else if ('output' in step) call('StructuredOutput', step.output);
    else if ('outputOf' in step) call('StructuredOutput', step.outputOf);
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
  return { text, calls: [], waitMs: 0, usage: usualUsage, refusal: null, hang: null, stop: null };
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
