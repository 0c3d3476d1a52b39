// References of a submitted task to other tasks: each must be to a task of the run that it waits for, directly or through
// others. Otherwise the value would depend on which of them is faster.

import type { TaskId } from '../core/ids.ts';
import type { TaskSpec } from '../core/spec.ts';
import { conditionRefs } from '../inputs/condition.ts';
import type { Text } from '../inputs/reference.ts';

type Path = readonly string[];

/** The first reference that leads to no task it waits for, in a sentence; null = there is none. */
export function flawOfReferences(
  task: TaskSpec,
  byName: ReadonlyMap<string, TaskSpec>,
  byId: ReadonlyMap<TaskId, TaskSpec>,
): string | null {
  const named = refsOf(task).filter(([root]) => root === 'tasks');
  if (named.length === 0) return null;
  const awaited = awaitedBy(task, byId);
  for (const path of named) {
    const [, name = ''] = path;
    const other = byName.get(name);
    const said = `it refers to ${path.join('.')}`;
    if (other === undefined) return `${said}, and there is no task "${name}" in this run`;
    if (other === task) return `${said}, which is its own`;
    if (!awaited.has(other.id)) return `${said} and does not wait for "${name}": add "${name}" to its needs`;
  }
  return null;
}

function refsOf({ prompt, env, gate, when, items }: TaskSpec): Path[] {
  const texts = [prompt, ...Object.values(env), ...(gate === null ? [] : [gate.message])];
  const shown = gate?.shows.flatMap((each) => (each.kind === 'output' ? [['tasks', each.task, 'output']] : [])) ?? [];
  const list = items !== null && 'ref' in items ? [items.ref] : [];
  return [...texts.flatMap(textRefs), ...shown, ...(when === null ? [] : conditionRefs(when)), ...list];
}

function textRefs(text: Text): Path[] {
  return typeof text === 'string' ? [] : text.flatMap((part) => (typeof part === 'string' ? [] : [part.ref]));
}

/** Iterating a set also visits what is added meanwhile. */
function awaitedBy({ needs }: TaskSpec, byId: ReadonlyMap<TaskId, TaskSpec>): ReadonlySet<TaskId> {
  const all = new Set(needs);
  for (const id of all) for (const need of byId.get(id)?.needs ?? []) all.add(need);
  return all;
}
