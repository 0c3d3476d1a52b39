// Stories about work that is done again after others have gone on with how it ended.

import { describe, expect, it } from 'vitest';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import type { Condition } from '../../src/model/inputs/condition.ts';
import { settle, states } from './plan-story.ts';
import { fail, launched, type Story, submitted, succeed, task, taskId } from './story.ts';

const retry = (story: Story, name: string) => story.ask({ type: 'retryTask', taskId: taskId(name), by: 'ann' });

/** `z` follows a phase that was content with less than all. */
function passed(...more: TaskSpec[]): Story {
  const needs = [taskId('a'), taskId('b')];
  const phase = task('phase', { kind: 'milestone', needs, tolerates: needs });
  const story = submitted(
    task('a'),
    task('b'),
    phase,
    task('z', { needs: [taskId('phase'), ...more.map(({ id }) => id)] }),
    ...more,
  );
  fail(story, 'a');
  succeed(story, 'b');
  settle(story);
  expect(states(story)).toMatchObject({ a: 'failed', phase: 'succeeded' });
  return story;
}

describe('a task that an ended phase counted', () => {
  it('is counted again when it is retried, and tasks that wait for something else wait for it too [RUN-7, RUN-9] [GRAPH-4]', () => {
    const story = passed(task('c'));
    launched(story, 'c');
    story.tell({ type: 'retryTask', taskId: taskId('a'), by: 'ann' });
    expect(states(story)).toMatchObject({ a: 'ready', phase: 'blocked', z: 'blocked' });
    succeed(story, 'a', 2);
    settle(story);
    expect(states(story)).toMatchObject({ phase: 'succeeded', z: 'blocked' });
  });

  it('is counted again when the run is resumed, and what follows the phase waits [RUN-5, RUN-9] [GRAPH-4]', () => {
    const story = passed();
    fail(story, 'z');
    story.tell({ type: 'resumeRun', by: 'ann' });
    settle(story);
    expect(states(story)).toMatchObject({ a: 'ready', b: 'succeeded', phase: 'blocked', z: 'blocked' });
    succeed(story, 'a', 2);
    settle(story);
    expect(states(story)).toMatchObject({ phase: 'succeeded', z: 'ready' });
  });
});

describe('a task that others have built on', () => {
  it('is not retried if dependants that wait for something else would go on without it [RUN-11]', () => {
    const a = [taskId('a')];
    const built = task('b', { needs: a, tolerates: a });
    const story = submitted(task('a'), built, task('c'), task('z', { needs: [taskId('b'), taskId('c')] }));
    fail(story, 'a');
    succeed(story, 'b');
    expect(states(story)).toMatchObject({ z: 'blocked' });
    expect(retry(story, 'a')).toMatchObject({
      refusal: { reason: 'task "z" goes on with how "a" ended: stop it first, or wait' },
    });
    succeed(story, 'c');
    succeed(story, 'z');
    expect(retry(story, 'a')).toMatchObject({ kind: 'decided' });
  });
});

describe('an ended matrix', () => {
  const isItem: Condition = { op: '==', left: { op: 'ref', ref: ['matrix'] }, right: { op: 'value', value: 2 } };
  const isDone: Condition = {
    op: '==',
    left: { op: 'ref', ref: ['tasks', 'x', 'result'] },
    right: { op: 'value', value: 'succeeded' },
  };
  /** Its first task is wanted only where `x` succeeds. */
  const matrix = (): Story => {
    const x = [taskId('x')];
    const when: Condition = { op: '||', left: isItem, right: isDone };
    const story = submitted(
      task('x'),
      task('m', { kind: 'matrix', items: [1, 2], needs: x, tolerates: x, when }),
      task('z', { needs: [taskId('m')] }),
    );
    fail(story, 'x');
    settle(story);
    succeed(story, 'mi2');
    expect(states(story)).toMatchObject({ x: 'failed', 'm.1': 'omitted', m: 'succeeded', z: 'ready' });
    fail(story, 'z');
    return story;
  };

  it.each([
    { how: 'tried again', command: { type: 'retryTask', taskId: taskId('x'), by: 'ann' } as const },
    { how: 'resumed', command: { type: 'resumeRun', by: 'ann' } as const },
  ])(
    "is open again when one of its tasks runs after all, as its condition's task is $how [RUN-7] [GRAPH-2]",
    ({ command }) => {
      const story = matrix();
      story.tell(command);
      settle(story);
      expect(states(story)).toMatchObject({ x: 'ready', 'm.1': 'blocked', m: 'active' });
      succeed(story, 'x', 2);
      settle(story);
      expect(states(story)).toMatchObject({ 'm.1': 'ready', m: 'active' });
      if (command.type === 'resumeRun') expect(states(story)).toMatchObject({ z: 'blocked' });
      else expect(retry(story, 'z')).toMatchObject({ kind: 'refused' });
      succeed(story, 'mi1');
      settle(story);
      expect(states(story)).toMatchObject({ 'm.1': 'succeeded', m: 'succeeded' });
    },
  );
});
