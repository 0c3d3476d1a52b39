// Opens tasks whose needs have ended: evaluates conditions, expands matrices, judges milestones, and opens the asks of gates.

import { askAtGate } from '../asks/open-ask.ts';
import type { RunEventBody } from '../core/events.ts';
import { memberId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { Run, Task } from '../core/run.ts';
import { itemsMax } from '../core/spec.ts';
import { holds } from '../inputs/condition.ts';
import { resolveRef } from '../inputs/reference.ts';
import { type Consequences, endTask, failTask, noConsequences } from './end-task.ts';
import { ownCondition } from './matrix-member.ts';

/** One at a time, because each may change others. */
export function decideNextOpen(run: Run): RunEventBody[] {
  const [task] = run.graph.undecided.values();
  if (task === undefined || run.state !== 'running') return [];
  const all = noConsequences();
  open(run, task, all);
  return all.events;
}

function open(run: Run, task: Task, all: Consequences): void {
  const { kind, id, impossible } = task.spec;
  const when = ownCondition(task.spec);
  const wanted = when === null || holds(run, task, when);
  if (kind === 'milestone') {
    if (wanted) return endTask(run, task, { kind: 'succeeded', commit: '' }, all);
    return failTask(run, task, { reason: 'contract', detail: 'what it takes to go on was not reached' }, all);
  }
  if (!wanted) return endTask(run, task, { kind: 'omitted', because: null }, all);
  if (impossible !== undefined) return failTask(run, task, { reason: 'contract', detail: impossible }, all);
  if (kind === 'work') {
    all.events.push({ type: 'task.opened', taskId: id });
    return;
  }
  if (kind === 'gate') {
    all.events.push(askAtGate(run, task));
    return;
  }
  const items = itemsOf(run, task);
  if (typeof items === 'string') return failTask(run, task, { reason: 'invalid-output', detail: items }, all);
  all.events.push({ type: 'task.expanded', taskId: id });
  const names = memberNames(run, task, items);
  items.forEach((item, i) => {
    all.events.push({ type: 'task.joined', taskId: memberId(id, i + 1), matrix: id, name: names[i] as string, item });
  });
}

/** The items, or what is wrong with them. */
function itemsOf(run: Run, task: Task): readonly Json[] | string {
  const { items } = task.spec;
  if (items === null || !('ref' in items)) return items === null || items.length === 0 ? 'it has no items' : items;
  const where = items.ref.join('.');
  const found = resolveRef(run, task, items);
  if (!Array.isArray(found)) return `its matrix is over ${where}, which is no list`;
  if (found.length === 0) return `its matrix is over ${where}, which is empty`;
  if (found.length > itemsMax) return `its matrix is over ${where}, which has ${found.length} items; ${itemsMax} fit`;
  return found;
}

/** Named by their item if that is short and plain, else by number; names are unique. */
function memberNames(run: Run, { spec: { name } }: Task, items: readonly Json[]): string[] {
  const taken = new Set<string>(run.graph.taskByName.keys());
  return items.map((item, i) => {
    const word = typeof item === 'string' || typeof item === 'number' ? slug(String(item)) : '';
    const wished = `${name}.${word === '' ? i + 1 : word}`;
    const numbered = `${name.slice(0, nameMax - 14)}.${i + 1}`;
    let free = wished.length > nameMax || taken.has(wished) ? numbered : wished;
    // An item may be a number itself, and another task may already have the name.
    for (let n = 2; taken.has(free); n++) free = `${numbered}-${n}`;
    taken.add(free);
    return free;
  });
}

const nameMax = 64;

function slug(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
  return plain.length <= 32 ? plain : '';
}
