// The budget of a day: of all runs on a host together.

import { amountOf, dimensions } from './budget.ts';
import { shortageWords } from './budget-words.ts';
import { type Host, spentOn } from './host.ts';
import type { Run } from './run.ts';

/** Why the day has no more to give, in a sentence; null = it has. `underwayMs`: how long processes run that go on. */
export function dayShortage(host: Host, day: string, underwayMs = 0): string | null {
  if (host.dayBudget === null) return null;
  const usage = spentOn(host, day);
  usage.timeMs += underwayMs;
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

/** What processes that go on have used of a day that began at `since`. */
export function underwayOn(
  runs: Iterable<Run>,
  since: number,
  now: number,
): { readonly ms: number; readonly running: number } {
  let ms = 0;
  let running = 0;
  for (const run of runs) {
    for (const { state, launch } of run.live.values()) {
      if (state !== 'running' || launch === null || launch.startedAt === null) continue;
      ms += Math.max(0, now - Math.max(since, launch.startedAt));
      running += 1;
    }
  }
  return { ms, running };
}
