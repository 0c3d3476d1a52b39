import { expect, it } from 'vitest';
import { fail, outcomeOf, submitted, succeed, task, taskId } from '../../../test/model/story.ts';
import { viewMissing } from './missing-work.ts';

it('failed tasks are listed with the reason, skipped ones with the task that caused it [CLI-14]', () => {
  const story = submitted(
    task('good'),
    task('bad'),
    task('next', { needs: [taskId('bad')] }),
    task('last', { needs: [taskId('next')] }),
    task('done', { kind: 'milestone', needs: [taskId('bad')] }),
  );
  succeed(story, 'good');
  expect(viewMissing(story.run)).toBeNull();
  fail(story, 'bad');
  expect(outcomeOf(story, 'last')?.kind).toBe('skipped');
  expect(viewMissing(story.run)).toEqual({
    total: 3,
    tasks: [
      { id: 'task_bad', name: 'bad', outcome: 'failed', reason: 'max-output', detail: 'too long', because: null },
      { id: 'task_next', name: 'next', outcome: 'skipped', reason: null, detail: null, because: 'bad' },
      { id: 'task_last', name: 'last', outcome: 'skipped', reason: null, detail: null, because: 'bad' },
    ],
  });
});

it('of many missing tasks the first are listed, with their number', () => {
  const names = Array.from({ length: 30 }, (_, n) => `t${n}`);
  const story = submitted(...names.map((name) => task(name)));
  story.tell({ type: 'stopRun', by: 'ann' });
  const missing = viewMissing(story.run);
  expect(missing).toMatchObject({ total: 30, tasks: { length: 20, 0: { outcome: 'stopped', because: null } } });
});
