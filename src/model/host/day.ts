// The budget of a day: of all runs on a host together.

import { type Day, localDay } from '../../std/clock.ts';
import type { Command } from '../core/command.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { amountOf, dimensions } from '../spending/budget.ts';
import { shortageWords } from '../spending/budget-words.ts';
import { journalled, justTold, underwayIn } from '../spending/underway.ts';
import { addTotal, noUsage, type UsageTotal } from '../spending/usage.ts';
import { type Host, spentOn } from './host.ts';

/** Why the day has no more to give, in a sentence; null = it has. `underway`: what is used and not in its books yet. */
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

/** Whether it is time that the day has no more of: that holds also for those of whom nothing else is known. */
export function isOutOfTime(host: Host, day: string, underway: UsageTotal): boolean {
  const limit = host.dayBudget?.timeMs;
  return limit !== undefined && spentOn(host, day).timeMs + underway.timeMs >= limit;
}

/** What turns and processes of these runs that are not over have used of a day. */
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

/** An agent may ask whether it goes on: what all runs have left of the day only the host knows. */
export function withDay(
  { host, runs }: { readonly host: Host; readonly runs: ReadonlyMap<unknown, Run> },
  run: Run,
  command: Command,
  now: number,
): Command {
  if (command.type !== 'output' || host.dayBudget === null) return command;
  const attempt = run.liveByLaunch.get(command.launchId);
  if (attempt === undefined || !command.facts.some(({ kind }) => kind === 'round')) return command;
  const agent = agentOf(run, attempt.agentId);
  const parts = command.facts.findLast((fact) => fact.kind === 'metered')?.parts ?? agent.spending.metered;
  const day = localDay(now);
  const dayUsedUp = dayShortage(host, day.name, usedUnderway(runs, day, now, justTold(agent, parts)));
  return dayUsedUp === null ? command : { ...command, dayUsedUp };
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
