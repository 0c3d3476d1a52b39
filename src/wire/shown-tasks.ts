// The tasks of a run that are shown to people. Milestones are hidden; a matrix is replaced by its tasks once they exist. Pure.

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

/** At most this many tasks are listed one by one. */
const listedMax = 40;

/** The tasks that matter most if there are very many: open asks, failures, running. `rest` counts the others: "900 succeeded". */
export function mostTelling(tasks: readonly TaskView[]): {
  readonly shown: readonly TaskView[];
  readonly rest: string;
} {
  if (tasks.length <= listedMax) return { shown: tasks, rest: '' };
  const chosen = new Set([...tasks].sort((a, b) => telling(a) - telling(b)).slice(0, listedMax));
  const counts = new Map<string, number>();
  for (const task of tasks) {
    if (chosen.has(task)) continue;
    const word = task.outcome?.kind ?? (task.state === 'active' ? 'working' : 'waiting');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return {
    shown: tasks.filter((task) => chosen.has(task)),
    rest: Array.from(counts, ([word, n]) => `${n} ${word}`).join(', '),
  };
}

function telling({ asks, outcome, state }: TaskView): number {
  if (asks.some((ask) => ask.state === 'open')) return 0;
  if (outcome?.kind === 'failed') return 1;
  if (state === 'active') return 2;
  if (outcome === null) return 3;
  return outcome.kind === 'succeeded' ? 5 : 4;
}
