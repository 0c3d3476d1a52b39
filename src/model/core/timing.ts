// Every wait of the model and its limit, and what a jump of the clock does to it.

import type { EffectKind } from './events.ts';
import type { RetrySpec } from './spec.ts';

/** From the asked end or interrupt to TERM, from TERM to KILL, and between two KILLs. */
export const termGraceMs = 5_000;
export const killGraceMs = 5_000;
export const killRepeatMs = 5_000;

/**
 * Launches of one attempt, the first included: a host that keeps dying must not loop for ever. Those that followed a pause
 * or a stall are not among them.
 */
export const launchesMax = 5;

/** How often an attempt's agent is started again after it went silent; the next time the attempt has failed. */
export const stallsMax = 2;

const minuteMs = 60_000;

/** Of a clock that has gone back, what it showed before is not in the last minute: nobody is held by it for long. */
export function inLastMinute(times: readonly number[], now: number): readonly number[] {
  return times.filter((time) => time > now - minuteMs && time <= now);
}

/** With it those of the times before that lie in the last minute. */
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
  // A process that cannot be watched or signalled still exists: to give it up would leave it running.
  watch: Number.POSITIVE_INFINITY,
  signal: Number.POSITIVE_INFINITY,
};

/** When it is given up to find out whether an integration that failed so often has come about after all. */
export const integrationsMax = 24;

/** The same for the integration of a run, which is refused then; and how often its branch may be moved by others meanwhile. */
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

/** A wait that is over when its time has passed, or when the clock went back behind its beginning. */
export function waitIsOver(now: number, from: number, ms: number): boolean {
  return now < from || now - from >= ms;
}

/** A limit that is exceeded only by time that has really passed: a clock that went back exceeds nothing. */
export function limitIsPassed(now: number, from: number, ms: number): boolean {
  return now - from >= ms;
}

/** FNV-1a, scaled to [0, 1). */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
