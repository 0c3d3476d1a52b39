// The state of a line to a model's service: one line for each account, and one more for each fallback model of its agents. All
// agents on a line, of all runs, share what one of them learns: that it is limited, until when, and that it serves again. Kept
// with the host, so that it survives a restart. A line without a limit is not stored.

import type { AttemptId } from '../core/ids.ts';
import { jittered, waitIsOver } from '../core/timing.ts';
import type { Allowance, Limited, LimitKind } from '../session/agent-fact.ts';

export interface Line {
  readonly limit: LimitKind;
  /** The window in which no attempt tries. */
  readonly since: number;
  readonly until: number;
  /** How often it was limited since it last served. */
  readonly strikes: number;
  /** The attempt that tries whether it serves again. */
  readonly probe: AttemptId | null;
  /** How many attempts may use it at once since it served again; null = it has not served yet. */
  readonly cap: number | null;
  /** How many attempts used it when it was limited: with as many as these it is back to normal. */
  readonly goal: number;
}

/** What agents reported of an account's limits, by the name of the limit. */
export type Allowances = Readonly<Record<string, Allowance & { readonly at: number }>>;

/** `model`: the fallback model; null = the task's own. */
export function lineName(account: string, model: string | null): string {
  return model === null ? account : `${account}:${model}`;
}

/** `probe`: whether the line serves this attempt has to be reported. */
export type Admittance = { readonly admitted: true; readonly probe: boolean } | { readonly admitted: false };

export function admits(line: Line | undefined, atWork: number, now: number): Admittance {
  if (line === undefined) return { admitted: true, probe: false };
  if (!isOver(line, now)) return { admitted: false };
  const room = line.cap === null ? line.probe === null : atWork < line.cap;
  return room ? { admitted: true, probe: true } : { admitted: false };
}

/** An answer ends a window for good. A clock set back before the window ends it too: one agent tries, and finds out. */
export function isOver({ since, until, cap }: Line, now: number): boolean {
  return cap !== null || waitIsOver(now, since, until - since);
}

/** The line after another refusal. Refusals within a window are one limit: the window can only become longer. */
export function limitLine(
  line: Line | undefined,
  { limit, untilMs }: Limited,
  atWork: number,
  now: number,
  salt: string,
): Line {
  const told = untilMs !== null && untilMs > now ? Math.min(untilMs, now + windowMaxMs) : null;
  if (line !== undefined && !isOver(line, now)) {
    if (told === null || told <= line.until) return line;
    return { ...line, limit, until: told };
  }
  const strikes = (line?.strikes ?? 0) + 1;
  const until = told ?? now + jittered(backOff(limit, strikes), salt);
  const cap = null;
  return { limit, since: now, until, strikes, probe: null, cap, goal: Math.max(line?.goal ?? 0, atWork) };
}

/** The line after an answer; null = it is back to normal. */
export function serveLine(line: Line, atWork: number): Line | null {
  // A quota that is renewed is renewed whole; after a rate limit the number of agents doubles with each answer.
  const cap = Math.max(line.cap ?? 0, 2 * atWork);
  if (line.limit === 'quota' || cap >= line.goal) return null;
  return { ...line, strikes: 0, probe: null, cap };
}

/** The longest window without a try, whatever a service said. */
const windowMaxMs = 8 * 24 * 3_600_000;

const backOffs: Readonly<Record<LimitKind, { ms: number; maxMs: number }>> = {
  rate: { ms: 2_000, maxMs: 300_000 },
  unavailable: { ms: 2_000, maxMs: 300_000 },
  quota: { ms: 900_000, maxMs: 3_600_000 },
};

function backOff(limit: LimitKind, strikes: number): number {
  const { ms, maxMs } = backOffs[limit];
  return Math.min(ms * 2 ** (strikes - 1), maxMs);
}
