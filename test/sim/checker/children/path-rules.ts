// Rules on paths: no two writers of the same path are at work at once, unless one of them waits for the other.

import { liveAttempt } from '../view/children-view.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';
import { mayWaitFor } from './waits-for.ts';
import { holdersFor, pathsOf, wantedBy } from './written-paths.ts';

export function checkPaths(view: View, run: RunView, task: TaskView, attemptId: string | undefined): void {
  const wanted = wantedBy(task);
  for (const other of run.tasks) {
    const claims = other === task ? [] : pathsOf(liveAttempt(other)?.spawning.claims);
    const claimed = claims.find((path) => wanted.has(path));
    if (claimed !== undefined) blame(view, 7, `${attemptId} starts although ${other.id} has claimed ${claimed}`);
  }
  for (const holder of holdersFor(run, task)) {
    if (mayWaitFor(view, holder, task)) continue;
    const common = pathsOf(holder.spec.writes).find((path) => wanted.has(path));
    blame(view, 7, `${attemptId} starts although ${holder.attempt?.id} writes ${common} too`);
  }
}
