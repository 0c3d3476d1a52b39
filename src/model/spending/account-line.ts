// A line to a model's service: one for each account, and one more for each model that agents of it fall back to. All agents
// on it, of all runs, share what one of them learns: that it is limited, until when, and that it serves again. Kept with the
// host, so that a restart finds it as it was. A line that nobody complained of does not exist.

import type { AttemptId } from '../core/ids.ts';
import { jittered, waitIsOver } from '../core/timing.ts';
import type { Allowance, Limited, LimitKind } from '../session/agent-fact.ts';

export interface Line {
  readonly limit: LimitKind;
  /** The window in which nobody tries: from when to when. */
  readonly since: number;
  readonly until: number;
  /** How often it was limited since it last served. */
  readonly strikes: number;
  /** Who tries whether it serves again. */
  readonly probe: AttemptId | null;
  /** How many may be on it at once since it served again; null = it has not. */
  readonly cap: number | null;
  /** How many were on it when it was limited: with so many it is as before. */
  readonly goal: number;
}

/** What the agents told of an account, by what the limit is called. */
export type Allowances = Readonly<Record<string, Allowance & { readonly at: number }>>;

/** `model`: what it falls back to; null = its own. */
export function lineName(account: string, model: string | null): string {
  return model === null ? account : `${account}:${model}`;
}

/** `probe`: its answer is to be told. */
export type Admittance = { readonly admitted: true; readonly probe: boolean } | { readonly admitted: false };

export function admits(line: Line | undefined, atWork: number, now: number): Admittance {
  if (line === undefined) return { admitted: true, probe: false };
  if (!isOver(line, now)) return { admitted: false };
  const room = line.cap === null ? line.probe === null : atWork < line.cap;
  return room ? { admitted: true, probe: true } : { admitted: false };
}

/** Serving ends a window for good; a clock that went back before it ends it too: one agent tries, and learns better. */
export function isOver({ since, until, cap }: Line, now: number): boolean {
  return cap !== null || waitIsOver(now, since, until - since);
}

/** The line after another refusal. Within a window that is one and the same: it can only become longer. */
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

/** The line after an answer; null = it is as if nothing had been. */
export function serveLine(line: Line, atWork: number): Line | null {
  // An account that has its allowance again has all of it; where there were too many at once, they come back by twos.
  const cap = Math.max(line.cap ?? 0, 2 * atWork);
  if (line.limit === 'quota' || cap >= line.goal) return null;
  return { ...line, strikes: 0, probe: null, cap };
}

/** Nobody is kept waiting longer without a try, whatever a service said. */
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
