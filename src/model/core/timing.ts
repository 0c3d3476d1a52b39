// Every wait of the model and its limit, and how it behaves when the clock jumps.

import type { EffectKind } from './events.ts';
import type { RetrySpec } from './retry-spec.ts';

/** From the request to end or interrupt to TERM, from TERM to KILL, and between two KILLs. */
export const termGraceMs = 5_000;
export const killGraceMs = 5_000;
export const killRepeatMs = 5_000;

/**
 * Launches of one attempt, the first included: a host that keeps dying must not loop for ever. Launches after a pause or a
 * stall do not count.
 */
export const launchesMax = 5;

/** How often a stalled agent is started again within an attempt; at the next stall the attempt fails. */
export const stallsMax = 2;

const minuteMs = 60_000;

/** After a clock was set back, earlier times are not in the last minute: no limit holds for long because of it. */
export function inLastMinute(times: readonly number[], now: number): readonly number[] {
  return times.filter((time) => time > now - minuteMs && time <= now);
}

/** `at`, and those of the earlier times that lie in the last minute. */
export function lately(times: readonly number[], at: number): readonly number[] {
  return [...inLastMinute(times, at), at];
}

const relaunchDelayMs = 500;
const relaunchDelayMaxMs = 10_000;

/** The first launch of an attempt starts at once; each further one waits twice as long as the one before. */
export function relaunchDelay(launches: number): number {
  return launches <= 1 ? 0 : Math.min(relaunchDelayMs * 2 ** (launches - 2), relaunchDelayMaxMs);
}

/** How often an effect may fail in a row before the attempt is given up; the table of failure reasons says for which reason. */
export const effectFailuresMax: Readonly<Record<EffectKind, number>> = {
  prepare: 3,
  launch: 3,
  write: 5,
  save: 8,
  prove: 3,
  integrate: 8,
  // A process that cannot be watched or signalled still exists: giving it up would leave it running.
  watch: Number.POSITIVE_INFINITY,
  signal: Number.POSITIVE_INFINITY,
};

/** After how many failures an integration is given up, although it may have taken effect. */
export const integrationsMax = 24;

/** The same for the landing of a run, which is then refused; and how often others may move the branch meanwhile. */
export const landingTriesMax = 8;
export const landingMovesMax = 10;

const effectDelayMs = 200;
const effectDelayMaxMs = 30_000;

export function effectDelay(times: number): number {
  return Math.min(effectDelayMs * 2 ** (times - 1), effectDelayMaxMs);
}

/** Exponential, with a spread of ±25 % drawn from `salt` so that tasks that failed together do not return together. */
export function retryDelay(retry: RetrySpec, failures: number, salt: string): number {
  return jittered(Math.min(retry.delayMs * 2 ** (failures - 1), retry.delayMaxMs), salt);
}

export function jittered(ms: number, salt: string): number {
  return Math.round(ms * (0.75 + 0.5 * fraction(salt)));
}

/** A wait is over when its time has passed, or when the clock was set back before its beginning. */
export function waitIsOver(now: number, from: number, ms: number): boolean {
  return now < from || now - from >= ms;
}

/** A limit is exceeded only by time that has really passed: a clock that was set back exceeds nothing. */
export function limitIsPassed(now: number, from: number, ms: number): boolean {
  return now - from >= ms;
}

/** FNV-1a, scaled to [0, 1). */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
