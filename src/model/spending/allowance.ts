// Which budget prevents another request, and how much can be reserved for an attempt before it starts. Usage that is not booked
// yet counts as spent; amounts reserved for other attempts count as gone.

import type { Attempt } from '../core/attempt.ts';
import { taskOf } from '../core/lookup.ts';
import { pauseOf, pauseWords } from '../core/pause.ts';
import type { Run, Task } from '../core/run.ts';
import { upwards } from '../core/task-tree.ts';
import {
  amountOf,
  type Budget,
  type BudgetScope,
  type DayState,
  type Dimension,
  dimensions,
  type Exhausted,
  scopeName,
} from './budget.ts';
import { agentsIn, isWithin, type Scoped, scopesOf } from './scopes.ts';
import { journalled, type MeteredOf, underwayIn } from './underway.ts';

/** The day's budget belongs to the host: a run knows only a sentence about it. `pause`: a person holds the run, whatever is left. */
export type Shortage =
  | ({ readonly of: 'scope'; readonly scope: BudgetScope } & Exhausted)
  | { readonly of: 'day' | 'pause'; readonly detail: string };

export type Reservation =
  | { readonly kind: 'granted'; readonly reserved: Budget | null }
  /** Amounts reserved for other attempts may come free. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'short'; readonly shortage: Shortage };

export function knowsDay({ spending }: Run, { limited, exhausted, timed = false }: DayState): boolean {
  return spending.dayLimited === limited && spending.dayExhausted === exhausted && spending.dayTimed === timed;
}

/** The first exhausted budget of a task; null = it may continue. */
export function shortageFor(run: Run, task: Task, now: number, meteredOf = journalled): Shortage | null {
  const pause = pauseOf(run);
  if (pause !== null) return { of: 'pause', detail: pauseWords(pause) };
  if (run.spending.dayExhausted !== null && (task.spec.spends || run.spending.dayTimed))
    return { of: 'day', detail: run.spending.dayExhausted };
  for (const scoped of scopesOf(run, task)) {
    const found = exhaustion(run, scoped, task, now, meteredOf);
    if (found !== null) return { of: 'scope', scope: scoped.scope, ...found };
  }
  return null;
}

/**
 * Reserves for a task that has a budget of its own. The task waits while other attempts may give back what it lacks; if none
 * can, it gets what is left.
 */
export function reserve(run: Run, task: Task, now: number): Reservation {
  const shortage = shortageFor(run, task, now) ?? tooManyAgents(run, task);
  if (shortage?.of === 'scope' && shortage.what !== 'unknown' && shortage.spent < shortage.limit) {
    return { kind: 'wait' };
  }
  if (shortage !== null) return { kind: 'short', shortage };
  if (task.spending.budget === null) return { kind: 'granted', reserved: null };
  const reserved: Record<string, number> = {};
  for (const scoped of scopesOf(run, task)) {
    if (isOwn(scoped.scope, task)) continue;
    for (const what of dimensions) {
      const [limit, own] = [scoped.budget[what], task.spending.budget[what]];
      if (limit === undefined || own === undefined) continue;
      const wanted = Math.min(
        own - amountOf(task.spending.treeUsage, what),
        reserved[what] ?? Number.POSITIVE_INFINITY,
      );
      const others = reservedByOthers(run, scoped.scope, task, what, now);
      const free = limit - spentIn(run, scoped, what, now) - others;
      if (free < wanted && others > 0) return { kind: 'wait' };
      reserved[what] = Math.min(wanted, free);
    }
  }
  return { kind: 'granted', reserved: Object.keys(reserved).length === 0 ? null : reserved };
}

/** The budget whose limit on agents is reached, for a task that needs another agent. */
export function tooManyAgents(run: Run, task: Task): Shortage | null {
  if (task.state !== 'ready') return null;
  for (const { scope, budget } of scopesOf(run, task)) {
    const limit = budget.agents;
    if (limit === undefined) continue;
    const spent = agentsIn(run, scope);
    if (spent >= limit) return { of: 'scope', scope, what: 'agents', spent, limit };
  }
  return null;
}

/** Whether the usage of the task has to be known while it is at work. */
export function isMetered(run: Run, task: Task): boolean {
  if (!task.spec.spends) return false;
  if (run.spending.dayLimited) return true;
  return scopesOf(run, task).some(({ budget }) => dimensions.some((what) => what !== 'timeMs' && what in budget));
}

/** When the running processes will exhaust a time budget; null = never, or it is exhausted already. */
export function outOfTimeAt(run: Run, task: Task, now: number): number | null {
  let at: number | null = null;
  for (const scoped of scopesOf(run, task)) {
    const limit = scoped.budget.timeMs;
    if (limit === undefined) continue;
    const running = runningIn(run, scoped.scope).length;
    if (running === 0) continue;
    const left = limit - spentIn(run, scoped, 'timeMs', now);
    // An exhausted budget was reported already and its attempts are parked: no timer is needed for that.
    if (left <= 0) continue;
    const due = now + Math.ceil(left / running);
    if (at === null || due < at) at = due;
  }
  return at;
}

function exhaustion(run: Run, scoped: Scoped, task: Task, now: number, meteredOf: MeteredOf): Exhausted | null {
  const { scope, budget, usage } = scoped;
  for (const what of dimensions) {
    const limit = budget[what];
    if (limit === undefined || (what !== 'timeMs' && !task.spec.spends)) continue;
    const spent = spentIn(run, scoped, what, now, meteredOf);
    const others = reservedByOthers(run, scope, task, what, now);
    if (limit - spent - others <= 0) return { what, spent, limit };
    if (what !== 'microUsd') continue;
    const unknown = usage.unknownCosts + underwayIn(run, scope, meteredOf).unknownCosts;
    if (unknown > (run.spending.unknownAccepted.get(scopeName(scope)) ?? 0)) return { what: 'unknown', spent, limit };
  }
  return null;
}

export function spentIn(
  run: Run,
  { scope, usage }: Scoped,
  what: Dimension,
  now: number,
  meteredOf = journalled,
): number {
  if (what !== 'timeMs') return amountOf(usage, what) + amountOf(underwayIn(run, scope, meteredOf), what);
  let sum = usage.timeMs;
  for (const { launches } of runningIn(run, scope)) sum += Math.max(0, now - (launches.current?.startedAt ?? now));
  return sum;
}

/** The usage of a task and all its descendants. */
export function treeOf({ spec: { id: taskId }, spending: { treeUsage: usage } }: Task): Scoped {
  return { scope: { of: 'task', taskId }, budget: {}, usage };
}

/** Amounts reserved and not spent yet, without those of one task; null = of all. */
export function reservedByOthers(
  run: Run,
  scope: BudgetScope,
  task: Task | null,
  what: Dimension,
  now: number,
): number {
  const holders = holdersOf(run, scope, what);
  if (holders.length === 0) return 0;
  let sum = 0;
  // A child draws on what is reserved for its parents.
  const above = task === null ? [] : upwards(run, task);
  const counted = holders.filter(({ taskId }) => !above.some(({ spec }) => spec.id === taskId));
  for (const attempt of counted) {
    const reserved = attempt.spending.reserved?.[what] ?? 0;
    const other = taskOf(run, attempt.taskId);
    // An amount reserved for a child is part of the amount reserved for its parent: do not count it twice.
    const [, ...over] = upwards(run, other);
    if (over.some(({ spec }) => counted.some(({ taskId }) => taskId === spec.id))) continue;
    const used = spentIn(run, treeOf(other), what, now) - (attempt.spending.spentBefore[what] ?? 0);
    sum += Math.max(0, reserved - used);
  }
  return sum;
}

/** A task reserves nothing in its own budget. */
function isOwn(scope: BudgetScope, { spec: { id } }: Task): boolean {
  return scope.of === 'task' && scope.taskId === id;
}

/** Attempts that have an amount reserved in this scope: mostly there are none. */
function holdersOf(run: Run, scope: BudgetScope, what: Dimension): Attempt[] {
  const holders: Attempt[] = [];
  for (const attempt of run.live.values()) {
    if (attempt.spending.reserved?.[what] !== undefined && isWithin(run, attempt.taskId, scope)) holders.push(attempt);
  }
  return holders;
}

function runningIn(run: Run, scope: BudgetScope): Attempt[] {
  const running: Attempt[] = [];
  for (const attempt of run.live.values()) {
    if (isRunning(attempt) && isWithin(run, attempt.taskId, scope)) running.push(attempt);
  }
  return running;
}

function isRunning({ state, launches: { current: launch } }: Attempt): boolean {
  return state === 'running' && launch !== null && launch.startedAt !== null;
}
