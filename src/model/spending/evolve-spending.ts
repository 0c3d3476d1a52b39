// Folds usage, budgets and reservations.

import { unreachable } from '../../std/assert.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, attemptOfLaunch, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { upwards } from '../core/task-tree.ts';
import { type BudgetScope, limiting, scopeName, spentOf } from './budget.ts';
import { addUsage, noUsage, type UsageTotal } from './usage.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<
  | `usage.${'recorded' | 'metered'}`
  | `budget.${'set' | 'day'}`
  | 'run.created'
  | 'task.added'
  | 'task.joined'
  | 'agent.sessionLost'
  | 'session.renewed'
  | 'launch.ended'
  | 'launch.lost'
  | 'attempt.started'
  | 'attempt.parked'
  | 'attempt.unparked'
>;

export function evolveSpending(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'run.created':
      run.spending.budget = event.run.limits.budget ?? null;
      return;
    case 'task.added':
      run.spending.budgeted ||= event.task.budget !== null || event.task.treeBudget !== null;
      return;
    case 'task.joined': {
      const { budget, treeBudget } = taskOf(run, event.taskId).spec;
      run.spending.budgeted ||= budget !== null || treeBudget !== null;
      return;
    }
    case 'agent.sessionLost':
    case 'session.renewed': {
      const agent = agentOf(run, event.agentId);
      agent.spending.metered = [];
      agent.spending.booked = [];
      return;
    }
    case 'launch.ended':
    case 'launch.lost': {
      const {
        launches: { current: launch },
        taskId,
      } = attemptOfLaunch(run, event.launchId);
      return spendTime(run, taskOf(run, taskId), Math.max(0, event.at - (launch?.startedAt ?? event.at)));
    }
    case 'attempt.parked':
      // An agent that asks a person keeps its reservation.
      if (event.why.kind !== 'asks') attemptOf(run, event.attemptId).spending.reserved = null;
      return;
    case 'attempt.started':
    case 'attempt.unparked':
      return setApart(run, attemptOf(run, event.attemptId), event);
    case 'usage.recorded':
      return book(run, event);
    case 'usage.metered':
      agentOf(run, event.agentId).spending.metered = event.parts;
      return;
    case 'budget.set':
      return setBudget(run, event);
    case 'budget.day':
      run.spending.dayLimited = event.limited;
      run.spending.dayExhausted = event.exhausted;
      run.spending.dayTimed = event.timed ?? false;
      return;
    default:
      unreachable(event);
  }
}

function book(run: Run, event: Of<'usage.recorded'>): void {
  const task = taskOf(run, event.taskId);
  addUsage(run.spending.usage, event.usage);
  addUsage(task.spending.usage, event.usage);
  const model = event.model ?? '';
  task.spending.usageOf[model] ??= noUsage();
  addUsage(task.spending.usageOf[model], event.usage);
  for (const each of upwards(run, task)) addUsage(each.spending.treeUsage, event.usage);
  const agent = agentOf(run, event.agentId);
  agent.spending.booked = agent.spending.metered;
}

function setApart(run: Run, attempt: Attempt, { reserved }: Of<'attempt.started' | 'attempt.unparked'>): void {
  // An agent that asked a person has kept its reservation.
  if (attempt.parking.parked?.why.kind === 'asks') return;
  attempt.spending.reserved = reserved ?? null;
  attempt.spending.spentBefore = spentOf(taskOf(run, attempt.taskId).spending.treeUsage);
}

function setBudget(run: Run, { scope, budget: asked }: Of<'budget.set'>): void {
  const budget = limiting(asked);
  run.spending.budgeted ||= scope.of !== 'run';
  if (scope.of === 'run') run.spending.budget = budget;
  else if (scope.of === 'task') taskOf(run, scope.taskId).spending.budget = budget;
  else taskOf(run, scope.taskId).spending.treeBudget = budget;
  run.spending.unknownAccepted.set(scopeName(scope), usageOf(run, scope).unknownCosts);
}

/** The running time of processes is spent as well. */
function spendTime(run: Run, task: Task, ms: number): void {
  run.spending.usage.timeMs += ms;
  task.spending.usage.timeMs += ms;
  for (const each of upwards(run, task)) each.spending.treeUsage.timeMs += ms;
}

function usageOf(run: Run, scope: BudgetScope): UsageTotal {
  if (scope.of === 'run') return run.spending.usage;
  return taskOf(run, scope.taskId).spending.treeUsage;
}
