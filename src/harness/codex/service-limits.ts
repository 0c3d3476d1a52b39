// What the model's service refuses, and when it answers again: told once each, so that others can wait instead of trying.

import { type FailureReason, serviceLimitOf } from '../../model/core/failure.ts';
import type { AgentEvent, LimitKind } from '../../model/session/agent-fact.ts';
import { isObject, type Json, objectIn, textIn, textOrNull, timeIn } from '../stream-json/untrusted-json.ts';
import { nameIn, type State } from './state.ts';
import { excerptMax, nothing, type Step } from './step.ts';

interface Told {
  readonly state: State;
  readonly events: readonly AgentEvent[];
}

/** The model has answered: news after a limit, and at the beginning of a process. */
export function answered(state: State): Told {
  if (state.answered) return { state, events: [] };
  return { state: { ...state, answered: true, refused: null }, events: [{ kind: 'answered' }] };
}

/** A turn that failed of a limit which no line before had told. */
export function limitOfFailure(state: State, reason: FailureReason): Told {
  const limit = serviceLimitOf(reason);
  return limit === undefined ? { state, events: [] } : limited(state, limit);
}

/** An error that Codex meets by trying again. */
export function readRetry(state: State, error: Json): Step {
  const [attempt, attemptsMax] = /\b(\d{1,4})\/(\d{1,4})\b/.exec(textIn(error['message']))?.slice(1).map(Number) ?? [];
  const status = statusOf(error);
  const retry: AgentEvent = {
    kind: 'retry',
    attempt: attempt ?? 1,
    attemptsMax: attemptsMax ?? attempt ?? 1,
    delayMs: 0,
    status,
  };
  const limit = serviceLimitOf(reasonOf(error));
  if (limit === undefined) return { events: [retry] };
  const told = limited(state, limit);
  return { state: told.state, events: [retry, ...told.events] };
}

/** Why a turn failed. */
export function reasonOf(error: Json): FailureReason {
  const message = textIn(error['message']);
  if (/insufficient_quota|quota exceeded/i.test(message)) return 'quota';
  const info = error['codexErrorInfo'];
  const named = typeof info === 'string' ? nameIn(byName, info) : undefined;
  const status = statusOf(error);
  if (named !== undefined) return named;
  if (status !== null) return nameIn(byStatus, `${status}`) ?? (status >= 500 ? 'unavailable' : 'crash');
  // A connection that could not be made, or broke.
  return isObject(info) && Object.keys(info).some((name) => /Connection|Stream/.test(name)) ? 'unavailable' : 'crash';
}

const byName: Readonly<Record<string, FailureReason>> = {
  contextWindowExceeded: 'context-overflow',
  sessionBudgetExceeded: 'budget',
  usageLimitExceeded: 'quota',
  rateLimitExceeded: 'rate-limit',
  serverOverloaded: 'rate-limit',
  flexUnavailable: 'unavailable',
  internalServerError: 'unavailable',
  modelNotFound: 'setup-failed',
  unauthorized: 'auth',
  cyberPolicy: 'refusal',
  misalignmentPolicyViolation: 'refusal',
};

const byStatus: Readonly<Record<string, FailureReason>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  404: 'setup-failed',
  413: 'context-overflow',
  429: 'rate-limit',
  529: 'rate-limit',
};

/** Of HTTP, as far as it is told; null = no answer came. */
function statusOf(error: Json): number | null {
  const info = objectIn(error['codexErrorInfo']);
  for (const variant of Object.values(info)) {
    const status = objectIn(variant)['httpStatusCode'];
    if (typeof status === 'number' && status >= 100 && status < 1_000) return status;
  }
  return null;
}

function limited(state: State, limit: LimitKind): Told {
  const events: AgentEvent[] = state.refused === limit ? [] : [{ kind: 'limited', limit, untilMs: null }];
  return { state: { ...state, answered: false, refused: limit }, events };
}

/** How much of the account's allowance is used: told after every request, and worth telling when it has changed. */
export function readRateLimits(state: State, limits: Json): Step {
  const of = (textOrNull(limits['limitId']) ?? 'account').slice(0, excerptMax);
  const events = (['primary', 'secondary'] as const).flatMap((name): AgentEvent[] => {
    const window = limits[name];
    if (!isObject(window)) return [];
    const { usedPercent, resetsAt } = window;
    const used =
      typeof usedPercent === 'number' && usedPercent >= 0 ? Math.min(1, Math.round(usedPercent) / 100) : null;
    return [{ kind: 'allowance', of: `${of} ${name}`, used, resetsAtMs: timeIn(resetsAt) }];
  });
  const allowance = JSON.stringify(events);
  return events.length === 0 || allowance === state.allowance ? nothing : { state: { ...state, allowance }, events };
}
