// References of a plan to values known only while it runs: another task's result or output, the item of a matrix. Resolved from
// the journalled state alone, so that a prompt rendered twice is the same.

import type { Json } from '../core/json.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { resultArtifact } from './task-inputs.ts';

/** A path like `tasks.find.output.bugs`, in its parts. */
export interface Ref {
  readonly ref: readonly string[];
}

/** Literal text, or text with references. Text that people typed is never searched for references. */
export type Text = string | readonly (string | Ref)[];

/** What a reference may begin with. */
export const refRoots = ['tasks', 'matrix', 'run', 'task'] as const;

/** The value that a reference means for this task; undefined = there is none. */
export function resolveRef(run: Run, task: Task, { ref }: Ref): Json | undefined {
  const [root, ...path] = ref;
  switch (root) {
    case 'matrix':
      return within(task.spec.item, path);
    case 'run':
      return within({ id: run.spec?.id ?? '', name: run.spec?.name ?? '' }, path);
    case 'task':
      return within({ name: task.spec.name, attempt: task.tries.attempts }, path);
    case 'tasks': {
      const [name = '', what, ...rest] = path;
      const id = run.graph.taskByName.get(name);
      const other = id === undefined ? undefined : run.tasks.get(id);
      if (other === undefined) return undefined;
      if (what === 'output') return within(other.output, rest);
      if (what === 'artifact') return within(artifactOf(run, other), rest);
      return rest.length === 0 ? about(run, other, what) : undefined;
    }
    default:
      return undefined;
  }
}

/** The id of its artifact; of a matrix the ids of its tasks' artifacts, in order. */
function artifactOf(run: Run, other: Task): Json {
  if (other.spec.kind !== 'matrix') return resultArtifact(other);
  return other.graph.members.map((id) => resultArtifact(taskOf(run, id)));
}

/** How it ended, and how many of its tasks succeeded out of how many; a task that is no matrix counts as one. */
function about(run: Run, other: Task, what: string | undefined): Json | undefined {
  const ends =
    other.spec.kind === 'matrix' ? other.graph.members.map((id) => run.tasks.get(id)?.outcome) : [other.outcome];
  switch (what) {
    case 'result':
      return other.outcome?.kind ?? 'openTasks';
    case 'succeeded':
      return ends.filter((end) => end?.kind === 'succeeded').length;
    case 'total':
      return ends.length;
    default:
      return undefined;
  }
}

/** The value at the path; undefined = there is none. Lists and texts also have a `length`. */
export function within(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const part of path) {
    if (at === null || at === undefined) return undefined;
    if ((typeof at === 'string' || Array.isArray(at)) && part === 'length') at = at.length;
    else if (typeof at === 'object' && Object.hasOwn(at, part)) at = (at as Record<string, Json>)[part];
    else return undefined;
  }
  return at;
}
