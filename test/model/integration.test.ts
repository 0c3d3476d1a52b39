// Rules of the run's branch: what integrates, in which order, from where the next one starts, and what a conflict is.

import { describe, expect, it } from 'vitest';
import {
  attempt,
  conflicted,
  createStory,
  down,
  integrated,
  launched,
  onto,
  outcomeOf,
  type Story,
  submitted,
  task,
  taskId,
  turned,
  worked,
} from './story.ts';

const integration = (story: Story): string[] =>
  story
    .pending()
    .effects.filter((effect) => effect.kind === 'integrate')
    .map(({ attemptId }) => attemptId);
const paths = ['a.txt', 'b.txt'];

describe("a run's branch", () => {
  it('takes works one by one, in the order in which they were proved [INT-1]', () => {
    const story = submitted(task('a'), task('b'));
    worked(story, 'b');
    worked(story, 'a');
    expect(integration(story)).toEqual([attempt('b')]);
    const other = story.ask({ type: 'integrated', from: 'elsewhere', results: [onto('x', 'b')] });
    expect(other).toMatchObject({ kind: 'refused', refusal: { kind: 'stale' } });
    integrated(story, 'b');
    expect(outcomeOf(story, 'b')).toEqual({ kind: 'succeeded', commit: 'c-b-1' });
    expect(integration(story)).toEqual([attempt('a')]);
    integrated(story, 'a');
    expect(story.run.integration.head).toBe('b0+b+a');
    expect(story.run.integration.steps).toEqual([
      { attemptId: attempt('b'), from: 'b0', to: 'b0+b' },
      { attemptId: attempt('a'), from: 'b0+b', to: 'b0+b+a' },
    ]);
    expect(story.run.outcome).toBe('succeeded');
  });

  it('is what an attempt starts from, with the work of all its needs [INT-2]', () => {
    const story = submitted(task('a'), task('b', { needs: [taskId('a')] }));
    worked(story, 'a');
    expect(story.run.tasks.get(taskId('b'))?.state).toBe('blocked');
    integrated(story, 'a');
    story.tell({ type: 'start', taskId: taskId('b'), host: 'h' });
    expect(story.run.live.get(attempt('b'))?.origin.from).toBe('b0+a');
  });

  it('is not touched by unchanged or discarded work [INT-3]', () => {
    const story = submitted(task('a'), task('b', { keeps: false, writes: ['x'] }));
    for (const name of ['a', 'b']) {
      launched(story, name);
      turned(story, name);
      down(story, name, 0);
    }
    story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'b0' });
    story.tell({ type: 'saved', attemptId: attempt('b'), ref: '', commit: 'b0' });
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'succeeded', commit: 'b0' });
    expect(outcomeOf(story, 'b')).toEqual({ kind: 'succeeded', commit: '' });
    expect(story.run.integration.head).toBe('b0');
  });
});

describe('a run whose tasks stay apart', () => {
  it("leaves each task's work by itself, from the run's base [INT-5]", () => {
    const story = createStory();
    const run = {
      id: 'run_1',
      name: 'r',
      repo: { path: '/r', base: 'b0' },
      limits: { parallelMax: 9 },
      integrates: false,
    } as const;
    story.tell({ type: 'submit', run, tasks: [task('a'), task('b')] });
    worked(story, 'a');
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'succeeded', commit: 'c-a-1' });
    story.tell({ type: 'start', taskId: taskId('b'), host: 'h' });
    expect(story.run.live.get(attempt('b'))?.origin.from).toBe('b0');
  });
});

describe('work that conflicts with what was integrated meanwhile', () => {
  it('is retried from the new head, beyond the attempts for other failures [INT-4]', () => {
    const story = submitted(task('a'), task('b'));
    worked(story, 'a');
    worked(story, 'b');
    integrated(story, 'a');
    conflicted(story, 'b', paths);
    const b = story.run.tasks.get(taskId('b'));
    expect([b?.state, b?.tries.lastFailure?.reason, b?.integration.conflicts]).toEqual(['delayed', 'conflict', 1]);
    expect(b?.tries.lastFailure?.detail).toContain('a.txt, b.txt');
    story.now += 10_000;
    story.tell({ type: 'tick' });
    launched(story, 'b', 2);
    expect(story.run.live.get(attempt('b', 2))?.origin.from).toBe('b0+a');
    expect(story.run.integration.head).toBe('b0+a');
  });

  it('fails when the conflict stays, and its work is kept at its ref [INT-4]', () => {
    const story = submitted(task('a', { retry: { attemptsMax: 1, conflictsMax: 1, delayMs: 0, delayMaxMs: 0 } }));
    for (const n of [1, 2]) {
      worked(story, 'a', n);
      conflicted(story, 'a', paths, n);
      story.tell({ type: 'tick' });
    }
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'conflict' } });
    expect(story.run.tasks.get(taskId('a'))?.tries.tried.map(({ ref, commit }) => [ref, commit])).toEqual([
      ['refs/x', 'c-a-1'],
      ['refs/x', 'c-a-2'],
    ]);
  });
});
