// Starts the next tasks on this host: as many as it has slots for, by harness, and none while memory is low.

import { isDeepStrictEqual } from 'node:util';
import { isAsking } from '../model/asks/asks-alone.ts';
import { dueReminders, nextReminder } from '../model/asks/reminders.ts';
import type { RunId } from '../model/core/ids.ts';
import { chooseNext } from '../model/dispatch/dispatch.ts';
import { dayState, underwayOn } from '../model/host/day.ts';
import { spentOn } from '../model/host/host.ts';
import { sceneOf } from '../model/parking/admit.ts';
import { setAside } from '../model/ready/interlock.ts';
import { isOver } from '../model/spending/account-line.ts';
import { knowsDay } from '../model/spending/allowance.ts';
import type { Ports } from '../ports/engine-ports.ts';
import { localDay } from '../std/clock.ts';
import { applyToHost, type Draft, decideHostFact, decideInto, type Ledger } from './state-cache.ts';

export interface HostOptions {
  readonly slots: number;
  readonly harnessSlots?: Readonly<Record<string, number>>;
  /** Nothing is started with less free memory than this. */
  readonly freeMemoryMin?: number;
  /** People are reminded of an unanswered ask after this time, again and again; left out = never. */
  readonly remindMs?: number | null;
}

export interface Dispatching {
  readonly ports: Ports;
  readonly ledger: Ledger;
  readonly options: HostOptions;
}

export function configureHost(state: Dispatching, draft: Draft): void {
  const { ledger, options } = state;
  const { slots, harnessSlots = {} } = options;
  const { host } = ledger;
  if (host.slots === slots && isDeepStrictEqual(host.harnessSlots, harnessSlots)) return;
  applyToHost(draft, ledger, [{ type: 'host.configured', slots, harnessSlots }]);
}

/** Raises the reminders that are due. */
export function mindTheAsks({ ledger, options: { remindMs = null } }: Dispatching, draft: Draft): void {
  if (remindMs === null) return;
  const due = dueReminders(ledger.host, ledger.runs.values(), draft.at, remindMs);
  applyToHost(
    draft,
    ledger,
    due.map((notice) => ({ type: 'notice.raised', ...notice })),
  );
}

/** Tells every run that does not know it yet that a person holds all agents, or lets them go on. */
export function mindThePause({ ledger }: Dispatching, draft: Draft): Set<RunId> {
  const told = new Set<RunId>();
  const { paused } = ledger.host;
  for (const [runId, run] of ledger.runs) {
    const known = run.pauses.host;
    if (run.state === 'ended' || (known === null) === (paused === null)) continue;
    const of = 'host';
    if (paused === null) decideHostFact(draft, ledger, runId, { type: 'unpauseRun', of, by: known?.by ?? 'a person' });
    else decideHostFact(draft, ledger, runId, { type: 'pauseRun', of, by: paused.by, since: paused.at });
    told.add(runId);
  }
  return told;
}

/** Tells every run that does not know it yet that the day's budget is exhausted, or available again. */
export function mindTheDay({ ledger }: Dispatching, draft: Draft): Set<RunId> {
  const told = new Set<RunId>();
  const day = dayState(ledger, draft.at);
  for (const [runId, run] of ledger.runs) {
    if (run.state === 'ended' || knowsDay(run, day)) continue;
    decideHostFact(draft, ledger, runId, { type: 'day', ...day });
    told.add(runId);
  }
  return told;
}

/** Starts what may start; returns the runs concerned, and those whose tasks now wait for a budget. */
export function dispatch(state: Dispatching, draft: Draft): Set<RunId> {
  const concerned = new Set<RunId>();
  const { ledger } = state;
  for (;;) {
    mindTheMemory(state);
    const { pick, aside } = chooseNext(sceneOf(ledger.host, ledger.runs.values(), draft.at), ledger.hostName);
    for (const each of aside) {
      setAside(each.run, each);
      if (each.blocker === null && each.run.spec !== null) concerned.add(each.run.spec.id);
    }
    if (pick === null) break;
    decideInto(draft, ledger, pick.runId, pick.command);
    concerned.add(pick.runId);
  }
  return concerned;
}

/** Running agents go on; others wait until there is enough memory. */
function mindTheMemory({ ledger: { host, runs }, options: { freeMemoryMin = 0 }, ports }: Dispatching): void {
  const free = freeMemoryMin === 0 ? freeMemoryMin : ports.freeMemory();
  const before = host.scarce;
  // One agent is started in any case: the machine may be small. An agent that waits for a person holds memory but no
  // slot.
  const anybody = host.held.size > 0 || [...runs.values()].some(({ parked }) => [...parked.values()].some(isAsking));
  host.scarce = free < freeMemoryMin && anybody ? `memory: ${mebibytes(free)} MiB are free` : null;
  if ((before === null) !== (host.scarce === null)) {
    ports.log.warn(before === null ? 'nothing is started: memory is scarce' : 'there is memory again', {
      free,
      freeMemoryMin,
    });
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

/** Times at which something that runs share becomes available again: a service, a new day. */
export function* sharedWakes({ ledger: { host, runs }, options }: Dispatching, now: number): Iterable<number> {
  const { remindMs = null } = options;
  const remindAt = remindMs === null ? null : nextReminder(runs.values(), now, remindMs);
  if (remindAt !== null) yield remindAt;
  for (const line of Object.values(host.lines)) if (!isOver(line, now)) yield line.until;
  const { name, beginsAt, endsAt } = localDay(now);
  if ([...runs.values()].some(({ spending: { dayExhausted } }) => dayExhausted !== null)) yield endsAt;
  else if (host.dayBudget?.timeMs !== undefined) {
    const { ms, running } = underwayOn(runs.values(), beginsAt, now);
    const left = host.dayBudget.timeMs - spentOn(host, name).timeMs - ms;
    if (running > 0) yield now + Math.max(1, Math.ceil(left / running));
  }
}
