// Stories about agents that wait for tasks which need their paths.

import { describe, expect, it } from 'vitest';

import { emptyHost, type Host } from '../../src/model/host/host.ts';
import { plainTask } from '../plain-task.ts';
import { waitReason } from '../wait-reason.ts';
import { atWork, call, endTurn, fail, named, wait } from './children-story.ts';
import { pickNext } from './pick-next.ts';
import { settle } from './plan-story.ts';
import { type Story, submitted, task, taskId } from './story.ts';

describe('the paths of an agent that waits', () => {
  const host: Host = { ...emptyHost(), slots: 10 };
  const again = { ...plainTask.retry, attemptsMax: 2 };
  /** A task that failed, and whose time to be tried again has come. */
  const failOnce = (story: Story, name: string): void => {
    fail(story, name, 'crash', 'it broke');
    story.now += 60_000;
    settle(story);
    expect(named(story, name).state).toBe('ready');
  };
  const starts = (story: Story): unknown => {
    const pick = pickNext(host, [story.run], story.now, 'h');
    return pick?.command.type === 'start' ? pick.command.taskId : null;
  };

  it('are not held against a retry of the task that it waits for [LOCK-6]', () => {
    const story = submitted(task('r', { reads: ['src/api'], retry: again }), task('w', { writes: ['src/**'] }));
    atWork(story, 'r');
    atWork(story, 'w');
    expect(wait(story, 'w', ['r']).isError).toBe(false);
    endTurn(story, 'w');
    failOnce(story, 'r');
    expect(starts(story)).toBe(taskId('r'));
    expect(waitReason(story.run, named(story, 'r'), host, story.now)).not.toContain('path');
    expect(story.ask({ type: 'start', taskId: taskId('r'), host: 'h' })).toMatchObject({ kind: 'decided' });
  });

  it('are not held against a retry that only its wait leads to through others [LOCK-6]', () => {
    const story = submitted(
      task('r', { reads: ['src/api'], retry: again }),
      task('x'),
      task('w', { writes: ['src/**'] }),
    );
    for (const name of ['r', 'x', 'w']) atWork(story, name);
    wait(story, 'x', ['r']);
    wait(story, 'w', ['x']);
    endTurn(story, 'x');
    endTurn(story, 'w');
    failOnce(story, 'r');
    expect(starts(story)).toBe(taskId('r'));
  });

  it('are held against all others, and what it has claimed against everybody [LOCK-6]', () => {
    const story = submitted(
      task('r', { reads: ['src/api'], retry: again }),
      task('other', { reads: ['src/api'] }),
      task('w', { writes: ['src/**'] }),
    );
    atWork(story, 'r');
    atWork(story, 'w');
    wait(story, 'w', ['r']);
    call(story, 'w', { tool: 'claim_paths', paths: ['src/api'] });
    failOnce(story, 'r');
    expect(starts(story)).toBe(null);
    expect(waitReason(story.run, named(story, 'r'), host, story.now)).toBe('path src/api held by task "w"');
    endTurn(story, 'w');
    expect(starts(story)).toBe(taskId('r'));
    story.tell({ type: 'start', taskId: taskId('r'), host: 'h' });
    expect(starts(story)).toBe(null);
    expect(waitReason(story.run, named(story, 'other'), host, story.now)).toBe('path src/** held by task "w"');
  });
});
