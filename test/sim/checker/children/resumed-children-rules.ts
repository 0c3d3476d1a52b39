// Rules on children that were stopped with their parent: they are reopened with it, and continue where they were.

import type { Data } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

export function noteReopened(view: View, task: TaskView, { resumes = false }: Data): void {
  const { run, spawning, outcome, id } = task;
  if (resumes && outcome !== 'stopped') blame(view, 2, `${id} is to go on, and was not stopped but ${outcome}`);
  if (spawning.asker !== null && spawning.asker.state === 'ended')
    blame(view, 7, `${id} is opened again, and ${spawning.asker.id}, which asked for it, is not`);
  spawning.resumes = resumes;
  run.spawning.reopened.add(task);
}

/** No child that was stopped without a notification to its parent stays behind. */
export function checkAllBack(view: View, { spawning: { reopened }, state }: RunView): void {
  for (const { id, spawning, state: now } of state === 'running' ? reopened : []) {
    // It has ended again in the same commit, and its children with it.
    if (now === 'ended') continue;
    const left = spawning.children.find((child) => isLeft(view, child));
    if (left !== undefined) blame(view, 8, `${id} is opened again, and ${left.id}, which was stopped with it, is not`);
  }
  reopened.clear();
}

function isLeft({ tasks }: View, { state, outcome, spawning, spec }: TaskView): boolean {
  if (state !== 'ended' || outcome !== 'stopped' || spawning.told) return false;
  return (spec.needs ?? []).every((id) => tasks.get(id)?.outcome === 'succeeded');
}
