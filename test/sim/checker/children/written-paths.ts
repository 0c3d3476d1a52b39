// Which tasks write the same paths. What a glob fits is listed here, path by path: the reasoning of the model about globs must
// not be its own judge.

import { isAbove, liveAttempt } from '../view/children-view.ts';
import type { TaskData } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';

/** Paths that agents may make, too: for each pair of globs that can fit the same path there is one. */
const all = ['README.md', 'README.md/x', 'docs/a.md', 'docs/x', 'src/a', 'src/a/x', 'src/b', 'src/b/x', 'src/b/y/x'];

/** Every glob that simulated tasks declare, and which of these paths it fits: a path is itself and all that is below it. */
export const globPaths: Readonly<Record<string, readonly string[]>> = {
  '**': all,
  'README.md': ['README.md', 'README.md/x'],
  'docs/**': ['docs/a.md', 'docs/x'],
  'src/**': ['src/a', 'src/a/x', 'src/b', 'src/b/x', 'src/b/y/x'],
  'src/a': ['src/a', 'src/a/x'],
  'src/b': ['src/b', 'src/b/x', 'src/b/y/x'],
  '**/x': ['README.md/x', 'docs/x', 'src/a/x', 'src/b/x', 'src/b/y/x'],
  'src/*/x': ['src/a/x', 'src/b/x'],
  '*.md': ['README.md', 'README.md/x'],
};

/** All that hold what the task wants until their attempts end: a claim ends before that. A child works inside what its parent holds. */
export function holdersFor(run: RunView, task: TaskView): TaskView[] {
  const wanted = wantedBy(task);
  return run.tasks.filter((other) => {
    if (other === task || liveAttempt(other) === null || isAbove(other, task) || isAbove(task, other)) return false;
    return pathsOf(other.spec.writes).some((path) => wanted.has(path));
  });
}

/** What it writes, or reads undisturbed. */
export function wantedBy({ spec }: TaskView): ReadonlySet<string> {
  return new Set([...pathsOf(spec.writes), ...pathsOf(spec.reads)]);
}

/** A path that both write to. */
export function commonWrite(one: TaskData, other: TaskData): string | null {
  const paths = pathsOf(other.writes);
  return pathsOf(one.writes).find((path) => paths.includes(path)) ?? null;
}

export function pathsOf(globs: readonly string[] | null | undefined): readonly string[] {
  return (globs ?? []).flatMap((glob) => globPaths[glob] ?? []);
}
