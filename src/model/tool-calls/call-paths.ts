// `claim_paths` and `release_paths`: an agent claims paths within its task's write-set while it works on them.

import { globsOverlap, parseGlob } from '../../std/path-glob.ts';
import { pathOutside } from '../children/child.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isBelow } from '../core/task-tree.ts';
import { type Answered, answer, type CallScene, refuse } from './call-answer.ts';

export function claimPaths({ run, task, attempt }: CallScene, paths: readonly string[]): Answered {
  const outside = pathOutside(task.spec, paths);
  if (outside !== null)
    return refuse(`"${outside}" is not inside what you may change: ${task.spec.writes?.join(', ') || 'nothing'}`);
  for (const path of paths) {
    const holder = holderOfPath(run, task, path);
    if (holder !== null) {
      return refuse(
        `"${path}" is held by "${holder.task.spec.name}" (${holder.path}): write to it, wait for it, or claim another path`,
      );
    }
  }
  const all = [...new Set([...attempt.claims, ...paths])];
  if (all.length > claimsMax) return refuse(`you hold ${attempt.claims.length} paths; ${claimsMax} are all that fit`);
  return answer(`You hold ${all.join(', ')} until you release them or end your turn.`, {
    type: 'paths.claimed',
    attemptId: attempt.id,
    paths: all,
  });
}

const claimsMax = 200;

export function releasePaths({ attempt }: CallScene, paths: readonly string[]): Answered {
  const unknown = paths.find((path) => !attempt.claims.includes(path));
  if (unknown !== undefined)
    return refuse(`you do not hold "${unknown}"; you hold ${attempt.claims.join(', ') || 'nothing'}`);
  const left = paths.length === 0 ? [] : attempt.claims.filter((path) => !paths.includes(path));
  const text = left.length === 0 ? 'You hold no paths any more.' : `You still hold ${left.join(', ')}.`;
  return answer(text, { type: 'paths.claimed', attemptId: attempt.id, paths: left });
}

/** Another task that holds this path, by a claim or by its declared write-set. A parent does not block its own child. */
function holderOfPath(run: Run, task: Task, path: string): { readonly task: Task; readonly path: string } | null {
  const glob = parseGlob(path);
  for (const other of run.live.values()) {
    const holder = taskOf(run, other.taskId);
    if (holder === task) continue;
    const declared = isBelow(run, task, holder) ? [] : (holder.spec.writes ?? []);
    const held = [...other.claims, ...declared].find((each) => globsOverlap(parseGlob(each), glob));
    if (held !== undefined) return { task: holder, path: held };
  }
  return null;
}
