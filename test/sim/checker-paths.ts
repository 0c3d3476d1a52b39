// Whether two writers of the same path were at work at once. What a glob fits is listed here, path by path: the reasoning
// of the model about globs must not be its own judge.

import type { TaskData } from './checker-data.ts';
import { blame, type RunView, type Scene, type TaskView } from './checker-scene.ts';

const all = ['README.md', 'docs/a.md', 'src/a', 'src/a/x', 'src/b', 'src/b/x', 'src/b/y/x'];

/** Every glob that simulated tasks declare, and what of the simulated repository it fits. */
export const globPaths: Readonly<Record<string, readonly string[]>> = {
  '**': all,
  'README.md': ['README.md'],
  'docs/**': ['docs/a.md'],
  'src/**': ['src/a', 'src/a/x', 'src/b', 'src/b/x', 'src/b/y/x'],
  'src/a': ['src/a', 'src/a/x'],
  'src/b': ['src/b', 'src/b/x', 'src/b/y/x'],
  '**/x': ['src/a/x', 'src/b/x', 'src/b/y/x'],
  'src/*/x': ['src/a/x', 'src/b/x'],
  '*.md': ['README.md'],
};

export function checkPaths(scene: Scene, run: RunView, task: TaskView, attemptId: string | undefined): void {
  const writes = pathsOf(task.spec.writes);
  const wanted = new Set([...writes, ...pathsOf(task.spec.reads)]);
  for (const other of run.tasks) {
    if (other === task || other.attempt === null || other.attempt.state === 'ended') continue;
    const common = pathsOf(other.spec.writes).find((path) => wanted.has(path));
    if (common !== undefined) blame(scene, 7, `${attemptId} starts although ${other.attempt.id} writes ${common} too`);
  }
}

/** A path that both write to. */
export function commonWrite(one: TaskData, other: TaskData): string | null {
  const paths = pathsOf(other.writes);
  return pathsOf(one.writes).find((path) => paths.includes(path)) ?? null;
}

function pathsOf(globs: readonly string[] | null | undefined): readonly string[] {
  return (globs ?? []).flatMap((glob) => globPaths[glob] ?? []);
}
