// Rules on the graph: which tasks there are, when one may be looked at, what it becomes, and when it may start.

import { checkSpawn } from '../children/children-rules.ts';
import { checkPaths } from '../children/path-rules.ts';
import { isAtWork } from '../spending/account-rules.ts';
import { nothing } from '../spending/amounts.ts';
import { newTaskChildren } from '../view/children-view.ts';
import type { Data, TaskData } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';
import { isTrue, ownCondition, valueAt } from './values.ts';

export function addTask(view: View, run: RunView, { task: spec }: Data, at: number): void {
  if (spec === undefined || view.tasks.has(spec.id)) return blame(view, 2, `${spec?.id} was added twice`);
  for (const need of spec.needs ?? []) {
    if (view.tasks.get(need)?.run !== run) blame(view, 2, `${spec.id} needs ${need}, which is not there`);
  }
  const parent = view.tasks.get(spec.parent ?? '') ?? null;
  const asker = parent !== null && (parent.spec.kind ?? 'work') === 'work' ? parent : null;
  const task: TaskView = {
    id: spec.id,
    run,
    spec,
    state: 'waiting',
    outcome: null,
    failure: null,
    opened: false,
    output: null,
    items: null,
    members: [],
    conflicts: 0,
    sentBack: 0,
    conflict: null,
    steered: [],
    integratedBefore: [],
    lastFailure: null,
    attempts: 0,
    forgiven: 0,
    attempt: null,
    delay: null,
    ask: null,
    asks: 0,
    last: 'task.added',
    spent: nothing(),
    treeSpent: nothing(),
    budget: spec.budget ?? null,
    treeBudget: spec.treeBudget ?? null,
    spawning: newTaskChildren(asker),
  };
  if (asker === null && (spec.parent ?? null) !== null) joinMatrix(view, parent, task);
  const name = spec.name ?? spec.id;
  if (run.byName.has(name)) blame(view, 2, `${spec.id} and ${run.byName.get(name)?.id} have the same name ${name}`);
  run.byName.set(name, task);
  view.tasks.set(spec.id, task);
  run.tasks.push(task);
  run.openTasks += 1;
  if (asker === null) return;
  asker.spawning.children.push(task);
  checkSpawn(view, asker, task, at);
}

/** The event of a matrix's task has only what is its own; everything else comes from the matrix. */
export function joinTask(view: View, run: RunView, { taskId, matrix: id = '', name, item }: Data, at: number): void {
  const matrix = view.tasks.get(id);
  if (taskId === undefined || matrix === undefined) return blame(view, 2, `${taskId} joins ${id}, which is not there`);
  const { items: _, when = null, ...spec } = matrix.spec;
  const of = { id: taskId, name, item, parent: id, kind: 'work', tolerates: spec.needs ?? [], treeBudget: null };
  addTask(view, run, { task: { ...spec, ...of, when: ownCondition(matrix) === null ? when : null } as TaskData }, at);
}

/** One for each item and in their order, each with what the matrix asks for. */
function joinMatrix(view: View, matrix: TaskView | null, task: TaskView): void {
  if (matrix?.run !== task.run || matrix.state !== 'expanded' || matrix.items === null) {
    return blame(view, 2, `${task.id} is added to ${task.spec.parent}, which is no matrix that was expanded`);
  }
  const i = matrix.members.length;
  if (i >= matrix.items.length) blame(view, 2, `${task.id} is one more than ${matrix.id} has items`);
  else if (JSON.stringify(task.spec.item) !== JSON.stringify(matrix.items[i])) {
    blame(view, 2, `${task.id} is for ${JSON.stringify(task.spec.item)}, not for item ${i + 1} of ${matrix.id}`);
  }
  if (task.spec.needs?.join() !== matrix.spec.needs?.join()) {
    blame(view, 2, `${task.id} does not need what ${matrix.id} needs`);
  }
  matrix.members.push(task);
}

/** What stands in the way of a task; null: all that it needs is there. */
export function unmetNeed(view: View, { spec }: TaskView): string | null {
  for (const id of spec.needs ?? []) {
    const need = view.tasks.get(id);
    if (need?.outcome === 'succeeded' || (need !== undefined && isUnwanted(spec, need))) continue;
    if (spec.tolerates?.includes(id) !== true) return `${id}, which ${spec.id} needs, has not succeeded`;
    if (need?.state !== 'ended') return `${id}, of which ${spec.id} needs the end, has not ended`;
  }
  return null;
}

/** A milestone does not miss what was left out for its own condition. */
export function isUnwanted({ kind }: TaskData, need: TaskView): boolean {
  return kind === 'milestone' && need.outcome === 'omitted';
}

export function openTask(view: View, task: TaskView): void {
  const { id, spec } = task;
  checkLookedAt(view, task, 'opened');
  if ((spec.kind ?? 'work') !== 'work' || (spec.when ?? null) === null) {
    blame(view, 2, `${id} is opened and has no condition to look at`);
  } else if (!conditionHolds(task)) blame(view, 7, `${id} is opened although its condition does not hold`);
  task.opened = true;
}

export function expandTask(view: View, task: TaskView): void {
  const { id, spec } = task;
  checkLookedAt(view, task, 'expanded');
  if (spec.kind !== 'matrix') return blame(view, 2, `${id} is expanded and is no matrix`);
  if (!conditionHolds(task)) blame(view, 7, `${id} is expanded although its condition does not hold`);
  const items = itemsOf(task);
  if (items === null) blame(view, 4, `${id} is expanded over what is no list of 1 to 10,000`);
  task.items = items ?? [];
  task.state = 'expanded';
}

export function checkLookedAt(view: View, task: TaskView, how: string): void {
  const { id, run } = task;
  if (task.state !== 'waiting' || task.opened) blame(view, 2, `${id} is ${how} while ${task.state}`);
  if (run.state !== 'running') blame(view, 7, `${id} is ${how} while ${run.id} is ${run.state}`);
  const unmet = unmetNeed(view, task);
  if (unmet !== null) blame(view, 7, `${id} is ${how} although ${unmet}`);
}

export function conditionHolds(task: TaskView): boolean {
  const condition = ownCondition(task);
  return condition === null || isTrue(task, condition);
}

/** null: they are not what a matrix can be made over. */
export function itemsOf(task: TaskView): readonly unknown[] | null {
  const { items = null } = task.spec;
  const found = items !== null && 'ref' in items ? valueAt(task, items.ref) : items;
  return Array.isArray(found) && found.length > 0 && found.length <= 10_000 ? found : null;
}

export function checkStart(view: View, run: RunView, task: TaskView, { n, attemptId }: Data): void {
  const { spec } = task;
  if (run.state !== 'running') blame(view, 7, `${attemptId} starts while ${run.id} is ${run.state}`);
  if (task.state === 'active') blame(view, 7, `${attemptId} starts beside a live attempt of ${task.id}`);
  else if (task.state === 'delayed') blame(view, 8, `${attemptId} starts before ${task.id} was due`);
  else if (task.state !== 'waiting') blame(view, 7, `${attemptId} starts while ${task.id} is ${task.state}`);
  if ((spec.kind ?? 'work') !== 'work') blame(view, 7, `${attemptId} starts, and ${task.id} is a ${spec.kind}`);
  const unmet = unmetNeed(view, task);
  if (unmet !== null) blame(view, 7, `${attemptId} starts although ${unmet}`);
  if ((spec.when ?? null) !== null && !task.opened) {
    blame(view, 7, `${attemptId} starts before the condition of ${task.id} was looked at`);
  }
  if (n !== task.attempts + 1) blame(view, 2, `${attemptId} is number ${n} after ${task.attempts} attempts`);
  if (attemptsLeft(task) <= 0) {
    blame(view, 7, `${attemptId} is one more than the ${task.spec.retry?.attemptsMax} attempts ${task.id} may have`);
  }
  checkPaths(view, run, task, attemptId);
  if (run.live >= run.parallelMax) {
    blame(view, 7, `${attemptId} starts beside ${run.live} others; ${run.id} allows ${run.parallelMax}`);
  }
  const max = run.harnessMax[spec.harness ?? ''] ?? Number.POSITIVE_INFINITY;
  const beside = run.tasks.filter(
    ({ attempt, spec: { harness } }) => isAtWork(attempt) && harness === spec.harness,
  ).length;
  if (beside >= max) blame(view, 7, `${attemptId} starts beside ${beside} others of ${spec.harness}, which has ${max}`);
}

/** Work that conflicted has attempts of its own, and so has work that was sent back to its author. */
export function attemptsLeft({ spec: { retry }, attempts, forgiven, conflicts, sentBack }: TaskView): number {
  const { attemptsMax = 1, conflictsMax = 0 } = retry ?? {};
  return attemptsMax + Math.min(conflicts, conflictsMax) + sentBack - (attempts - forgiven);
}

/** What must hold of the graph between two commits: no task waits for what cannot come. */
export function checkGraphAtRest(view: View, run: RunView): void {
  for (const task of run.tasks) {
    const { id, spec } = task;
    if (task.state === 'expanded') {
      const { members, items } = task;
      if (members.length !== items?.length) {
        blame(view, 2, `${id} has ${items?.length} items and became ${members.length} tasks`);
      }
      if (members.every(({ state }) => state === 'ended')) blame(view, 8, `all of ${id} have ended and it has not`);
    }
    if (task.state === 'ended') checkCounted(view, task);
    if (task.state !== 'waiting') continue;
    for (const need of (spec.needs ?? []).map((each) => view.tasks.get(each))) {
      if (need?.state !== 'ended' || need.outcome === 'succeeded') continue;
      if (spec.tolerates?.includes(need.id) === true || isUnwanted(spec, need)) continue;
      blame(view, 8, `${id} waits for ${need.id}, which is ${need.outcome}`);
    }
  }
}

/** A counted task is over: it is not worked on again while other tasks rely on the count. */
function checkCounted(view: View, { id, spec, members, outcome }: TaskView): void {
  const isHeld = spec.kind === 'milestone' && (outcome === 'succeeded' || outcome === 'failed');
  const counted = isHeld ? (spec.needs ?? []).flatMap((need) => view.tasks.get(need) ?? []) : members;
  const open = counted.find(({ state }) => state !== 'ended');
  if (open !== undefined) blame(view, 3, `${id} is ${outcome}, and ${open.id} of it is ${open.state}`);
}
