// Rules on agents that were stopped with the one that asked for them: they are opened again with it, and go on where they were.

import type { Data } from './checker-data.ts';
import { blame, type RunView, type Scene, type TaskView } from './checker-state.ts';

export function noteReopened(scene: Scene, task: TaskView, { resumes = false }: Data): void {
  const { run, crew, outcome, id } = task;
  if (resumes && outcome !== 'stopped') blame(scene, 2, `${id} is to go on, and was not stopped but ${outcome}`);
  if (crew.asker !== null && crew.asker.state === 'settled')
    blame(scene, 7, `${id} is opened again, and ${crew.asker.id}, which asked for it, is not`);
  crew.resumes = resumes;
  run.crew.reopened.add(task);
}

/** None of whom they asked for, and who was stopped without their being told, stays behind. */
export function checkAllBack(scene: Scene, { crew: { reopened }, state }: RunView): void {
  for (const { id, crew } of state === 'running' ? reopened : []) {
    const left = crew.children.find((child) => isLeft(scene, child));
    if (left !== undefined) blame(scene, 8, `${id} is opened again, and ${left.id}, which was stopped with it, is not`);
  }
  reopened.clear();
}

function isLeft({ tasks }: Scene, { state, outcome, crew, spec }: TaskView): boolean {
  if (state !== 'settled' || outcome !== 'stopped' || crew.told) return false;
  return (spec.needs ?? []).every((id) => tasks.get(id)?.outcome === 'succeeded');
}
