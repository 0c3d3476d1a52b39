// Folds what is spent and what may be.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { upwards } from '../core/task-tree.ts';
import { lookAgain } from '../ready/ready-queues.ts';
import { type BudgetScope, limiting, scopeName } from './budget.ts';
import { addUsage, noUsage, type UsageTotal } from './usage.ts';

type SpendingEvent = Extract<RunEvent, { type: `usage.${string}` | `budget.${string}` }>;

export function evolveSpending(run: Run, event: SpendingEvent): void {
  switch (event.type) {
    case 'usage.recorded': {
      const task = taskOf(run, event.taskId);
      addUsage(run.usage, event.usage);
      addUsage(task.usage, event.usage);
      const model = event.model ?? '';
      task.usageOf[model] ??= noUsage();
      addUsage(task.usageOf[model], event.usage);
      for (const each of upwards(run, task)) addUsage(each.treeUsage, event.usage);
      const agent = agentOf(run, event.agentId);
      agent.booked = agent.metered;
      return;
    }
    case 'usage.metered':
      agentOf(run, event.agentId).metered = event.parts;
      return;
    case 'budget.exhausted': {
      const { scope, what, spent, limit, at } = event;
      run.exhausted.set(scopeName(scope), { scope, what, spent, limit, at });
      return;
    }
    case 'budget.set': {
      const { scope } = event;
      const budget = limiting(event.budget);
      run.budgeted ||= scope.of !== 'run';
      if (scope.of === 'run') run.budget = budget;
      else if (scope.of === 'task') taskOf(run, scope.taskId).budget = budget;
      else taskOf(run, scope.taskId).treeBudget = budget;
      run.exhausted.delete(scopeName(scope));
      run.unknownAccepted.set(scopeName(scope), usageOf(run, scope).unknownCosts);
      return lookAgain(run);
    }
    case 'budget.day':
      run.dayLimited = event.limited;
      run.dayExhausted = event.exhausted;
      run.dayTimed = event.timed ?? false;
      return lookAgain(run);
    default:
      unreachable(event);
  }
}

/** How long a process ran counts as well. */
export function spendTime(run: Run, task: Task, ms: number): void {
  run.usage.timeMs += ms;
  task.usage.timeMs += ms;
  for (const each of upwards(run, task)) each.treeUsage.timeMs += ms;
}

function usageOf(run: Run, scope: BudgetScope): UsageTotal {
  if (scope.of === 'run') return run.usage;
  return taskOf(run, scope.taskId).treeUsage;
}
