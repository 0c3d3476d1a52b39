// Checks budgets: each must limit something, none may exceed the one it is part of, and a task that falls back to other models
// must have some.

import { type Budget, type Dimension, dimensions } from '../../model/spending/budget.ts';
import type { AmountKind } from '../../std/amount.ts';
import type { ResolvedOptions } from '../defaults.ts';
import { dimensionOf } from '../file/budget-from.ts';
import { type Flaw, type Part, type PlanPath, type Problem, problemAt } from '../file/problem.ts';
import type { Plan, PlanTask } from '../plan.ts';

type Tell = (path: PlanPath, flaw: Flaw, part?: Part) => void;

export function budgetProblems(plan: Plan, resolved: ReadonlyMap<PlanTask, ResolvedOptions>): Problem[] {
  const problems: Problem[] = [];
  const tell: Tell = (path, flaw, part) => void problems.push(problemAt(plan.source, path, flaw, part));
  const { budget, confirmAbove } = plan.limits;
  aboveFlaws(plan.defaults.budget, budget, ['defaults', 'budget'], ofRun, tell);
  aboveFlaws(plan.defaults.budgetInAll, budget, ['defaults', 'budget-in-all'], ofRun, tell);
  for (const dimension of limited) {
    if (!((confirmAbove?.[dimension] ?? 0) > (budget?.[dimension] ?? Number.POSITIVE_INFINITY))) continue;
    const message = 'nobody will ever be asked: the budget of the run is below this';
    tell(amountPath(['limits', 'confirm-above'], dimension), { message, severity: 'warning' });
  }
  for (const [task, options] of resolved) {
    taskFlaws(plan, task, options, tell);
    if (task.work.kind === 'prompt') quotaFlaws(task, options, tell);
    else if (task.work.kind !== 'gate') commandFlaws(task, tell);
  }
  return problems;
}

const limited: readonly (keyof Budget)[] = [...dimensions, 'agents'];

const ofRun = "the run's";

function taskFlaws(plan: Plan, task: PlanTask, options: ResolvedOptions, tell: Tell): void {
  const path = ['tasks', task.name];
  aboveFlaws(task.budget, plan.limits.budget, [...path, 'budget'], ofRun, tell);
  aboveFlaws(task.budgetInAll, plan.limits.budget, [...path, 'budget-in-all'], ofRun, tell);
  aboveFlaws(task.budget, options.budgetInAll, [...path, 'budget'], 'that of all its tasks', tell);
  if (task.matrix === null && task.budgetInAll !== null) {
    const message = `"budget-in-all" is for a matrix, and "${task.name}" is none`;
    tell([...path, 'budget-in-all'], { message, suggestion: 'write "budget"' }, 'key');
  }
}

function aboveFlaws(own: Budget | null, whole: Budget | null, path: PlanPath, whose: string, tell: Tell): void {
  for (const dimension of limited) {
    if (!((own?.[dimension] ?? 0) > (whole?.[dimension] ?? Number.POSITIVE_INFINITY))) continue;
    const message = `this budget can never be reached: ${whose} is below it`;
    tell(amountPath(path, dimension), { message, severity: 'warning' });
  }
}

/** Where `budget` is a text, the problem is reported at that text. */
function amountPath(path: PlanPath, dimension: keyof Budget): PlanPath {
  const [word = 'agents'] = Object.entries(dimensionOf).find(([, each]) => each === dimension) ?? [];
  return [...path, word];
}

function quotaFlaws(task: PlanTask, { onQuota, fallback }: ResolvedOptions, tell: Tell): void {
  if (onQuota !== 'fallback' || fallback.length > 0) return;
  const path = task.onQuota === null ? ['defaults', 'on-quota'] : ['tasks', task.name, 'on-quota'];
  const suggestion = 'name them: "fallback: [sonnet]", here, in "defaults" or in the role';
  tell(path, { message: `"${task.name}" has no models to go on with`, suggestion });
}

function commandFlaws({ name, budget, budgetInAll, onQuota, fallback, retry }: PlanTask, tell: Tell): void {
  const path = ['tasks', name];
  for (const [word, said] of [
    ['on-quota', onQuota],
    ['fallback', fallback],
  ] as const) {
    if (said !== null)
      tell([...path, word], { message: `"${word}" is for agents, and this task runs a command` }, 'key');
  }
  if (retry.how === 'continue') {
    tell([...path, 'retry', 'how'], { message: 'a command has no session to go on with', suggestion: 'write "fresh"' });
  }
  for (const [word, said] of [
    ['budget', budget],
    ['budget-in-all', budgetInAll],
  ] as const) {
    const paid = (Object.entries(dimensionOf) as [AmountKind, Dimension][]).find(
      ([kind, dimension]) => kind !== 'time' && said?.[dimension] !== undefined,
    );
    if (paid === undefined) continue;
    const message = `a command spends nothing but time, so "${paid[0]}" limits nothing`;
    tell([...path, word, paid[0]], { message, suggestion: 'write "time"' }, 'key');
  }
}
