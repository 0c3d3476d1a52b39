// Facts about the host that a run needs before it decides on a command. They become commands of their own and are journalled: a
// decision reads only the state of its run.

import type { Attempt } from '../core/attempt.ts';
import type { Command } from '../core/command.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { closedFor } from '../spending/account-of.ts';
import { knowsDay } from '../spending/allowance.ts';
import { justTold } from '../spending/underway.ts';
import { dayState } from './day.ts';
import type { Host } from './host.ts';

interface Shared {
  readonly host: Host;
  readonly runs: ReadonlyMap<unknown, Run>;
}

/** Only facts that the run does not know yet. */
export function factsBefore(shared: Shared, run: Run, command: Command, now: number): Command[] {
  switch (command.type) {
    case 'prepared':
      return lineFacts(shared, run, run.live.get(command.attemptId), now);
    case 'down':
      return lineFacts(shared, run, run.liveByLaunch.get(command.launchId), now);
    case 'output':
      return dayFacts(shared, run, command, now);
    default:
      return [];
  }
}

/** The next event may be a launch, which needs an open line. */
function lineFacts({ host }: Shared, run: Run, attempt: Attempt | undefined, now: number): Command[] {
  if (attempt === undefined) return [];
  const closed = closedFor(host, run, attempt.id, now);
  return closed === attempt.parking.closed ? [] : [{ type: 'lineSeen', attemptId: attempt.id, closed }];
}

/**
 * The agent asks whether it may make its next request: the day's budget of all runs counts, and the usage it has just reported.
 */
function dayFacts(shared: Shared, run: Run, command: Extract<Command, { type: 'output' }>, now: number): Command[] {
  const attempt = run.liveByLaunch.get(command.launchId);
  if (shared.host.dayBudget === null || attempt === undefined) return [];
  if (!command.facts.some(({ kind }) => kind === 'round')) return [];
  const agent = agentOf(run, attempt.agentId);
  const parts = command.facts.findLast((fact) => fact.kind === 'metered')?.parts ?? agent.spending.metered;
  const day = dayState(shared, now, justTold(agent, parts));
  return knowsDay(run, day) ? [] : [{ type: 'day', ...day }];
}
