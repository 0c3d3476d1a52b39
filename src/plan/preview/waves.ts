// Which tasks could run together: simulates the plan as if every task took equally long. A forecast to read, not a schedule:
// the run itself starts each task as soon as it may.

import type { Condition } from '../../model/inputs/condition.ts';
import { overlapping } from '../check/check-writers.ts';
import { resolveOptions } from '../defaults.ts';
import { type InputValues, inputValues } from '../file/plan-inputs.ts';
import { conditionWith, inputAt } from '../file/substitute.ts';
import { isRef, type Plan, type PlanTask } from '../plan.ts';
import { noRoles } from '../role.ts';
import { type GraphNode, graphOf } from '../task-graph.ts';
import type { PathSet, PathSets } from '../task-paths.ts';
import { allGlobs, holder, keptSets, type Locks, nextSets, takeLocks } from './wave-locks.ts';

export interface Waves {
  readonly waves: readonly Wave[];
  /** Omitted in any case: their condition is false, or they need an omitted task. */
  readonly omitted: readonly string[];
}

export interface Wave {
  readonly tasks: readonly WaveTask[];
  /** Ready, and blocked by the paths of another task of this wave. */
  readonly held: readonly { readonly name: string; readonly by: string; readonly path: string }[];
}

export interface WaveTask {
  readonly name: string;
  /** For a matrix: how many of its items start here, and how many there are; null = known only in the run. */
  readonly items: { readonly now: number; readonly all: number | null } | null;
  /** It runs only if its condition holds. */
  readonly maybe: boolean;
  /** A person decides: it takes no slot. */
  readonly gate: boolean;
}

export interface Room {
  readonly slots: number;
  readonly inputs: Readonly<Record<string, string>>;
}

export function wavesOf(plan: Plan, { slots, inputs }: Room): Waves {
  const values = inputValues(plan, inputs);
  const { order } = graphOf(plan);
  const omitted = omittedOf(order, values);
  const tasks = plan.tasks.filter(({ name }) => !omitted.has(name));
  const paths = new Map(tasks.map((task) => [task.name, keptSets(plan, task)]));
  const world: World = {
    plan,
    left: new Map(tasks.map((task) => [task.name, itemCount(task, values) ?? 1])),
    paths,
    overlaps: overlapping([...new Set([...paths.values()].flatMap(allGlobs))]),
    roomMax: Math.min(slots, plan.limits.maxParallel ?? slots),
  };
  const done = new Set(omitted);
  const waiting = new Map(order.filter(({ name }) => !omitted.has(name)).map((node) => [node.name, node]));
  const waves: Wave[] = [];
  const isReady = ({ needs }: GraphNode): boolean => needs.every((need) => done.has(need));
  for (;;) {
    passMilestones(waiting, done, isReady);
    const ready = tasks.filter(({ name }) => isReady(waiting.get(name) ?? nobody));
    if (ready.length === 0) return { waves, omitted: [...omitted] };
    waves.push(waveOf(ready, world, values));
    for (const { name } of ready) {
      if ((world.left.get(name) ?? 0) > 0) continue;
      done.add(name);
      waiting.delete(name);
    }
  }
}

interface World {
  readonly plan: Plan;
  /** Items, or whole tasks, that have not started yet. */
  readonly left: Map<string, number>;
  readonly paths: ReadonlyMap<string, PathSets>;
  readonly overlaps: ReadonlyMap<string, readonly string[]>;
  readonly roomMax: number;
}

const nobody: GraphNode = { name: '', task: null, phase: null, when: null, needs: [''], tolerates: [] };

/** Milestones have no agent: they take no time. */
function passMilestones(
  waiting: Map<string, GraphNode>,
  done: Set<string>,
  isReady: (node: GraphNode) => boolean,
): void {
  for (const node of waiting.values()) {
    if (node.task !== null || !isReady(node)) continue;
    done.add(node.name);
    waiting.delete(node.name);
  }
}

function waveOf(ready: readonly PlanTask[], world: World, values: InputValues): Wave {
  const { plan, left, paths, overlaps, roomMax } = world;
  const tasks: WaveTask[] = [];
  const held: { name: string; by: string; path: string }[] = [];
  const locks: Locks = { writes: new Map(), reads: new Map() };
  const byHarness = new Map<string, number>();
  let room = roomMax;
  for (const task of [...ready].sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0))) {
    const maybe = task.when !== null;
    if (task.work.kind === 'gate') {
      left.set(task.name, 0);
      tasks.push({ name: task.name, items: null, maybe, gate: true });
      continue;
    }
    // '' stands for the agent that is chosen when the plan is run.
    const harness = resolveOptions(plan, task, noRoles).harness ?? '';
    const own = (plan.limits.perHarness[harness] ?? roomMax) - (byHarness.get(harness) ?? 0);
    if (room <= 0 || own <= 0) continue;
    const sets = nextSets(paths.get(task.name) as PathSets, left.get(task.name) ?? 1);
    const met = holder(locks, overlaps, sets[0] as PathSet);
    if (met !== null) {
      held.push({ name: task.name, ...met });
      continue;
    }
    const now = takeLocks(task.name, sets.slice(0, Math.min(room, own)), locks, overlaps);
    left.set(task.name, (left.get(task.name) ?? 1) - now);
    room -= now;
    byHarness.set(harness, (byHarness.get(harness) ?? 0) + now);
    const items = task.matrix === null ? null : { now, all: itemCount(task, values) };
    tasks.push({ name: task.name, items, maybe, gate: false });
  }
  return { tasks, held };
}

function itemCount({ matrix }: PlanTask, values: InputValues): number | null {
  if (matrix === null) return 1;
  if (!isRef(matrix)) return matrix.length;
  const value = matrix.ref[0] === 'inputs' ? inputAt(values, matrix.ref) : null;
  return Array.isArray(value) ? value.length : null;
}

/** The tasks that a run with these inputs omits in any case. */
export function omittedTasks(plan: Plan, inputs: Readonly<Record<string, string>>): ReadonlySet<string> {
  return omittedOf(graphOf(plan).order, inputValues(plan, inputs));
}

function omittedOf(order: readonly GraphNode[], values: InputValues): Set<string> {
  const omitted = new Set<string>();
  for (const { name, when, needs, tolerates } of order) {
    const isOff = when !== null && constantOf(conditionWith(values, when)) === false;
    if (isOff || needs.some((need) => omitted.has(need) && !tolerates.includes(need))) omitted.add(name);
  }
  return omitted;
}

/** The value of a condition, if it is known already. */
function constantOf(condition: Condition): boolean | null {
  if (condition.op === 'ref') return null;
  if (condition.op === 'value') return Boolean(condition.value);
  if (condition.op === '&&' || condition.op === '||') {
    const [left, right] = [constantOf(condition.left), constantOf(condition.right)];
    const decisive = condition.op === '||';
    if (left === decisive || right === decisive) return decisive;
    return left === null || right === null ? null : !decisive;
  }
  const { left, right } = condition;
  if (left.op !== 'value' || right.op !== 'value') return null;
  return (left.value === right.value) === (condition.op === '==');
}
