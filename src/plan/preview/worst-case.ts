// The most that a run could spend, before it starts: by the budgets of its tasks and its own. Tasks without a limit are named,
// and amounts that depend on the run are given per item.

import { type Dimension, dimensions } from '../../model/spending/budget.ts';
import { defined } from '../../std/defined.ts';
import { taskDefaults } from '../../wire/task-request.ts';
import type { CompiledRun } from '../compile/compile-plan.ts';
import { pathText } from '../file/expression.ts';

export interface WorstCase {
  /** How many agents could start. */
  readonly attempts: Share;
  readonly by: Readonly<Record<Dimension, WorstSpending>>;
}

export interface Share {
  /** As far as it is known before the run. */
  readonly known: number;
  /** In addition, for each item. */
  readonly perItem: readonly PerItem[];
}

export interface PerItem {
  readonly task: string;
  readonly each: number;
  /** The list whose items are counted. */
  readonly over: string;
}

export interface WorstSpending {
  /** What the tasks could spend by their own budgets, */
  readonly tasks: Share;
  /** and the tasks without a limit. */
  readonly unlimited: readonly string[];
  /** The run's own budget; null = it has none. */
  readonly run: number | null;
  /** null = not known. */
  readonly atMost: number | null;
}

type TaskInput = CompiledRun['tasks'][number];

/** `omitted`: names of tasks that are omitted in any case. */
export function worstCase(run: CompiledRun, omitted: ReadonlySet<string>): WorstCase {
  const working = run.tasks.filter(({ name, kind }) => !omitted.has(name) && kind !== 'gate' && kind !== 'milestone');
  const agents = working.filter(({ harness }) => harness !== 'command');
  const spending = (dimension: Dimension): WorstSpending =>
    // Commands call no model: they spend only time.
    spendingOf(dimension === 'timeMs' ? working : agents, dimension, run.budget);
  const began = agents.reduce((sum, task) => plus(sum, beginningsOf(task)), nothing);
  return {
    attempts: boundedBy(run.budget?.agents, began) ?? began,
    by: Object.fromEntries(dimensions.map((each) => [each, spending(each)])) as Record<Dimension, WorstSpending>,
  };
}

const nothing: Share = { known: 0, perItem: [] };

function plus(a: Share, b: Share): Share {
  return { known: a.known + b.known, perItem: [...a.perItem, ...b.perItem] };
}

function spendingOf(tasks: readonly TaskInput[], dimension: Dimension, budget: CompiledRun['budget']): WorstSpending {
  let sum = nothing;
  const unlimited: string[] = [];
  for (const task of tasks) {
    const share = shareOf(task, dimension);
    if (share === null) unlimited.push(task.name);
    else sum = plus(sum, share);
  }
  const run = budget?.[dimension] ?? null;
  const isBounded = unlimited.length === 0 && sum.perItem.length === 0;
  const bounds = [...(isBounded ? [sum.known] : []), ...(run === null ? [] : [run])];
  return { tasks: sum, unlimited, run, atMost: bounds.length === 0 ? null : Math.min(...bounds) };
}

/** What one task, or all tasks of a matrix, could spend; null = no limit. */
function shareOf(task: TaskInput, dimension: Dimension): Share | null {
  const each = task.budget?.[dimension];
  return boundedBy(task.treeBudget?.[dimension], each === undefined ? null : manyOf(task, each));
}

/** How many agents of it could start, within its budgets. */
function beginningsOf(task: TaskInput): Share {
  const many = manyOf(task, Math.min(attemptsOf(task), task.budget?.agents ?? Number.POSITIVE_INFINITY));
  return boundedBy(task.treeBudget?.agents, many) ?? many;
}

function boundedBy(limit: number | undefined, share: Share | null): Share | null {
  if (limit === undefined) return share;
  return { known: share === null || share.perItem.length > 0 ? limit : Math.min(limit, share.known), perItem: [] };
}

function manyOf({ name, kind, items }: TaskInput, each: number): Share {
  if (kind !== 'matrix' || items === null || items === undefined) return { known: each, perItem: [] };
  if (Array.isArray(items)) return { known: each * items.length, perItem: [] };
  return { known: 0, perItem: [{ task: name, each, over: pathText(items.ref) }] };
}

/** Work that is kept may get further attempts because of conflicts or missing evidence. */
function attemptsOf(task: TaskInput): number {
  const { attemptsMax, conflictsMax, sendBacksMax } = { ...taskDefaults, ...defined(task) };
  if (task.keeps === false) return attemptsMax;
  const proved = (task.checks?.length ?? 0) > 0 || (task.writes ?? null) !== null;
  const integrates = task.writes?.length !== 0;
  return attemptsMax + (integrates ? conflictsMax : 0) + (proved ? sendBacksMax : 0);
}
