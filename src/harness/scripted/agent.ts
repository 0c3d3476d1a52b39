// The scripted agent: a program of its own that acts out a script where a real agent would ask a model. It speaks the
// same stream-json as the real one and knows nothing of Signalbox but what comes in on its stdin.
//
//   idle ──user message──▶ in a turn ──result──▶ idle ──end_session or end of input──▶ gone

import { writeSync } from 'node:fs';
import { createLineSplitter } from '../../std/lines.ts';
import { act, TurnFailed } from './act.ts';
import { defaultScript, parseScript, ScriptError, type ScriptUsage, type Step } from './script.ts';
import { openSession } from './session.ts';

interface Message {
  readonly uuid: string;
  readonly text: string;
}

const home = process.env['HOME'] ?? '.';
const scriptText = process.env['SIGNALBOX_SCRIPT'];
process.env['PATH'] ??= '/usr/local/bin:/usr/bin:/bin';

const { session, save } = openSession(home, process.argv.includes('--resume'));
const waiting: Message[] = [];
const startedAt = Date.now();
let wake: () => void = () => undefined;
let ending = false;
let deaf = false;
let turn: AbortController | null = null;
let turns = 0;
let used: ScriptUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

emit({ type: 'system', subtype: 'init', session_id: session.id, cwd: process.cwd(), model: 'scripted' });
save();
listen();
await converse();
process.exit(0);

async function converse(): Promise<void> {
  for (;;) {
    const message = waiting.shift();
    if (message === undefined) {
      if (ending && !deaf) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    await answer(message);
  }
}

/** A message seen in an earlier life is acknowledged again and moves nothing, unless the turn it began is still open. */
async function answer({ uuid, text }: Message): Promise<void> {
  const seen = session.seen.includes(uuid);
  if (!seen) session.seen.push(uuid);
  session.prompt ??= text;
  save();
  emit({ type: 'user', message: { role: 'user', content: text }, uuid, session_id: session.id, isReplay: true });
  if (seen && session.scriptOver && turns > 0) return;
  turn = new AbortController();
  try {
    if (session.scriptOver) {
      say(seen ? 'That is done already.' : `Noted: ${text.slice(0, 200)}`);
      result({ is_error: false, subtype: 'success', result: 'Noted.' });
    } else {
      await perform(steps());
      result({ is_error: false, subtype: 'success', result: 'The script is done.' });
    }
  } catch (error) {
    result(failedResult(error));
  }
  session.scriptOver = true;
  save();
  turn = null;
}

function steps(): readonly Step[] {
  return scriptText === undefined ? defaultScript(session.prompt ?? '') : parseScript(scriptText);
}

async function perform(script: readonly Step[]): Promise<void> {
  const { signal } = turn ?? new AbortController();
  const stage = { say, use, goDeaf, signal };
  while (session.stepsDone < script.length) {
    signal.throwIfAborted();
    await act(script[session.stepsDone] as Step, stage);
    session.stepsDone += 1;
    save();
  }
}

function failedResult(error: unknown): Record<string, unknown> {
  if (turn?.signal.aborted === true) {
    return { is_error: true, subtype: 'error_during_execution', result: 'The turn was interrupted.' };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TurnFailed) return { is_error: true, result: message, ...marksOf(error.reason) };
  const what = error instanceof ScriptError ? message : `the script failed: ${message}`;
  return { is_error: true, subtype: 'error_during_execution', result: what };
}

/** How a real agent's result line shows this reason. */
function marksOf(reason: string): Record<string, unknown> {
  switch (reason) {
    case 'rate-limit':
      return { subtype: 'success', api_error_status: 429 };
    case 'auth':
      return { subtype: 'success', api_error_status: 401 };
    case 'context-overflow':
      return { subtype: 'success', terminal_reason: 'prompt_too_long' };
    case 'max-turns':
      return { subtype: 'error_max_turns' };
    case 'budget':
      return { subtype: 'error_max_budget_usd' };
    case 'invalid-output':
      return { subtype: 'error_max_structured_output_retries' };
    default:
      return { subtype: 'error_during_execution' };
  }
}

function say(text: string): void {
  use({ inputTokens: 0, outputTokens: Math.ceil(text.length / 4), costUsd: 0 });
  emit({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    session_id: session.id,
  });
}

function use({ inputTokens, outputTokens, costUsd }: ScriptUsage): void {
  used = {
    inputTokens: used.inputTokens + inputTokens,
    outputTokens: used.outputTokens + outputTokens,
    // Once unknown it stays so: a sum with an unknown part is unknown.
    costUsd: used.costUsd === null || costUsd === null ? null : used.costUsd + costUsd,
  };
}

function goDeaf(): void {
  deaf = true;
  process.on('SIGTERM', () => undefined);
}

/** Tokens are those of the turn, the cost is the sum over the process. */
function result(fields: Record<string, unknown>): void {
  turns += 1;
  const { inputTokens, outputTokens, costUsd } = used;
  emit({
    type: 'result',
    ...fields,
    duration_ms: Date.now() - startedAt,
    num_turns: turns,
    session_id: session.id,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
    ...(costUsd === null ? {} : { total_cost_usd: costUsd }),
  });
  used = { inputTokens: 0, outputTokens: 0, costUsd };
}

/** Written at once and whole: what was said must be out before the next thing is done. */
function emit(line: Record<string, unknown>): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function listen(): void {
  const splitter = createLineSplitter(0);
  process.stdin.on('data', (chunk: Buffer) => {
    for (const { text } of splitter.push(chunk)) hear(text);
  });
  process.stdin.on('end', () => {
    ending = true;
    wake();
  });
}

function hear(line: string): void {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return;
  }
  const { type, uuid } = record;
  if (type === 'user' && typeof uuid === 'string') waiting.push({ uuid, text: contentOf(record) });
  if (type === 'control_request') control((record['request'] as { subtype?: unknown } | undefined)?.subtype);
  wake();
}

function control(subtype: unknown): void {
  if (deaf) return;
  if (subtype === 'interrupt') turn?.abort(new Error('interrupted'));
  if (subtype === 'end_session') ending = true;
}

function contentOf(record: Record<string, unknown>): string {
  const content = (record['message'] as { content?: unknown } | undefined)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}
