// The budget of a day: of all runs on a host together.

import { amountOf, dimensions } from './budget.ts';
import { shortageWords } from './budget-words.ts';
import { type Host, spentOn } from './host.ts';

/** Why the day has no more to give, in a sentence; null = it has. */
export function dayShortage(host: Host, day: string): string | null {
  if (host.dayBudget === null) return null;
  const usage = spentOn(host, day);
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
