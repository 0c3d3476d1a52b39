// Folds what is spent and what may be.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, attemptOfLaunch, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { upwards } from '../core/task-tree.ts';
import { type BudgetScope, limiting, scopeName, spentOf } from './budget.ts';
import { addUsage, noUsage, type UsageTotal } from './usage.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<
  | `usage.${'recorded' | 'metered'}`
  | `budget.${'exhausted' | 'set' | 'day'}`
  | 'run.created'
  | 'task.added'
  | 'task.joined'
  | 'agent.sessionLost'
  | 'session.renewed'
  | 'launch.ended'
  | 'launch.lost'
  | 'attempt.parked'
  | 'attempt.unparked'
>;

export function evolveSpending(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'run.created':
      run.budget = event.run.limits.budget ?? null;
      return;
    case 'task.added':
      run.budgeted ||= event.task.budget !== null || event.task.treeBudget !== null;
      return;
    case 'task.joined': {
      const { budget, treeBudget } = taskOf(run, event.taskId).spec;
      run.budgeted ||= budget !== null || treeBudget !== null;
      return;
    }
    case 'agent.sessionLost':
    case 'session.renewed': {
      const agent = agentOf(run, event.agentId);
      agent.metered = [];
      agent.booked = [];
      return;
    }
    case 'launch.ended':
    case 'launch.lost': {
      const { launch, taskId } = attemptOfLaunch(run, event.launchId);
      return spendTime(run, taskOf(run, taskId), Math.max(0, event.at - (launch?.startedAt ?? event.at)));
    }
    case 'attempt.parked':
      // An agent that asks goes on with the answer, and with what was set apart for it.
      if (event.why.kind !== 'asks') attemptOf(run, event.attemptId).reserved = null;
      return;
    case 'attempt.unparked': {
      const attempt = attemptOf(run, event.attemptId);
      if (attempt.parked?.why.kind === 'asks') return;
      attempt.reserved = event.reserved ?? null;
      attempt.spentBefore = spentOf(taskOf(run, attempt.taskId).treeUsage);
      return;
    }
    case 'usage.recorded':
      return book(run, event);
    case 'usage.metered':
      agentOf(run, event.agentId).metered = event.parts;
      return;
    case 'budget.exhausted': {
      const { scope, what, spent, limit, at } = event;
      run.exhausted.set(scopeName(scope), { scope, what, spent, limit, at });
      return;
    }
    case 'budget.set':
      return setBudget(run, event);
    case 'budget.day':
      run.dayLimited = event.limited;
      run.dayExhausted = event.exhausted;
      run.dayTimed = event.timed ?? false;
      return;
    default:
      unreachable(event);
  }
}

function book(run: Run, event: Of<'usage.recorded'>): void {
  const task = taskOf(run, event.taskId);
  addUsage(run.usage, event.usage);
  addUsage(task.usage, event.usage);
  const model = event.model ?? '';
  task.usageOf[model] ??= noUsage();
  addUsage(task.usageOf[model], event.usage);
  for (const each of upwards(run, task)) addUsage(each.treeUsage, event.usage);
  const agent = agentOf(run, event.agentId);
  agent.booked = agent.metered;
}

function setBudget(run: Run, { scope, budget: asked }: Of<'budget.set'>): void {
  const budget = limiting(asked);
  run.budgeted ||= scope.of !== 'run';
  if (scope.of === 'run') run.budget = budget;
  else if (scope.of === 'task') taskOf(run, scope.taskId).budget = budget;
  else taskOf(run, scope.taskId).treeBudget = budget;
  run.exhausted.delete(scopeName(scope));
  run.unknownAccepted.set(scopeName(scope), usageOf(run, scope).unknownCosts);
}

/** How long a process ran counts as well. */
function spendTime(run: Run, task: Task, ms: number): void {
  run.usage.timeMs += ms;
  task.usage.timeMs += ms;
  for (const each of upwards(run, task)) each.treeUsage.timeMs += ms;
}

function usageOf(run: Run, scope: BudgetScope): UsageTotal {
  if (scope.of === 'run') return run.usage;
  return taskOf(run, scope.taskId).treeUsage;
}
