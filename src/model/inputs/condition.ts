// The condition under which a task runs. Plain data, parsed when a plan is read; evaluating it never fails, whatever it refers
// to.

import type { Json } from '../core/json.ts';
import type { Run, Task } from '../core/run.ts';
import { type Ref, resolveRef } from './reference.ts';

export type Condition =
  | { readonly op: 'value'; readonly value: string | number | boolean | null }
  | { readonly op: 'ref'; readonly ref: readonly string[] }
  | { readonly op: '==' | '!=' | '&&' | '||'; readonly left: Condition; readonly right: Condition };

/** A missing value is null; only null, false, 0 and the empty text count as false. */
export function holds(run: Run, task: Task, condition: Condition): boolean {
  return Boolean(valueOf(run, task, condition));
}

function valueOf(run: Run, task: Task, condition: Condition): Json {
  switch (condition.op) {
    case 'value':
      return condition.value;
    case 'ref':
      return resolveRef(run, task, condition satisfies Ref) ?? null;
    case '==':
      return isSame(valueOf(run, task, condition.left), valueOf(run, task, condition.right));
    case '!=':
      return !isSame(valueOf(run, task, condition.left), valueOf(run, task, condition.right));
    case '&&':
      return holds(run, task, condition.left) && holds(run, task, condition.right);
    case '||':
      return holds(run, task, condition.left) || holds(run, task, condition.right);
  }
}

/** A list or object equals nothing, not even itself: a condition compares single values. */
function isSame(a: Json, b: Json): boolean {
  return a === b && (a === null || typeof a !== 'object');
}

/** Whether anything in it begins with `root`. */
export function refersTo(condition: Condition, root: string): boolean {
  return conditionRefs(condition).some(([first]) => first === root);
}

export function conditionRefs(condition: Condition): (readonly string[])[] {
  switch (condition.op) {
    case 'value':
      return [];
    case 'ref':
      return [condition.ref];
    default:
      return [...conditionRefs(condition.left), ...conditionRefs(condition.right)];
  }
}
