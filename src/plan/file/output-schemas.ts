// The types of references to tasks, from the schemas of their outputs. The output of a matrix is the list of its tasks' outputs.

import type { Json } from '../../model/core/json.ts';
import { isRef, type PlanTask } from '../plan.ts';
import { type Walked, walkSchema } from './schema-walk.ts';

/** The results of a task. */
export const results = ['succeeded', 'failed', 'skipped', 'stopped', 'omitted'] as const;

/** What can be asked however the task ended: its result, and how many of its tasks succeeded and how many there are. */
export const endWords = ['result', 'succeeded', 'total'] as const;

/** Everything that can be asked of a task. */
export const taskWords = ['output', 'artifact', ...endWords] as const;

/** `path`: what follows `tasks.<name>.output`. */
export function walkOutput(task: PlanTask, path: readonly string[]): Walked {
  const schema = task.output ?? true;
  if (task.matrix === null) return walkSchema(schema, path);
  const [first, ...rest] = path;
  if (first === undefined) return { kind: 'there', schema: { type: 'array', items: schema } };
  if (first === 'length') return walkSchema({ type: 'array' }, path);
  if (/^\d+$/.test(first)) return walkSchema(schema, rest);
  const why = `it is the list of the outputs of a matrix, which has no "${first}"`;
  return { kind: 'missing', at: 0, why, known: ['length'] };
}

/** `path`: what follows `matrix` in a task of a matrix. */
export function walkItem(
  task: PlanTask,
  path: readonly string[],
  taskNamed: (name: string) => PlanTask | null,
): Walked {
  const { matrix } = task;
  if (matrix === null) return { kind: 'there', schema: null };
  if (!isRef(matrix)) return walkItems(matrix, path);
  const [root, name = '', what, ...rest] = matrix.ref;
  const other = root === 'tasks' && what === 'output' ? taskNamed(name) : null;
  if (other === null) return { kind: 'there', schema: null };
  const walked = walkOutput(other, [...rest, '0', ...path]);
  return walked.kind === 'there' ? walked : { ...walked, at: Math.max(0, walked.at - rest.length - 1) };
}

/** Literal items: a path must lead to a value in at least one of them. */
function walkItems(items: readonly Json[], path: readonly string[]): Walked {
  let at: readonly Json[] = items;
  for (const [i, part] of path.entries()) {
    const inside = at.flatMap((item) => within(item, part));
    if (inside.length === 0) {
      const known = at.flatMap((item) => (item !== null && typeof item === 'object' ? Object.keys(item) : []));
      return { kind: 'missing', at: i, why: `no item has "${part}"`, known: [...new Set(known)] };
    }
    at = inside;
  }
  return { kind: 'there', schema: null };
}

function within(item: Json, part: string): Json[] {
  // A reference to an input is not known yet.
  if (typeof item === 'string') return part === 'length' ? [item.length] : item.includes('${{') ? [item] : [];
  if (item === null || typeof item !== 'object') return [];
  if (Array.isArray(item) && part === 'length') return [item.length];
  return Object.hasOwn(item, part) ? [(item as Record<string, Json>)[part] ?? null] : [];
}
