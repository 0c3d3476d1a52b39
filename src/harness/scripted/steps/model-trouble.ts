// Simulated trouble with a model: retries, limits, refusals, a full context. Prints the lines that Claude Code prints then.

import { setTimeout as delay } from 'node:timers/promises';
import { fromUser, type Line } from '../agent/output-writer.ts';
import { failed, type Stage, TurnEnd } from '../agent/stage.ts';
import type { Given } from './step-list.ts';

/** As Claude Code is configured: Signalbox does the waiting. */
const retriesUsual = 1;
const delayUsualMs = 100;

/** The API refuses so many times, over all turns and processes, then answers; a turn gives up after its retries. */
export async function refuse(given: Given<'refuse'>, stage: Stage): Promise<void> {
  const { status, times, retriesMax = retriesUsual, delayMs = delayUsualMs, message = 'refused by the script' } = given;
  const error = errorOf(status);
  const { session } = stage;
  for (let attempt = 1; ; attempt += 1) {
    if (times !== undefined && session.refused >= times) {
      session.refused = 0;
      return;
    }
    session.refused += 1;
    stage.save();
    if (attempt > retriesMax) break;
    const wait = { attempt, max_retries: retriesMax, retry_delay_ms: delayMs, error_status: status, error };
    stage.voice.system('api_retry', wait);
    await delay(delayMs, undefined, { signal: stage.signal });
  }
  const text = `API Error: ${status === null ? 'no answer' : `Request rejected (${status})`} · ${message}`;
  // An overloaded API shows only in the line before the result.
  throw apiFailure(stage, error, text, { api_error_status: status === 529 ? null : status });
}

/** Ends the turn with the result line of a real agent for this reason. */
export function fail(reason: string, stage: Stage): never {
  const text = `the script says: ${reason}`;
  switch (reason) {
    case 'rate-limit':
      throw apiFailure(stage, 'rate_limit', text, { api_error_status: 429 });
    case 'overloaded':
      throw apiFailure(stage, 'overloaded', text, {});
    case 'unavailable':
      throw apiFailure(stage, 'server_error', text, { api_error_status: 500 });
    case 'auth':
      throw apiFailure(stage, 'authentication_failed', text, { api_error_status: 401 });
    case 'billing':
      throw apiFailure(stage, 'billing_error', text, { api_error_status: 400 });
    case 'quota': {
      rateLimit({ rejected: true }, stage);
      throw failed(text, { subtype: 'success', api_error_status: 429 });
    }
    case 'context-overflow':
      throw failed(text, { subtype: 'success', terminal_reason: 'prompt_too_long' });
    case 'max-output':
      throw apiFailure(stage, 'max_output_tokens', text, {});
    case 'refusal':
      return stop('refusal', stage);
    case 'max-turns':
      throw failed(text, { subtype: 'error_max_turns', terminal_reason: 'max_turns' });
    case 'budget':
      throw failed(text, { subtype: 'error_max_budget_usd' });
    case 'invalid-output':
      throw failed(text, { subtype: 'error_max_structured_output_retries' });
    default:
      throw failed(text);
  }
}

export function rateLimit(
  { rejected = true, resetsAt, of, used }: Given<'rateLimit'>,
  { voice, session }: Stage,
): void {
  const info = {
    status: rejected ? 'rejected' : 'allowed_warning',
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(of === undefined ? {} : { rateLimitType: of }),
    ...(used === undefined ? {} : { utilization: used }),
  };
  voice.emit({ type: 'rate_limit_event', rate_limit_info: info, session_id: session.id });
}

export function stop(how: Given<'stop'>, stage: Stage): never {
  switch (how) {
    case 'tool_use':
      // The turn ends before the call has a result.
      stage.voice.toolUse('Bash', { command: 'true' });
      throw new TurnEnd({ result: '', stop_reason: 'tool_use' });
    case 'max_tokens':
      return fail('max-output', stage);
    case 'refusal': {
      const text = 'API Error: the model is unable to respond to this request.';
      stage.voice.system('model_refusal_no_fallback', { original_model: 'scripted', content: '' });
      throw apiFailure(stage, 'invalid_request', text, { stop_reason: 'refusal' });
    }
  }
}

/** Shortens the session; the context window is as full as what is left. */
export function compact({ before = 180_000, after = 1_000, trigger = 'auto' }: Given<'compact'>, stage: Stage): void {
  const { voice, session } = stage;
  voice.system('status', { status: 'compacting' });
  voice.system('status', { status: null, compact_result: 'success' });
  const metadata = { trigger, pre_tokens: before, post_tokens: after, duration_ms: 1 };
  voice.system('compact_boundary', { compact_metadata: metadata });
  voice.emit({ ...fromUser('This session is being continued from an earlier one.', session.id), isSynthetic: true });
  voice.fill(after);
}

function apiFailure({ voice }: Stage, error: string, text: string, marks: Line): TurnEnd {
  voice.apiError(error, text);
  return new TurnEnd({ is_error: true, result: text, stop_reason: 'stop_sequence', ...marks });
}

function errorOf(status: number | null): string {
  switch (status) {
    case null:
      return 'unknown';
    case 400:
    case 413:
      return 'invalid_request';
    case 401:
    case 403:
      return 'authentication_failed';
    case 402:
      return 'billing_error';
    case 404:
      return 'model_not_found';
    case 429:
      return 'rate_limit';
    case 529:
      return 'overloaded';
    default:
      return 'server_error';
  }
}
