// Rules on the lines to a model's service: while one is closed no attempt starts on it, after that one attempt tries at a time
// until it is served, and what two agents learn holds for all. What one claims stops nobody else.

import type { AttemptView } from '../view/attempt-view.ts';
import type { Data } from '../view/event-data.ts';
import { blame, type HostView, type View } from '../view/view.ts';
import type { LineData } from './amounts.ts';
import type { CommitDoings } from './host-rules.ts';

/** The longest wait without a try. */
const windowMaxMs = 8 * 24 * 3_600_000;
/** The longest wait of a limit that serves some meanwhile: an answer does not end it. */
const shortMs = 300_000;

/** The account is what a harness logs in with; an attempt with a fallback model has a line of its own. */
export function lineOf({ task, pause }: AttemptView): string {
  const { harness = '' } = task.spec;
  return pause.model === null ? harness : `${harness}:${pause.model}`;
}

/** Closed from when to when it says, unless it served since; a clock that went back before that opens it for a try. */
export function isClosed(line: LineData | undefined, at: number): boolean {
  return line !== undefined && line.cap === null && at >= line.since && at < line.until;
}

/** Whether only one agent, with all below it, has said so. Then the line is open for others, and for those that have not begun. */
function isOthersClaim(view: View, line: LineData | undefined, attempt: AttemptView): boolean {
  if (!isClaim(line)) return false;
  return line?.claims?.[rootOf(view, attempt)] === undefined || attempt.launch === null;
}

function isClaim(line: LineData | undefined): boolean {
  return line?.cap === null && Object.keys(line.claims ?? {}).length === 1;
}

/** An agent is told that it may not start: not because of what one other claims. */
export function seeLine(view: View, attempt: AttemptView, closed: string | null | undefined): void {
  const line = view.hosts.get(`host/${attempt.host}`)?.lines.get(lineOf(attempt));
  if (typeof closed === 'string' && isClaim(line) && line?.claims?.[rootOf(view, attempt)] === undefined)
    blame(view, 7, `${attempt.id} is kept from ${lineOf(attempt)} by the claim of one other`);
}

/** The task of the plan above it. */
export function rootOf(view: View, { task }: AttemptView): string {
  let root = task;
  for (;;) {
    const above = view.tasks.get(root.spec.parent ?? '');
    if (above === undefined || above.spec.kind !== 'work') return root.id;
    root = above;
  }
}

/** An attempt takes a slot: it is about to ask the service. Where it is in the host's stream is where it was decided. */
export function checkLine(view: View, host: HostView, attemptId: string, at: number): void {
  const attempt = view.attempts.get(attemptId);
  if (attempt === undefined) return;
  const name = lineOf(attempt);
  const line = host.lines.get(name);
  if (line === undefined || isOthersClaim(view, line, attempt)) return;
  if (isClosed(line, at)) return blame(view, 7, `${attemptId} begins on ${name}, which is closed until ${line.until}`);
  if (line.cap !== null) {
    const beside = [...host.held.keys()].filter((id) => isOn(view, id, name)).length;
    if (beside >= line.cap)
      blame(view, 7, `${attemptId} begins on ${name} beside ${beside} others; ${line.cap} may be on it`);
    return;
  }
  const trying = host.trying.get(name);
  if (isClaim(line)) return;
  if (trying !== undefined)
    blame(view, 7, `${attemptId} begins on ${name}, which ${trying} tries and nobody was served on`);
  host.trying.set(name, attemptId);
}

function isOn(view: View, attemptId: string, name: string): boolean {
  const attempt = view.attempts.get(attemptId);
  return attempt !== undefined && lineOf(attempt) === name;
}

/** An attempt without a slot tries nothing. */
export function endTrial(host: HostView, attemptId: string): void {
  for (const [name, id] of host.trying) if (id === attemptId) host.trying.delete(name);
}

export function setLine(view: View, host: HostView, at: number, data: Data, { refused, served }: CommitDoings): void {
  const { name = 'undefined', line = null } = data;
  const before = host.lines.get(name);
  if (line === null || line.cap !== null) {
    if (!served.has(name)) blame(view, 3, `${name} is said to serve, and nobody was served on it`);
    const isShort = before !== undefined && before.limit !== 'quota' && before.until - at <= shortMs;
    const isAgreed = Object.keys(before?.claims ?? {}).length !== 1;
    if (isClosed(before, at) && isShort && isAgreed) blame(view, 3, `${name} is said to serve while it is closed`);
    host.trying.delete(name);
  } else if (before === undefined || line.since !== before.since || line.until !== before.until) {
    checkWindow(view, name, before, line, at);
    if (!refused.has(name)) blame(view, 3, `${name} is closed, and nobody was refused on it`);
    host.trying.delete(name);
  }
  if (line === null) host.lines.delete(name);
  else host.lines.set(name, line);
}

/** What two of those who reported it say. */
function agreed({ claims = {} }: LineData): number {
  const [longest = 0, second = longest] = Object.values(claims).sort((a, b) => b - a);
  return second;
}

function checkWindow(view: View, name: string, before: LineData | undefined, line: LineData, at: number): void {
  const ms = line.until - line.since;
  const isAlone = Object.keys(line.claims ?? {}).length === 1;
  if (line.claims !== undefined && (isAlone ? line.until > agreed(line) : line.until !== agreed(line)))
    blame(view, 7, `${name} is closed until ${line.until}, and two of those who say so say ${agreed(line)}`);
  if (ms <= 0 || ms > windowMaxMs + 1) blame(view, 8, `${name} is closed for ${ms} ms`);
  if (before !== undefined && isClosed(before, at)) {
    const confirms = Object.keys(before.claims ?? {}).length === 1 && Object.keys(line.claims ?? {}).length === 2;
    const shorter = line.until < before.until && !confirms && !(line.until >= agreed(line));
    if (line.since !== before.since || shorter) blame(view, 7, `the wait for ${name} became shorter`);
  } else if (line.since !== at) blame(view, 3, `${name} is closed since ${line.since}, it is ${at}`);
}

function longestClaim(line: LineData | undefined): number {
  return Math.max(line?.until ?? 0, ...Object.values(line?.claims ?? {}));
}

/** As they were before a commit; what a host decided of them in its course is not known in its order. */
export interface LinesBefore {
  readonly lines: ReadonlyMap<string, LineData>;
  readonly trying: ReadonlyMap<string, string>;
}

export function linesOf({ hosts }: View): LinesBefore {
  const all = [...hosts.values()];
  const lines = new Map(all.flatMap((host) => [...host.lines]));
  return { lines, trying: new Map(all.flatMap((host) => [...host.trying])) };
}

/** After a commit: what an agent learned of a line is known, and no attempt was launched into a closed one. */
export function checkLines(view: View, before: LinesBefore, doings: CommitDoings): void {
  for (const [name, { host, at, untilMs }] of doings.refused) {
    const line = view.hosts.get(host)?.lines.get(name);
    if (!isClosed(line, at)) blame(view, 7, `somebody was refused on ${name}, and it is open`);
    else if (untilMs !== null && untilMs - at <= windowMaxMs && longestClaim(line) < untilMs) {
      blame(view, 7, `${name} is closed until ${line?.until}, and the service said ${untilMs}`);
    }
  }
  for (const { attempt, launchId, at } of doings.intended) {
    const name = lineOf(attempt);
    const host = view.hosts.get(`host/${attempt.host}`);
    const now = host?.lines.get(name);
    if (isOthersClaim(view, now, attempt) || isOthersClaim(view, before.lines.get(name), attempt)) continue;
    if (isClosed(before.lines.get(name), at) && isClosed(now, at)) {
      blame(view, 7, `${launchId} is intended on ${name}, which is closed until ${now?.until}`);
    }
    if (isClaim(now)) continue;
    const other = host?.trying.get(name) ?? attempt.id;
    if (other !== attempt.id && before.trying.get(name) === other) {
      blame(view, 7, `${launchId} is intended on ${name}, which ${other} tries and nobody was served on`);
    }
  }
}

/** It has a slot: it has begun, has not ended, and is not parked. */
export function isAtWork(attempt: AttemptView | null): attempt is AttemptView {
  return attempt !== null && attempt.state !== 'ended' && attempt.pause.parked === null;
}
