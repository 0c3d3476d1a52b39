// What a task of a matrix is: the matrix's own spec, for one item.

import type { TaskId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { TaskSpec } from '../core/spec.ts';
import { type Condition, refersTo } from '../inputs/condition.ts';

export function memberSpec(matrix: TaskSpec, id: TaskId, name: string, item: Json): TaskSpec {
  return {
    ...matrix,
    id,
    name,
    kind: 'work',
    parent: matrix.id,
    items: null,
    item,
    treeBudget: null,
    // They have ended: the matrix has seen to it.
    tolerates: matrix.needs,
    when: ownCondition(matrix) === null ? matrix.when : null,
  };
}

/** What a matrix says of its items is looked at for each of them. */
export function ownCondition({ kind, when }: TaskSpec): Condition | null {
  return kind === 'matrix' && when !== null && refersTo(when, 'matrix') ? null : when;
}
