// A result line: how the turn ended. It is judged by `is_error`, never by `subtype`: a failed API call ends in subtype
// "success".

import type { FailureReason } from '../../model/core/failure.ts';
import { type Turn, turnTextMax } from '../../model/session/agent-fact.ts';
import { nameIn, type State } from './state.ts';
import { excerptMax } from './step.ts';
import { isText, type Json, listIn, textIn } from './untrusted-json.ts';

export function readTurn(state: State, message: Json): Turn {
  const text = textIn(message['result']);
  if (message['is_error'] === false)
    return { kind: 'ok', text: text.slice(0, turnTextMax), cut: text.length > turnTextMax };
  const errors = listIn(message['errors']).filter(isText);
  const reason = failureReason(state, message);
  if (reason === 'stopped') return { kind: 'failed', failure: { reason, detail: 'the turn was interrupted' } };
  const told = text !== '' ? text : errors.join('; ');
  const detail =
    told === '' ? `the turn ended with ${textIn(message['subtype']).slice(0, excerptMax)}` : told.slice(0, turnTextMax);
  return { kind: 'failed', failure: { reason, detail } };
}

/** The CLI was to resume a session that it does not have. */
export function isSessionLost(message: Json): boolean {
  const told = [textIn(message['result']), ...listIn(message['errors']).filter(isText)];
  return message['is_error'] !== false && told.some((text) => /^No conversation found\b/.test(text));
}

function failureReason(state: State, message: Json): FailureReason {
  return (
    nameIn(bySubtype, textIn(message['subtype'])) ??
    nameIn(byEnd, textIn(message['terminal_reason'])) ??
    (message['stop_reason'] === 'refusal' ? 'refusal' : undefined) ??
    nameIn(byComplaint, state.complaint ?? '') ??
    nameIn(byStatus, statusIn(message['api_error_status'])) ??
    'crash'
  );
}

function statusIn(value: unknown): string {
  return typeof value === 'number' ? `${value}` : textIn(value);
}

const bySubtype: Readonly<Record<string, FailureReason>> = {
  error_max_turns: 'max-turns',
  error_max_budget_usd: 'budget',
  error_max_structured_output_retries: 'invalid-output',
};

const byEnd: Readonly<Record<string, FailureReason>> = {
  prompt_too_long: 'context-overflow',
  max_turns: 'max-turns',
  budget_exhausted: 'budget',
  structured_output_retry_exhausted: 'invalid-output',
  // The turn was interrupted.
  aborted_tools: 'stopped',
  aborted_streaming: 'stopped',
};

/** By the error in the line before the result, or of the last retry. */
const byComplaint: Readonly<Record<string, FailureReason>> = {
  authentication_failed: 'auth',
  billing_error: 'billing',
  max_output_tokens: 'max-output',
  rate_limit: 'rate-limit',
  overloaded: 'rate-limit',
  server_error: 'unavailable',
  quota: 'quota',
  model_not_found: 'setup-failed',
};

const byStatus: Readonly<Record<string, FailureReason>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  413: 'context-overflow',
  429: 'rate-limit',
  500: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
  529: 'rate-limit',
};
