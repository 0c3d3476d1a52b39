// Finds all errors in a plan that can be known before it runs. Starts nothing and reads no files.

import { resolveOptions } from '../defaults.ts';
import { inputProblems } from '../file/plan-inputs.ts';
import { hasErrors, inOrder, type Problem, problemAt } from '../file/problem.ts';
import type { Plan } from '../plan.ts';
import { type Graph, graphOf } from '../task-graph.ts';
import { budgetProblems } from './check-budgets.ts';
import { conditionProblems } from './check-conditions.ts';
import { modelProblems } from './check-models.ts';
import { type KnownPrices, priceProblems } from './check-prices.ts';
import { referenceProblems } from './check-references.ts';
import { type Known, taskProblems } from './check-tasks.ts';
import { writerProblems } from './check-writers.ts';

export interface Given extends Known {
  /** As texts: `--input name=value`. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Whether every input must have a value, as for a run. */
  readonly complete?: boolean;
  /** Left out: prices and the existence of models are not checked. */
  readonly prices?: KnownPrices;
  /** Whether tasks that take turns because of their paths are an error. */
  readonly strict?: boolean;
}

export function checkPlan(plan: Plan, given: Given): Problem[] {
  const graph = graphOf(plan);
  const resolved = new Map(plan.tasks.map((task) => [task, resolveOptions(plan, task, given.roles)]));
  const alone = [
    ...inputProblems(plan, given.inputs, given.complete === true),
    ...taskProblems(plan, given),
    ...budgetProblems(plan, resolved),
    ...(given.prices === undefined ? [] : modelProblems(plan, resolved, given.prices, given.harnesses)),
    ...(given.prices === undefined ? [] : priceProblems(plan, resolved, given.prices, given.harnesses)),
  ];
  const isWhole = graph.circle === null;
  const problems = [...alone, ...circleProblems(plan, graph), ...referenceProblems(plan, isWhole ? graph : null)];
  if (isWhole) problems.push(...conditionProblems(plan, graph));
  // Invalid paths cannot be compared.
  if (isWhole && !hasErrors(alone)) problems.push(...writerProblems(plan, graph, given.strict === true));
  return inOrder(problems);
}

function circleProblems(plan: Plan, { circle, nodes }: Graph): Problem[] {
  if (circle === null) return [];
  // A task that needs itself is reported with its needs.
  const [first = '', second] = circle;
  if (first === second) return [];
  const told = circle.map((name) =>
    nodes.get(name)?.task === null ? `the phase "${name.replace(/^phase\./, '')}"` : `"${name}"`,
  );
  const task = circle.find((name) => nodes.get(name)?.task !== null) ?? first;
  const message = `these wait for each other: ${told.join(' needs ')}`;
  const suggestion = 'take one of these needs away';
  return [problemAt(plan.source, ['tasks', task, 'needs'], { message, suggestion })];
}
