// The tasks of a run that people look at: those that agents work on. A milestone is a wait of others, and a matrix is there
// until its tasks are.

import type { RunView, TaskView } from '../wire/views.ts';

export function shownTasks({ tasks }: Pick<RunView, 'tasks'>): readonly TaskView[] {
  const parents = new Set(tasks.map(({ parent }) => parent));
  return tasks.filter(({ id, kind }) => kind !== 'milestone' && !(kind === 'matrix' && parents.has(id)));
}
