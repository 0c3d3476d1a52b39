// Tasks as trees: a child stands below the task whose agent spawned it. Pure.

import type { TaskView } from '../../wire/views.ts';

export interface Relatives {
  readonly task: TaskView;
  /** How many shown ancestors it has. */
  readonly depth: number;
}

export interface Family {
  /** The lowest rank of its members. */
  readonly rank: number;
  readonly members: readonly Relatives[];
}

/** `rank`: siblings are sorted by the lowest rank in their subtree. */
export function familiesOf(tasks: readonly TaskView[], rank: (task: TaskView) => number): Family[] {
  const below = new Map<string, TaskView[]>(tasks.map(({ id }) => [id, []]));
  const first = tasks.filter((task) => {
    const siblings = below.get(task.parent ?? '');
    siblings?.push(task);
    return siblings === undefined;
  });
  const familyOf = (task: TaskView, depth: number): Family => {
    const own = (below.get(task.id) ?? []).map((child) => familyOf(child, depth + 1)).sort(byRank);
    return {
      rank: Math.min(rank(task), ...own.map((each) => each.rank)),
      members: [{ task, depth }, ...own.flatMap(({ members }) => members)],
    };
  };
  return first.map((task) => familyOf(task, 0));
}

/** In the given order, children below their parents. */
export function inFamilies(tasks: readonly TaskView[]): Relatives[] {
  return familiesOf(tasks, () => 0).flatMap(({ members }) => members);
}

export function byRank(a: Family, b: Family): number {
  return a.rank - b.rank;
}

export function indent(depth: number): string {
  return '  '.repeat(depth);
}
