// Decides whether a submitted graph of tasks can run at all.

import { must } from '../../std/assert.ts';
import { flawOfGate } from '../asks/form.ts';
import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import type { TaskId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { flawOfReferences } from './task-references.ts';

export function decideSubmit(run: Run, command: Extract<Command, { type: 'submit' }>): Decision {
  if (run.spec !== null) return refused('notAllowed', `run ${command.run.id} exists already`);
  if (command.tasks.length === 0) return refused('notAllowed', 'a run needs at least one task');
  const byId = new Map<TaskId, TaskSpec>();
  const byName = new Map<string, TaskSpec>();
  for (const task of command.tasks) {
    if (byId.has(task.id)) return refused('notAllowed', `two tasks have the id ${task.id}`);
    if (byName.has(task.name)) return refused('notAllowed', `two tasks have the name "${task.name}"`);
    byId.set(task.id, task);
    byName.set(task.name, task);
  }
  for (const task of command.tasks) {
    const missing = task.needs.find((need) => !byId.has(need));
    if (missing !== undefined) {
      return refused('notAllowed', `task "${task.name}" needs ${missing}, which is not in this run`);
    }
    if (new Set(task.needs).size < task.needs.length) {
      return refused('notAllowed', `task "${task.name}" names one of its needs twice`);
    }
    const flaw = gateFlaw(task);
    if (flaw !== null) return refused('notAllowed', `task "${task.name}": ${flaw}`);
  }
  const ordered = needsFirst(command.tasks, byId);
  if (ordered.kind === 'cycle') {
    return refused('notAllowed', `these tasks need each other in a circle: ${ordered.names.join(' → ')}`);
  }
  for (const task of command.tasks) {
    const flaw = flawOfReferences(task, byName, byId);
    if (flaw !== null) return refused('notAllowed', `task "${task.name}": ${flaw}`);
  }
  const added = ordered.tasks.map((task): RunEventBody => ({ type: 'task.added', task }));
  return decided([{ type: 'run.created', run: command.run }, ...added]);
}

function gateFlaw({ kind, gate }: TaskSpec): string | null {
  if (gate === null) return kind === 'gate' ? 'a gate says what is asked' : null;
  if (kind !== 'gate') return 'only a gate asks';
  return flawOfGate(gate);
}

type Ordered =
  | { readonly kind: 'ordered'; readonly tasks: readonly TaskSpec[] }
  | { readonly kind: 'cycle'; readonly names: readonly string[] };

/** Kahn's algorithm; tasks that are free at the same time keep the given order. */
function needsFirst(tasks: readonly TaskSpec[], byId: ReadonlyMap<TaskId, TaskSpec>): Ordered {
  const unmet = new Map(tasks.map((task) => [task.id, task.needs.length]));
  const dependants = new Map<TaskId, TaskSpec[]>();
  for (const task of tasks) {
    for (const need of task.needs) {
      const list = dependants.get(need);
      if (list === undefined) dependants.set(need, [task]);
      else list.push(task);
    }
  }
  const ordered = tasks.filter((task) => task.needs.length === 0);
  // The list grows while it is iterated: each task frees those that waited for it alone.
  for (const task of ordered) {
    for (const dependant of dependants.get(task.id) ?? []) {
      const left = must(unmet.get(dependant.id), 'counted above') - 1;
      unmet.set(dependant.id, left);
      if (left === 0) ordered.push(dependant);
    }
  }
  if (ordered.length === tasks.length) return { kind: 'ordered', tasks: ordered };
  const stuck = must(
    tasks.find((task) => must(unmet.get(task.id), 'counted above') > 0),
    'some task is not ordered',
  );
  return { kind: 'cycle', names: circleFrom(stuck, byId, unmet) };
}

/** Every stuck task has a stuck need, so following them finds the cycle. */
function circleFrom(
  start: TaskSpec,
  byId: ReadonlyMap<TaskId, TaskSpec>,
  unmet: ReadonlyMap<TaskId, number>,
): readonly string[] {
  const path: TaskSpec[] = [];
  for (let task = start; ; ) {
    const seen = path.indexOf(task);
    if (seen >= 0) return [...path.slice(seen), task].map((each) => each.name);
    path.push(task);
    const stuckNeed = task.needs.find((need) => (unmet.get(need) ?? 0) > 0);
    task = must(byId.get(must(stuckNeed, 'a stuck task has a stuck need')), 'checked before');
  }
}
