// What the runs of a host share and what outlives them: slots, lines to model services, usage by day. A slot is taken in the
// append that starts an attempt and freed in the one that ends or parks it, so none can leak and none is taken twice.

import { assert, unreachable } from '../../std/assert.ts';
import { evolveNotice, type Notice } from '../asks/notices.ts';
import type { AttemptId, RunId } from '../core/ids.ts';
import type { Pause } from '../core/pause.ts';
import type { Allowances, Line } from '../spending/account-line.ts';
import { type Budget, limiting } from '../spending/budget.ts';
import { addTotal, addUsage, noUsage, type UsageTotal } from '../spending/usage.ts';
import type { HostEvent } from './host-events.ts';

export interface Host {
  seq: number;
  slots: number;
  /** How many of these slots agents of one harness may use; a harness that is not named has no limit of its own. */
  harnessSlots: Readonly<Record<string, number>>;
  held: Map<AttemptId, RunId>;
  /** Lines that are limited or were so recently, by name. */
  lines: Record<string, Line>;
  accounts: Record<string, Allowances>;
  /** The usage of each model by day; the oldest days are dropped. */
  days: Record<string, Record<string, UsageTotal>>;
  /** The running time of processes, by the day on which they ended. */
  ran: Record<string, number>;
  /** The budget of a day; null = no limit. */
  dayBudget: Budget | null;
  /** How many usages of unknown cost a person accepted by setting that budget, by day. */
  unknownAccepted: Record<string, number>;
  /** Notices that people were not sent yet, by key, the oldest first. */
  notices: Map<string, Notice>;
  /** The number of the last reminder of an ask, by its id. */
  reminded: Readonly<Record<string, number>>;
  /** Who paused all agents, and since when; null = they are not paused. */
  paused: Pause | null;
  /** The last day whose exhausted budget people were notified of: every run reaches it, and one notice is enough. */
  dayNotice: string;
  /** What the machine lacks now, so that nothing is started on it. Observed, not journalled. */
  scarce: string | null;
}

export function emptyHost(): Host {
  return {
    seq: 0,
    slots: 0,
    harnessSlots: {},
    held: new Map(),
    lines: {},
    accounts: {},
    days: {},
    ran: {},
    dayBudget: null,
    unknownAccepted: {},
    notices: new Map(),
    reminded: {},
    paused: null,
    dayNotice: '',
    scarce: null,
  };
}

export function hostStream(name: string): string {
  return `host/${name}`;
}

export function freeSlots(host: Host): number {
  return Math.max(0, host.slots - host.held.size);
}

export function heldBy(host: Host, runId: RunId): number {
  let held = 0;
  for (const id of host.held.values()) if (id === runId) held += 1;
  return held;
}

export function evolveHost(host: Host, event: HostEvent): void {
  host.seq += 1;
  switch (event.type) {
    case 'host.configured':
      host.slots = event.slots;
      host.harnessSlots = event.harnessSlots ?? {};
      return;
    case 'host.paused':
      host.paused = { by: event.by, at: event.at };
      return;
    case 'host.unpaused':
      host.paused = null;
      return;
    case 'slot.taken':
      assert(!host.held.has(event.attemptId), `${event.attemptId} takes one slot`);
      host.held.set(event.attemptId, event.runId);
      return;
    case 'slot.freed':
      assert(host.held.delete(event.attemptId), `${event.attemptId} frees a slot it held`);
      return;
    case 'notice.raised':
    case 'notice.sent':
      return evolveNotice(host, event);
    case 'line.set':
      if (event.line === null) delete host.lines[event.name];
      else host.lines[event.name] = event.line;
      return;
    case 'account.quotaReported': {
      const { account, of, used, resetsAtMs, at } = event;
      host.accounts[account] = { ...host.accounts[account], [of]: { of, used, resetsAtMs, at } };
      return;
    }
    case 'day.spent':
      return spend(host, event);
    case 'day.ran':
      host.ran[event.day] = (host.ran[event.day] ?? 0) + event.ms;
      return forgetOldest(host.ran);
    case 'day.budget':
      host.dayBudget = limiting(event.budget);
      host.unknownAccepted = Object.fromEntries(
        Object.keys(host.days).map((day) => [day, spentOn(host, day).unknownCosts]),
      );
      return;
    default:
      unreachable(event);
  }
}

const daysKept = 400;

function spend({ days }: Host, { day, parts }: Extract<HostEvent, { type: 'day.spent' }>): void {
  const models = (days[day] ??= {});
  for (const { model, usage } of parts) {
    const total = (models[model ?? ''] ??= noUsage());
    addUsage(total, usage);
  }
  forgetOldest(days);
}

function forgetOldest(days: Record<string, unknown>): void {
  const known = Object.keys(days);
  if (known.length > daysKept) delete days[known.sort()[0] as string];
}

/** The usage of all models on a day. */
export function spentOn({ days, ran }: Host, day: string): UsageTotal {
  const total = noUsage();
  for (const usage of Object.values(days[day] ?? {})) addTotal(total, usage);
  total.timeMs += ran[day] ?? 0;
  return total;
}
