// The state of a line to a model's service: one line for each account, and one more for each fallback model of its agents. All
// agents on a line, of all runs, share what two of them learn: that it is limited, until when, and that it serves again. What one
// agent claims holds for that agent and its children alone. Kept with the host, so that it survives a restart. A line without a
// limit is not stored.

import type { AttemptId, TaskId } from '../core/ids.ts';
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
  /**
   * Until when it is limited, by whom that was reported in this window: a task of the plan, for itself and all below it, or
   * `earlier` for the window before. Journals of older versions have none: then it is limited for all.
   */
  readonly claims?: Readonly<Record<string, number>>;
}

const earlier = 'earlier';

/** Only one has reported it: it is limited for nobody else. */
export function isAlone({ claims, cap }: Line): boolean {
  return claims !== undefined && cap === null && Object.keys(claims).length === 1;
}

/** Whether the claim of one agent is none of this task's business. `root`: the task of the plan above it. */
export function isOthersClaim(line: Line, root: TaskId | null): boolean {
  return isAlone(line) && (root === null || line.claims?.[root] === undefined);
}

/** What agents reported of an account's limits, by the name of the limit. */
export type Allowances = Readonly<Record<string, Allowance & { readonly at: number }>>;

/** `model`: the fallback model; null = the task's own. */
export function lineName(account: string, model: string | null): string {
  return model === null ? account : `${account}:${model}`;
}

/** `probe`: whether the line serves this attempt has to be reported. */
export type Admittance = { readonly admitted: true; readonly probe: boolean } | { readonly admitted: false };

/** `root`: the task of the plan above one that was refused before; null = it has not begun. */
export function admits(line: Line | undefined, atWork: number, now: number, root: TaskId | null = null): Admittance {
  if (line === undefined) return { admitted: true, probe: false };
  if (isOthersClaim(line, root)) return { admitted: true, probe: true };
  if (!isOver(line, now)) return { admitted: false };
  const room = line.cap === null ? line.probe === null : atWork < line.cap;
  return room ? { admitted: true, probe: true } : { admitted: false };
}

/** An answer ends a window for good. A clock set back before the window ends it too: one agent tries, and finds out. */
export function isOver({ since, until, cap }: Line, now: number): boolean {
  return cap !== null || waitIsOver(now, since, until - since);
}

/**
 * The line after another refusal. Refusals within a window are one limit. It lasts as long as two of those who reported it say:
 * one alone can neither close it for others nor make it longer. `by`: the task of the plan whose agent reports it.
 */
export function limitLine(
  line: Line | undefined,
  { limit, untilMs }: Limited,
  atWork: number,
  now: number,
  salt: string,
  by: TaskId,
): Line {
  const told = untilMs !== null && untilMs > now ? Math.min(untilMs, now + windowMaxMs) : null;
  if (line !== undefined && !isOver(line, now)) {
    const until = told ?? now + jittered(backOff(limit, line.strikes), salt);
    const claims = claimed(line.claims ?? { [earlier]: line.until }, by, until, now);
    return claims === line.claims ? line : { ...line, limit, claims, until: agreedUntil(claims, line) };
  }
  const strikes = (line?.strikes ?? 0) + 1;
  const backOffUntil = now + jittered(backOff(limit, strikes), salt);
  // It was limited for all, and nobody was served since: one that tries and is refused confirms it, for as long as we would wait.
  const before = line !== undefined && line.cap === null && !isAlone(line) ? { [earlier]: backOffUntil } : {};
  const claims = { ...before, [by]: told ?? backOffUntil };
  const goal = Math.max(line?.goal ?? 0, atWork);
  return {
    limit,
    since: now,
    until: agreedUntil(claims, { since: now, strikes }),
    strikes,
    probe: null,
    cap: null,
    goal,
    claims,
  };
}

/** Those that are over confirm nothing. */
function claimed(before: Readonly<Record<string, number>>, by: TaskId, until: number, now: number): typeof before {
  if ((before[by] ?? 0) >= until) return before;
  const open = Object.entries(before).filter(([, each]) => each > now);
  return Object.fromEntries([...open.slice(-claimsMax), [by, until]]);
}

const claimsMax = 20;

/** What at least two say. One alone tries again after an hour, and after twice as long each time that it was right. */
function agreedUntil(claims: Readonly<Record<string, number>>, line: Pick<Line, 'since' | 'strikes'>): number {
  const aloneUntil = line.since + Math.min(aloneMaxMs * 2 ** (line.strikes - 1), windowMaxMs);
  const [longest = 0, second = Math.min(longest, aloneUntil)] = Object.values(claims).sort((a, b) => b - a);
  return second;
}

const aloneMaxMs = 3_600_000;

/** Whether an answer within a window ends it: a claim of one, or of a long time, is refuted. Short limits serve some meanwhile. */
export function isRefuted(line: Line, now: number): boolean {
  return isAlone(line) || line.limit === 'quota' || line.until - now > backOffs[line.limit].maxMs;
}

/** The line after an answer; null = it is back to normal. */
export function serveLine(line: Line, atWork: number): Line | null {
  if (isAlone(line)) return null;
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
