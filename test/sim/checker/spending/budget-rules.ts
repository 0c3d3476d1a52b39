// Rules on budgets: what was spent is what is booked, an exhausted budget lets nothing start, and a person is notified once.

import type { BookData } from '../history.ts';
import type { AttemptView } from '../view/attempt-view.ts';
import { isAbove } from '../view/children-view.ts';
import type { Data } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';
import {
  type Amounts,
  add,
  type BudgetData,
  dimensions,
  grown,
  isSame,
  nothing,
  type PartData,
  type ScopeData,
  scopeName,
  sumOf,
} from './amounts.ts';
import type { CommitDoings } from './host-rules.ts';

interface Scoped {
  readonly scope: ScopeData;
  readonly budget: BudgetData;
  readonly spent: Amounts;
}

/** The budgets that hold for a task: its own, those of what it is part of, the run's. */
function scopesOf(view: View, task: TaskView): Scoped[] {
  const { run } = task;
  const scopes: Scoped[] = [];
  for (const each of upwards(view, task)) {
    // What a task may spend is also for those that its agent asks for.
    if (each.budget !== null && (each.spec.kind ?? 'work') === 'work')
      scopes.push({ scope: { of: 'task', taskId: each.id }, budget: each.budget, spent: each.treeSpent });
    if (each.treeBudget === null) continue;
    scopes.push({ scope: { of: 'tree', taskId: each.id }, budget: each.treeBudget, spent: each.treeSpent });
  }
  if (run.budget !== null) scopes.push({ scope: { of: 'run' }, budget: run.budget, spent: run.spent });
  return scopes;
}

function* upwards(view: View, task: TaskView): Iterable<TaskView> {
  for (let at: TaskView | undefined = task; at !== undefined; at = view.tasks.get(at.spec.parent ?? '')) yield at;
}

export interface UsedUp {
  readonly scope: string;
  readonly what: string;
}

/** The first exhausted budget of a task, by the journal; `at` null = time does not matter. */
export function usedUp(view: View, task: TaskView, at: number | null): UsedUp | null {
  if (task.run.paused.size > 0) return { scope: 'the run, which is paused', what: 'everything' };
  if (task.run.dayExhausted !== null) return { scope: 'day', what: task.run.dayExhausted };
  for (const scoped of scopesOf(view, task)) {
    const what = lacking(view, task.run, scoped, at);
    if (what !== null) return { scope: scopeName(scoped.scope), what };
  }
  return null;
}

/** Nothing is left for an attempt, or all that is left is reserved for others. */
export function isShort(view: View, { task }: AttemptView, at: number): boolean {
  if (usedUp(view, task, at) !== null) return true;
  return scopesOf(view, task).some((scoped) => {
    const spent = spentIn(view, task.run, scoped, at);
    const others = liveIn(view, task.run, scoped.scope).filter(
      (each) => each.task !== task && !isAbove(each.task, task),
    );
    return dimensions.some((what) => {
      const limit = scoped.budget[what] ?? Number.POSITIVE_INFINITY;
      return spent[what] + others.reduce((sum, each) => sum + leftOf(view, each, what, at), 0) >= limit;
    });
  });
}

/** Whether the agent of a task has to ask before each request: one of its budgets can run out by a request. */
export function isBraked(view: View, task: TaskView): boolean {
  const counts = ({ tokens, microUsd, turns }: BudgetData): boolean => (tokens ?? microUsd ?? turns) !== undefined;
  return task.run.dayLimited || scopesOf(view, task).some(({ budget }) => counts(budget));
}

function lacking(view: View, run: RunView, scoped: Scoped, at: number | null): string | null {
  const { scope, budget } = scoped;
  const spent = spentIn(view, run, scoped, at);
  for (const what of dimensions) {
    const limit = budget[what];
    if (limit === undefined || (what === 'timeMs' && at === null)) continue;
    if (spent[what] >= limit) return what;
    if (what === 'microUsd' && spent.unknown > (run.accepted.get(scopeName(scope)) ?? 0)) return 'unknown';
  }
  return null;
}

/** What is in the books and what turns that are not over have used; of processes that run also the time. */
function spentIn(view: View, run: RunView, { scope, spent }: Scoped, at: number | null): Amounts {
  const sum = { ...spent };
  for (const attempt of liveIn(view, run, scope)) {
    const { pause, launch } = attempt;
    const underway = sumOf(grown(pause.metered, pause.ended));
    for (const what of ['tokens', 'microUsd', 'unknown', 'turns'] as const) sum[what] += underway[what];
    const startedAt = attempt.state === 'running' ? (launch?.startedAt ?? null) : null;
    if (at !== null && startedAt !== null) sum.timeMs += Math.max(0, at - startedAt);
  }
  return sum;
}

function liveIn(view: View, run: RunView, scope: ScopeData): AttemptView[] {
  return run.tasks.flatMap((task) => {
    const { attempt } = task;
    if (task.state !== 'active' || attempt === null) return [];
    if (scope.of !== 'run' && ![...upwards(view, task)].some(({ id }) => id === scope.taskId)) return [];
    return [attempt];
  });
}

/** It starts or continues: no budget that applies to it may be exhausted, and all reservations must be covered. */
export function checkAdmitted(view: View, attempt: AttemptView, at: number): void {
  const { id, task } = attempt;
  const lack = usedUp(view, task, at);
  if (lack !== null) blame(view, 7, `${id} begins although ${lack.what} of ${lack.scope} is used up`);
  for (const scoped of scopesOf(view, task)) {
    if (scoped.scope.of === 'task' && scoped.scope.taskId === task.id) continue;
    const spent = spentIn(view, task.run, scoped, at);
    for (const what of dimensions) {
      const limit = scoped.budget[what];
      if (limit === undefined) continue;
      const apart = holdersIn(view, task, scoped.scope, what).reduce(
        (sum, each) => sum + leftOf(view, each, what, at),
        0,
      );
      if (apart > 0 && spent[what] + apart > limit) {
        blame(
          view,
          7,
          `with ${id} ${apart} of ${what} is set apart in ${scopeName(scoped.scope)}, which has ${limit} and spent ${spent[what]}`,
        );
      }
    }
  }
}

/** Another agent of a task: there may be no more than its budgets say, ever. */
export function checkAgents(view: View, attempt: AttemptView): void {
  for (const scoped of scopesOf(view, attempt.task)) {
    const limit = scoped.budget.agents ?? Number.POSITIVE_INFINITY;
    if (agentsIn(view, attempt.task.run, scoped.scope) > limit) {
      blame(view, 7, `${attempt.id} is more than the ${limit} agents that ${scopeName(scoped.scope)} may have`);
    }
  }
}

function agentsIn(view: View, run: RunView, scope: ScopeData): number {
  const agents = [...view.agents.values()].filter(({ task }) => task.run === run);
  if (scope.of === 'run') return agents.length;
  return agents.filter(({ task }) => [...upwards(view, task)].some(({ id }) => id === scope.taskId)).length;
}

/** Attempts with reservations beside those that a task draws on; reservations of their children are part of theirs. */
function holdersIn(view: View, task: TaskView, scope: ScopeData, what: (typeof dimensions)[number]): AttemptView[] {
  const all = liveIn(view, task.run, scope).filter(({ pause }) => pause.reserved?.[what] !== undefined);
  const holders = all.filter((each) => !isAbove(each.task, task));
  return holders.filter((each) => !holders.some((other) => isAbove(other.task, each.task)));
}

/** What is reserved for an attempt and not spent yet. */
function leftOf(view: View, { task, pause }: AttemptView, what: (typeof dimensions)[number], at: number): number {
  const reserved = pause.reserved?.[what];
  if (reserved === undefined) return 0;
  const own = { scope: { of: 'task', taskId: task.id }, budget: {}, spent: task.treeSpent };
  return Math.max(0, reserved - (spentIn(view, task.run, own, at)[what] - pause.before[what]));
}

/** What a launch that is down, or a line that was read, adds to the books. */
export function recordUsage(view: View, attempt: AttemptView, data: Data, { used }: CommitDoings): void {
  const { usage, model = null, taskId } = data;
  const { task, pause } = attempt;
  if (usage === undefined) return outOfPlace(view, attempt, 'usage.recorded');
  if (taskId !== task.id) blame(view, 1, `usage of ${attempt.id} is booked on ${taskId}`);
  const part: PartData = { model, usage };
  add(task.run.spent, part);
  add(task.spent, part);
  add(pause.booked, part);
  for (const each of upwards(view, task)) add(each.treeSpent, part);
  used.push(part);
  if (attempt.state === 'running') attempt.heard.usages.push(usage);
  else bookEstimate(view, attempt, part);
  pause.ended = pause.metered;
}

/** For a process that is down, only the usage in its own transcript that no result reported, and each model once. */
function bookEstimate(view: View, attempt: AttemptView, part: PartData): void {
  const { pause, launch } = attempt;
  if (attempt.state !== 'resting' || launch === null) return outOfPlace(view, attempt, 'usage.recorded');
  launch.openTasks ??= grown(pause.metered, pause.ended);
  const at = launch.openTasks.findIndex((each) => JSON.stringify(each) === JSON.stringify(plain(part)));
  if (at < 0)
    return blame(view, 1, `${launch.id} is down, and more is recorded of it than it had used by its own record`);
  launch.openTasks.splice(at, 1);
}

/** Without what says where the number comes from, and in one order. */
function plain({ model, usage }: PartData): PartData {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, turns = 0, costMicroUsd } = usage;
  return { model, usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, turns, costMicroUsd } };
}

/** A process that is gone reports nothing more: everything known of it is booked with the same commit. */
export function checkBooked(view: View, { id, pause, launch }: AttemptView): void {
  const left = launch?.openTasks ?? grown(pause.metered, pause.ended);
  if (left.length > 0)
    blame(view, 1, `what ${id} had used by its own record is not in the books, and ${launch?.id} is down`);
}

/** At the end: what the engine says was spent is the sum of the journal. */
export function compareBook(view: View, name: string, book: BookData): void {
  const { costMicroUsd: microUsd, unknownCosts: unknown, turns, timeMs } = book;
  const tokens = book.inputTokens + book.outputTokens + book.cacheWriteTokens;
  const spent = spentBy(view, name);
  const told = { tokens, microUsd, unknown, turns, timeMs };
  if (!isSame(spent, told)) {
    blame(view, 1, `${name} spent ${JSON.stringify(spent)} by the record, the engine says ${JSON.stringify(told)}`);
  }
}

function spentBy({ runs, tasks }: View, name: string): Amounts {
  const run = runs.get(name);
  if (run !== undefined) return run.spent;
  const [of, id = ''] = name.split(' ');
  const task = tasks.get(id);
  if (task !== undefined) return of === 'tree' ? task.treeSpent : task.spent;
  const sum = nothing();
  for (const { spent } of runs.values()) {
    for (const what of [...dimensions, 'unknown'] as const) sum[what] += spent[what];
  }
  return sum;
}

export function spendTime(view: View, { task, launch }: AttemptView, at: number): void {
  const ms = launch === null || launch.startedAt === null ? 0 : Math.max(0, at - launch.startedAt);
  task.run.spent.timeMs += ms;
  task.spent.timeMs += ms;
  for (const each of upwards(view, task)) each.treeSpent.timeMs += ms;
}

export function budgetEvent(view: View, run: RunView, type: string, at: number, data: Data): void {
  if (type === 'budget.day') {
    run.dayLimited = data.limited === true;
    run.dayExhausted = data.exhausted ?? null;
    run.budgetChanges += 1;
    return;
  }
  if (type === 'ask.answered' || type === 'ask.expired') return closeAsk(view, run, type, data);
  const scope = data.scope ?? { of: 'undefined' };
  const name = scopeName(scope);
  const task = scope.of === 'run' ? null : view.tasks.get(scope.taskId ?? '');
  if (task === undefined || (task !== null && task.run !== run))
    return blame(view, 2, `${type} names ${name}, which is not there`);
  if (type === 'budget.set') {
    view.traces.setBudget += 1;
    run.budgetChanges += 1;
    const spent = setBudget(run, task, scope, data.budget ?? {});
    const told = run.told.get(name);
    if (told !== undefined) told.raised = true;
    run.accepted.set(name, spent.unknown);
    return;
  }
  if (run.told.has(name)) blame(view, 8, `a person is told twice that the budget of ${name} is used up`);
  const askId = data.askId ?? 'undefined';
  run.told.set(name, { askId, raised: false });
  const scoped = scopeOf(run, task, scope);
  const agents = scoped?.budget.agents ?? Number.POSITIVE_INFINITY;
  const what = scoped === null ? null : lacking(view, run, scoped, at);
  if (what === null && (data.what !== 'agents' || agentsIn(view, run, scope) < agents))
    blame(view, 3, `the budget of ${name} is told to be used up, and is not`);
}

/** An ask for more is closed by the budget being set, and by nothing else. */
function closeAsk(view: View, run: RunView, type: string, { askId }: Data): void {
  const [name, told] = [...run.told].find(([, each]) => each.askId === askId) ?? [];
  if (name === undefined || told === undefined) return;
  if (type === 'ask.expired' || !told.raised)
    blame(view, 7, `${askId} is closed, and nobody has set the budget of ${name}`);
  run.told.delete(name);
}

function setBudget(run: RunView, task: TaskView | null, scope: ScopeData, budget: BudgetData): Amounts {
  if (task === null) {
    run.budget = budget;
    return run.spent;
  }
  if (scope.of === 'task') {
    task.budget = budget;
    return task.treeSpent;
  }
  task.treeBudget = budget;
  return task.treeSpent;
}

function scopeOf(run: RunView, task: TaskView | null, scope: ScopeData): Scoped | null {
  const budget = task === null ? run.budget : scope.of === 'task' ? task.budget : task.treeBudget;
  const spent = task === null ? run.spent : task.treeSpent;
  return budget === null ? null : { scope, budget, spent };
}
