// Rules on what runs share on a host. Slots: never more than there are, and each taken and freed in the very commit in which
// its attempt begins, goes on, parks or ends. The day's books: they hold what the commit adds to those of the runs.

import { noticeEvent } from '../asks/notice-rules.ts';
import { allowedFor } from '../attempts/overdue-rules.ts';
import type { AttemptView } from '../view/attempt-view.ts';
import type { Data } from '../view/event-data.ts';
import { blame, type HostView, type View } from '../view/view.ts';
import { checkLine, endTrial, setLine } from './account-rules.ts';
import { add, isSame, nothing, type PartData, sumOf } from './amounts.ts';

/** What one commit did, by attempt: the stream of the host it concerns. */
export interface CommitDoings {
  readonly started: Map<string, string>;
  readonly ended: Map<string, string>;
  readonly taken: Map<string, string>;
  readonly freed: Map<string, string>;
  /** Lines on which an attempt was refused, with the longest wait reported, and on which one was served. */
  readonly refused: Map<string, { readonly host: string; readonly at: number; readonly untilMs: number | null }>;
  readonly served: Set<string>;
  /** Whose launch is down, so that all it had used is in the books. */
  readonly down: AttemptView[];
  /** Attempts that waited for a person and continued, and whether by themselves. */
  readonly unasked: Map<string, boolean>;
  /** Those of them that may have gone on by themselves: their process had printed something that was not read yet. */
  readonly byItself: Set<string>;
  readonly intended: { readonly attempt: AttemptView; readonly launchId: string; readonly at: number }[];
  /** What was used and what the day has of it. */
  readonly used: PartData[];
  readonly booked: PartData[];
}

export function noDoings(): CommitDoings {
  return {
    started: new Map(),
    ended: new Map(),
    taken: new Map(),
    freed: new Map(),
    refused: new Map(),
    served: new Set(),
    down: [],
    unasked: new Map(),
    byItself: new Set(),
    intended: [],
    used: [],
    booked: [],
  };
}

export function hostEvent(
  view: View,
  stream: string,
  type: string,
  at: number,
  data: Data,
  doings: CommitDoings,
): void {
  const host = hostOf(view, stream);
  const attemptId = data.attemptId ?? 'undefined';
  switch (type) {
    case 'host.configured':
      host.slots = data.slots ?? 0;
      return;
    case 'slot.taken': {
      if (host.held.has(attemptId)) blame(view, 7, `${attemptId} takes a slot of ${stream} that it holds already`);
      // An attempt that continues by itself needs no free slot.
      else if (host.held.size >= slotsFor(view, host, attemptId) && !doings.byItself.has(attemptId)) {
        blame(view, 7, `${attemptId} takes slot ${host.held.size + 1} of ${stream}, which has ${host.slots}`);
      }
      const runId = view.attempts.get(attemptId)?.task.run.id;
      if (runId !== data.runId) blame(view, 7, `the slot of ${attemptId} is taken for ${data.runId}, not ${runId}`);
      if (!doings.byItself.has(attemptId)) checkLine(view, host, attemptId, at);
      // It goes on with the turn that it has begun.
      if (!doings.unasked.has(attemptId)) checkDayLeft(view, host, attemptId, at);
      host.held.set(attemptId, data.runId ?? '');
      doings.taken.set(attemptId, stream);
      return;
    }
    case 'slot.freed':
      if (!host.held.delete(attemptId)) blame(view, 7, `${attemptId} frees a slot of ${stream} that it does not hold`);
      endTrial(host, attemptId);
      doings.freed.set(attemptId, stream);
      return;
    case 'line.set':
      return setLine(view, host, at, data, doings);
    // How long processes ran is of no matter here.
    case 'day.ran':
      return;
    case 'day.spent':
      doings.booked.push(...(data.parts ?? []));
      return spendDay(view, host, at, data);
    case 'day.budget':
      host.dayBudget = data.budget ?? {};
      return;
    case 'account.quotaReported':
      return;
    case 'host.paused':
    case 'host.unpaused':
      host.paused = type === 'host.paused';
      return;
    case 'notice.raised':
    case 'notice.sent':
      return noticeEvent(view, type, data.key);
    default:
      blame(view, 2, `${stream} has an event ${type}, which no host has`);
  }
}

/** All runs know it in the commit that pauses them, or in which they begin. */
export function checkPaused(view: View): void {
  const paused = [...view.hosts.values()].some((host) => host.paused);
  for (const { id, state, paused: held } of view.runs.values()) {
    if (state === 'uncreated' || state === 'ended' || held.has('host') === paused) continue;
    blame(view, 7, `${id} is ${paused ? 'not ' : ''}held although all are ${paused ? '' : 'not '}paused`);
  }
}

export function checkSlots(view: View, doings: CommitDoings): void {
  const { started, taken, ended, freed } = doings;
  match(view, started, taken, 'starts without taking a slot in the same commit');
  match(view, taken, started, 'takes a slot without starting in the same commit');
  match(view, ended, freed, 'ends without freeing its slot in the same commit');
  match(view, freed, ended, 'frees its slot without ending in the same commit');
}

function slotsFor({ attempts }: View, { slots }: HostView, attemptId: string): number {
  const attempt = attempts.get(attemptId);
  return attempt === undefined ? slots : allowedFor(attempt, slots);
}

function spendDay(view: View, { days }: HostView, at: number, { day = 'undefined', parts = [] }: Data): void {
  if (day !== dayOf(at)) blame(view, 1, `what was spent on ${dayOf(at)} is booked on ${day}`);
  const spent = days.get(day) ?? nothing();
  for (const part of parts) add(spent, part);
  days.set(day, spent);
}

/** As people where the engine runs call it. */
function dayOf(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function checkDayLeft(view: View, { days, dayBudget }: HostView, attemptId: string, at: number): void {
  const spent = days.get(dayOf(at)) ?? nothing();
  for (const what of ['tokens', 'microUsd', 'turns'] as const) {
    const limit = dayBudget[what] ?? Number.POSITIVE_INFINITY;
    if (spent[what] >= limit) blame(view, 7, `${attemptId} begins although ${what} of the day is used up`);
  }
}

/** What was spent is in the books of the day with the same commit, to the last unit. */
export function checkDay(view: View, { used, booked }: CommitDoings): void {
  const [of, by] = [sumOf(used), sumOf(booked)];
  if (!isSame(of, by))
    blame(view, 1, `the runs spent ${JSON.stringify(of)}, in the books of the day is ${JSON.stringify(by)}`);
}

function match(view: View, left: Map<string, string>, right: Map<string, string>, otherwise: string): void {
  for (const [attemptId, stream] of left) {
    if (right.get(attemptId) !== stream) blame(view, 7, `${attemptId} ${otherwise} (${stream})`);
  }
}

function hostOf(view: View, stream: string): HostView {
  let host = view.hosts.get(stream);
  if (host === undefined) {
    host = {
      slots: 0,
      held: new Map(),
      lines: new Map(),
      trying: new Map(),
      days: new Map(),
      dayBudget: {},
      paused: false,
    };
    view.hosts.set(stream, host);
  }
  return host;
}
