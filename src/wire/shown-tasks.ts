// The tasks of a run that people look at: those that agents work on. A milestone is a wait of others, and a matrix is there
// until its tasks are, which then stand in its place.

import type { RunView, TaskView } from './views.ts';

export function shownTasks({ tasks }: Pick<RunView, 'tasks'>): readonly TaskView[] {
  const members = new Map(
    tasks.flatMap(({ id, kind }) => (kind === 'matrix' ? [[id, [] as TaskView[]] as const] : [])),
  );
  const others = tasks.filter((task) => {
    members.get(task.parent ?? '')?.push(task);
    return task.kind !== 'milestone' && !members.has(task.parent ?? '');
  });
  return others.flatMap((task) => {
    const own = members.get(task.id) ?? [];
    return own.length === 0 ? [task] : own;
  });
}

/** So many tasks are listed one by one. */
const listedMax = 40;

/** Of very many tasks those that say most: what asks, failed or is at work. `rest` counts the others, as in "900 succeeded". */
export function mostTelling(tasks: readonly TaskView[]): {
  readonly shown: readonly TaskView[];
  readonly rest: string;
} {
  if (tasks.length <= listedMax) return { shown: tasks, rest: '' };
  const chosen = new Set([...tasks].sort((a, b) => telling(a) - telling(b)).slice(0, listedMax));
  const counts = new Map<string, number>();
  for (const task of tasks) {
    if (chosen.has(task)) continue;
    const word = task.outcome?.kind ?? (task.state === 'active' ? 'at work' : 'waiting');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return {
    shown: tasks.filter((task) => chosen.has(task)),
    rest: Array.from(counts, ([word, n]) => `${n} ${word}`).join(', '),
  };
}

function telling({ asks, question, outcome, state }: TaskView): number {
  if (asks.length > 0 || question?.state === 'open') return 0;
  if (outcome?.kind === 'failed') return 1;
  if (state === 'active') return 2;
  if (outcome === null) return 3;
  return outcome.kind === 'succeeded' ? 5 : 4;
}
