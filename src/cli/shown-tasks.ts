// The tasks of a run that people look at: those that agents work on. A milestone is a wait of others, and a matrix is there
// until its tasks are.

import type { RunView, TaskView } from '../wire/views.ts';

export function shownTasks({ tasks }: Pick<RunView, 'tasks'>): readonly TaskView[] {
  if (tasks.every(({ kind }) => kind === 'work')) return tasks;
  const parents = new Set(tasks.map(({ parent }) => parent));
  return tasks.filter(({ id, kind }) => kind === 'work' || (kind === 'matrix' && !parents.has(id)));
}
