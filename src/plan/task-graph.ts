// The graph of a plan: its tasks, the milestones of its phases, and what each needs. Checks, drawing, waves and the compiler all
// use this graph.

import { type Condition, conditionRefs } from '../model/inputs/condition.ts';
import { onFailureOf } from './defaults.ts';
import { endWords } from './file/output-schemas.ts';
import type { Plan, PlanPhase, PlanTask } from './plan.ts';

export interface GraphNode {
  readonly name: string;
  /** null: a milestone. */
  readonly task: PlanTask | null;
  readonly phase: PlanPhase | null;
  readonly when: Condition | null;
  readonly needs: string[];
  /** Those of its needs that only have to have ended. */
  readonly tolerates: string[];
}

export interface Graph {
  /** Tasks in the order of the plan, each phase's milestone after them. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Every node after all it needs, without those in a cycle. */
  readonly order: readonly GraphNode[];
  /** One cycle, first and last the same; null = there is none. */
  readonly circle: readonly string[] | null;
  /** Whether `later` waits for `earlier`, directly or not. */
  waitsFor(later: string, earlier: string): boolean;
}

export const milestoneOf = (phase: string): string => `phase.${phase}`;

/** Needs that are not tasks of the plan are left out: check-tasks.ts reports them. */
export function graphOf(plan: Plan): Graph {
  const byName = new Map(plan.tasks.map((task) => [task.name, task]));
  const continues = new Set(plan.tasks.filter((task) => continuesAfter(plan, task)).map(({ name }) => name));
  const nodes = new Map<string, GraphNode>();
  for (const task of plan.tasks) {
    const needs = [...new Set(task.needs)].filter((need) => byName.has(need));
    const asked = new Set(task.when === null ? [] : resultsAsked(task.when));
    const tolerates = needs.filter((need) => asked.has(need) || continues.has(need));
    const phase = plan.phases.find(({ name }) => name === task.phase) ?? null;
    nodes.set(task.name, { name: task.name, task, phase, when: task.when, needs, tolerates });
  }
  addPhases(plan, nodes);
  const order = ordered(nodes);
  const circle = order.length === nodes.size ? null : circleIn(nodes, order);
  return { nodes, order, circle, waitsFor: waiting(nodes, order) };
}

/** Tasks whose result the condition asks for: it is evaluated however they ended. */
function resultsAsked(when: Condition): string[] {
  return conditionRefs(when).flatMap(([root, name, what]) =>
    root === 'tasks' && endWords.some((word) => word === what) ? [name ?? ''] : [],
  );
}

/** Whether tasks that need this one start although it failed. */
const continuesAfter = (plan: Plan, task: PlanTask): boolean => onFailureOf(plan, task) === 'continue';

function addPhases(plan: Plan, nodes: Map<string, GraphNode>): void {
  const inOrder = ordered(nodes);
  const used = plan.phases.filter((phase) => plan.tasks.some((task) => task.phase === phase.name));
  let before: string | null = null;
  for (const [i, phase] of used.entries()) {
    if (before !== null) waitForPhase(inOrder, phase, before);
    if (i === used.length - 1 && phase.exit === null) return;
    const members = plan.tasks.filter((task) => task.phase === phase.name);
    const needs = members.map(({ name }) => name);
    const forgiven = members.filter((task) => continuesAfter(plan, task)).map(({ name }) => name);
    before = milestoneOf(phase.name);
    const tolerates = phase.exit === null ? forgiven : needs;
    nodes.set(before, { name: before, task: null, phase, when: phase.exit, needs, tolerates });
  }
}

/** Gives the milestone as a need to each task of the phase that does not already wait for it through another. */
function waitForPhase(inOrder: readonly GraphNode[], phase: PlanPhase, milestone: string): void {
  const waits = new Set([milestone]);
  for (const node of inOrder) {
    const already = node.needs.some((need) => waits.has(need));
    if (!already && node.phase !== phase) continue;
    if (!already) node.needs.push(milestone);
    waits.add(node.name);
  }
}

function ordered(nodes: ReadonlyMap<string, GraphNode>): GraphNode[] {
  const missing = new Map<string, number>();
  const dependants = new Map<string, GraphNode[]>();
  for (const node of nodes.values()) {
    missing.set(node.name, node.needs.length);
    for (const need of node.needs) {
      const list = dependants.get(need);
      if (list === undefined) dependants.set(need, [node]);
      else list.push(node);
    }
  }
  const out = [...nodes.values()].filter(({ needs }) => needs.length === 0);
  for (let i = 0; i < out.length; i += 1) {
    for (const node of dependants.get(out[i]?.name ?? '') ?? []) {
      const left = (missing.get(node.name) ?? 0) - 1;
      missing.set(node.name, left);
      if (left === 0) out.push(node);
    }
  }
  return out;
}

/** Follows needs from any remaining node until one repeats. */
function circleIn(nodes: ReadonlyMap<string, GraphNode>, order: readonly GraphNode[]): string[] {
  const done = new Set(order.map(({ name }) => name));
  const path: string[] = [];
  let at = [...nodes.keys()].find((name) => !done.has(name)) ?? '';
  while (!path.includes(at)) {
    path.push(at);
    at = nodes.get(at)?.needs.find((need) => !done.has(need)) ?? at;
  }
  return [...path.slice(path.indexOf(at)), at];
}

/** One bit for each pair of tasks, so that a query is cheap in a large plan. */
function waiting(nodes: ReadonlyMap<string, GraphNode>, order: readonly GraphNode[]): Graph['waitsFor'] {
  const numbers = new Map([...nodes.keys()].map((name, i) => [name, i]));
  const width = Math.ceil(nodes.size / 32);
  const rows = new Map<string, Uint32Array>();
  for (const { name, needs } of order) {
    const row = new Uint32Array(width);
    for (const need of needs) {
      const number = numbers.get(need) ?? 0;
      row[number >> 5] = (row[number >> 5] ?? 0) | (1 << (number & 31));
      const above = rows.get(need);
      if (above !== undefined) for (let i = 0; i < width; i += 1) row[i] = (row[i] ?? 0) | (above[i] ?? 0);
    }
    rows.set(name, row);
  }
  return (later, earlier) => {
    const number = numbers.get(earlier);
    const word = number === undefined ? 0 : (rows.get(later)?.[number >> 5] ?? 0);
    return number !== undefined && ((word >>> (number & 31)) & 1) === 1;
  };
}
