import { describe, expect, it } from 'vitest';
import { mostTelling, shownTasks } from './shown-tasks.ts';
import type { TaskView } from './views.ts';

const task = (name: string, more: Partial<TaskView> = {}): TaskView =>
  ({
    id: `task_${name}`,
    name,
    kind: 'work',
    parent: null,
    state: 'ended',
    asks: [],
    outcome: null,
    ...more,
  }) as TaskView;

describe('the shown tasks', () => {
  it('are those with agents, and a matrix until it has tasks', () => {
    const m = task('m', { kind: 'matrix' });
    const names = (tasks: TaskView[]) => shownTasks({ tasks }).map(({ name }) => name);
    expect(names([task('a'), m, task('phase.x', { kind: 'milestone' })])).toEqual(['a', 'm']);
    expect(names([m, task('m.1', { parent: 'task_m' })])).toEqual(['m.1']);
  });

  it('are, of very many, the most important ones in order; the others are counted', () => {
    const succeeded = { kind: 'succeeded', commit: 'c' } as const;
    const failed = { kind: 'failed', failure: { reason: 'crash', detail: '' } } as const;
    const tasks = Array.from({ length: 1_000 }, (_, i) => {
      if (i === 900) return task('failed', { outcome: failed });
      if (i > 980) return task(`waits-${i}`, { state: 'blocked' });
      return i % 100 === 50 ? task(`works-${i}`, { state: 'active' }) : task(`done-${i}`, { outcome: succeeded });
    });
    const { shown, rest } = mostTelling(tasks);
    expect(shown).toHaveLength(40);
    const told = shown.map(({ name }) => name.split('-')[0]);
    expect([...new Set(told)]).toEqual(['done', 'works', 'failed', 'waits']);
    expect(told.filter((word) => word === 'works')).toHaveLength(10);
    expect(rest).toBe('960 succeeded');
    expect(mostTelling(tasks.slice(0, 40))).toEqual({ shown: tasks.slice(0, 40), rest: '' });
  });

  it('of a matrix stand in its place', () => {
    const of = (name: string) => task(name, { parent: 'task_m' });
    const tasks = [task('a'), task('m', { kind: 'matrix' }), task('z'), of('m1'), of('m2')];
    expect(shownTasks({ tasks }).map(({ name }) => name)).toEqual(['a', 'm1', 'm2', 'z']);
  });
});
