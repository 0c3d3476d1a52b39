import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../wire/views.ts';
import { byRank, familiesOf, inFamilies } from './task-tree.ts';

const task = (id: string, parent: string | null = null): TaskView => ({ id, parent }) as TaskView;
const tasks = [
  task('a'),
  task('b'),
  task('a1', 'a'),
  task('m1', 'gone'),
  task('a1x', 'a1'),
  task('b1', 'b'),
  task('a2', 'a'),
];
const drawn = (relatives: readonly { task: TaskView; depth: number }[]) =>
  relatives.map(({ task: { id }, depth }) => `${depth} ${id}`);

describe('families of tasks', () => {
  it('stand below their parent at any depth, and first if their parent is not shown [CHILD-83]', () => {
    expect(drawn(inFamilies(tasks))).toEqual(['0 a', '1 a1', '2 a1x', '1 a2', '0 b', '1 b1', '0 m1']);
  });

  it('are sorted by their most urgent member [CHILD-94]', () => {
    const rank = ({ id }: TaskView): number => ({ b1: 0, a2: 1 })[id] ?? 2;
    const ordered = familiesOf(tasks, rank).sort(byRank);
    expect(ordered.flatMap(({ members }) => drawn(members))).toEqual([
      '0 b',
      '1 b1',
      '0 a',
      '1 a2',
      '1 a1',
      '2 a1x',
      '0 m1',
    ]);
  });
});
