// The budget of a day, shared by all runs on a host.

import { type Day, localDay } from '../../std/clock.ts';
import type { Run } from '../core/run.ts';
import { amountOf, type DayState, dimensions } from '../spending/budget.ts';
import { shortageWords } from '../spending/budget-words.ts';
import { journalled, underwayIn } from '../spending/underway.ts';
import { addTotal, noUsage, type UsageTotal } from '../spending/usage.ts';
import { type Host, spentOn } from './host.ts';

/** Why the day's budget is exhausted, in a sentence; null = it is not. `underway`: usage that is not booked yet. */
export function dayShortage(host: Host, day: string, underway: UsageTotal = noUsage()): string | null {
  if (host.dayBudget === null) return null;
  const usage = spentOn(host, day);
  addTotal(usage, underway);
  for (const what of dimensions) {
    const limit = host.dayBudget[what];
    if (limit === undefined) continue;
    const spent = amountOf(usage, what);
    if (spent >= limit) return shortageWords(`the day ${day}`, { what, spent, limit });
    if (what === 'microUsd' && usage.unknownCosts > (host.unknownAccepted[day] ?? 0)) {
      return shortageWords(`the day ${day}`, { what: 'unknown', spent, limit });
    }
  }
  return null;
}

/** Whether the day's time is exhausted: this limits also agents whose tokens are not counted. */
function isOutOfTime(host: Host, day: string, underway: UsageTotal): boolean {
  const limit = host.dayBudget?.timeMs;
  return limit !== undefined && spentOn(host, day).timeMs + underway.timeMs >= limit;
}

/** What unfinished turns and processes of these runs have used of a day. */
export function usedUnderway(
  runs: ReadonlyMap<unknown, Run>,
  { beginsAt }: Day,
  now: number,
  meteredOf = journalled,
): UsageTotal {
  const total = noUsage();
  for (const run of runs.values()) addTotal(total, underwayIn(run, { of: 'run' }, meteredOf));
  total.timeMs += underwayOn(runs.values(), beginsAt, now).ms;
  return total;
}

/** The day's budget as runs get to know it. `meteredOf`: includes a report that is not journalled yet. */
export function dayState(
  { host, runs }: { readonly host: Host; readonly runs: ReadonlyMap<unknown, Run> },
  now: number,
  meteredOf = journalled,
): Required<DayState> {
  const day = localDay(now);
  const limited = host.dayBudget !== null;
  const underway = limited ? usedUnderway(runs, day, now, meteredOf) : noUsage();
  const exhausted = dayShortage(host, day.name, underway);
  return { limited, exhausted, timed: isOutOfTime(host, day.name, underway) };
}

/** The running time of live processes within a day that began at `since`. */
export function underwayOn(
  runs: Iterable<Run>,
  since: number,
  now: number,
): { readonly ms: number; readonly running: number } {
  let ms = 0;
  let running = 0;
  for (const run of runs) {
    for (const {
      state,
      launches: { current: launch },
    } of run.live.values()) {
      if (state !== 'running' || launch === null || launch.startedAt === null) continue;
      ms += Math.max(0, now - Math.max(since, launch.startedAt));
      running += 1;
    }
  }
  return { ms, running };
}
