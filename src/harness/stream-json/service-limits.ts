// When the model's service refuses, and when it answers again: reported once each, so that other agents can wait instead of
// trying.

import { type FailureReason, serviceLimitOf } from '../../model/core/failure.ts';
import type { AgentEvent, LimitKind } from '../../model/session/agent-fact.ts';
import type { State } from './state.ts';
import { excerptMax, type Step } from './step.ts';
import { countIn, type Json, textIn, textOrNull, timeIn } from './untrusted-json.ts';

/** The model has answered: reported after a limit, and at the start of a process. */
export function answered(state: State): Told {
  if (state.answered) return { state, events: [] };
  return { state: { ...state, answered: true, refused: null }, events: [{ kind: 'answered' }] };
}

export function readRetry(state: State, message: Json): Step {
  const { attempt, max_retries: attemptsMax, error_status: status, error } = message;
  const delay = message['retry_delay_ms'];
  const delayMs = typeof delay === 'number' ? Math.round(Math.min(Math.max(delay, 0), delayMaxMs)) : 0;
  const retry: AgentEvent = {
    kind: 'retry',
    attempt: countIn(attempt),
    attemptsMax: countIn(attemptsMax),
    delayMs,
    status: isStatus(status) ? status : null,
  };
  const told = { ...state, complaint: complaintOf(status) ?? textIn(error).slice(0, excerptMax) };
  const limit = limitOf(status);
  if (limit === null) return { state: told, events: [retry] };
  const waitMs = delayMs > usualDelayMs * 2 ** Math.max(0, countIn(attempt) - 1) ? delayMs : null;
  const step = limited(told, limit, null, waitMs);
  return { state: step.state, events: [retry, ...step.events] };
}

export function readRateLimit(state: State, info: Json): Step {
  const rejected = info['status'] === 'rejected';
  const { resetsAt, utilization: used } = info;
  const resetsAtMs = timeIn(resetsAt);
  const of = (textOrNull(info['rateLimitType']) ?? 'account').slice(0, excerptMax);
  const events: AgentEvent[] = [
    { kind: 'rateLimit', rejected, resetsAtMs },
    { kind: 'allowance', of, used: rejected ? 1 : shareIn(used), resetsAtMs },
  ];
  if (!rejected) return events;
  const step = limited({ ...state, complaint: 'quota' }, 'quota', resetsAtMs, null);
  return { state: step.state, events: [...events, ...step.events] };
}

/** A turn that failed by a limit which no earlier line reported. */
export function limitOfFailure(state: State, reason: FailureReason): Told {
  const limit = serviceLimitOf(reason);
  return limit === undefined || state.refused !== null ? { state, events: [] } : limited(state, limit, null, null);
}

interface Told {
  readonly state: State;
  readonly events: readonly AgentEvent[];
}

/** If the service names no delay, the first retry comes after about half of this, and each further one after twice as long. */
const usualDelayMs = 1_000;

function limited(state: State, limit: LimitKind, untilMs: number | null, waitMs: number | null): Told {
  const events: AgentEvent[] =
    state.refused === limit ? [] : [{ kind: 'limited', limit, untilMs, ...(waitMs === null ? {} : { waitMs }) }];
  return { state: { ...state, answered: false, refused: limit }, events };
}

/** No service needs a longer window. */
const delayMaxMs = 31 * 86_400_000;

/** An HTTP status. */
function isStatus(status: unknown): status is number {
  return typeof status === 'number' && status >= 100 && status < 1_000;
}

function limitOf(status: unknown): LimitKind | null {
  if (status === 429 || status === 529) return 'rate';
  return typeof status !== 'number' || status >= 500 ? 'unavailable' : null;
}

/** The error of the last retry, if the line itself is vague. */
function complaintOf(status: unknown): string | null {
  if (status === 529) return 'overloaded';
  return limitOf(status) === 'unavailable' ? 'server_error' : null;
}

function shareIn(value: unknown): number | null {
  if (typeof value !== 'number' || !(value >= 0)) return null;
  return Math.min(1, value);
}
