// Whether two writers of the same path were at work at once. What a glob fits is listed here, path by path: the reasoning
// of the model about globs must not be its own judge.

import { isAbove, liveAttempt } from '../view/children-view.ts';
import type { TaskData } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

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

export function checkPaths(view: View, run: RunView, task: TaskView, attemptId: string | undefined): void {
  const writes = pathsOf(task.spec.writes);
  const wanted = new Set([...writes, ...pathsOf(task.spec.reads)]);
  for (const other of run.tasks) {
    if (other === task || other.attempt === null || other.attempt.state === 'ended') continue;
    // Who was asked for works inside what its asker holds, but for what that one has claimed.
    const declared = isAbove(other, task) || isAbove(task, other) ? [] : pathsOf(other.spec.writes);
    const common = [...declared, ...pathsOf(other.attempt.spawning.claims)].find((path) => wanted.has(path));
    if (common !== undefined) blame(view, 7, `${attemptId} starts although ${other.attempt.id} writes ${common} too`);
  }
}

/** Who holds what the task wants until its attempt ends: a claim ends before that. */
export function holderFor(run: RunView, task: TaskView): TaskView | null {
  const wanted = new Set([...pathsOf(task.spec.writes), ...pathsOf(task.spec.reads)]);
  const holder = run.tasks.find((other) => {
    if (other === task || liveAttempt(other) === null || isAbove(other, task) || isAbove(task, other)) return false;
    return pathsOf(other.spec.writes).some((path) => wanted.has(path));
  });
  return holder ?? null;
}

/** A path that both write to. */
export function commonWrite(one: TaskData, other: TaskData): string | null {
  const paths = pathsOf(other.writes);
  return pathsOf(one.writes).find((path) => paths.includes(path)) ?? null;
}

export function pathsOf(globs: readonly string[] | null | undefined): readonly string[] {
  return (globs ?? []).flatMap((glob) => globPaths[glob] ?? []);
}
