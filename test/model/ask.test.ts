// Stories about tasks of which a person says what their failure does.

import { describe, expect, it } from 'vitest';
import { emptyHost } from '../../src/model/host.ts';
import { questionId } from '../../src/model/ids.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import type { TaskSpec } from '../../src/model/spec.ts';
import { waitReason } from '../../src/model/wait.ts';
import { must, settle, states } from './plan-story.ts';
import { fail, launched, outcomeOf, type Story, submitted, succeed, task, taskId } from './story.ts';

const retry = { attemptsMax: 2, conflictsMax: 0, delayMs: 10, delayMaxMs: 10 };

/** A task `a` that has failed twice, which is for good, with what needs it. */
function failed(more: Partial<TaskSpec> = {}, ...others: TaskSpec[]): Story {
  const story = submitted(
    task('a', { onFailure: 'ask', retry, ...more }),
    task('b', { needs: [taskId('a')] }),
    task('c', { needs: [taskId('a')], tolerates: [taskId('a')] }),
    ...others,
  );
  fail(story, 'a');
  expect(states(story)).toMatchObject({ a: 'delayed' });
  story.now += 1_000;
  settle(story);
  fail(story, 'a', 2);
  return story;
}

const question = { type: 'decideGate', gateId: questionId(taskId('a'), 1), message: null, remember: null } as const;
const choose = (choice: string | null, approved = true, by = 'ann') => ({ ...question, choice, approved, by });

const refusal = (story: Story, ...given: Parameters<typeof choose>) => {
  const decision = story.ask(choose(...given));
  return decision.kind === 'refused' ? decision.refusal.reason : 'decided';
};

describe('a task with on-failure: ask', () => {
  it('that has failed for good waits for a person, with no process and no slot [ASK-1]', () => {
    const story = failed();
    expect(states(story)).toEqual({ a: 'active', b: 'blocked', c: 'blocked' });
    expect(story.run.live.size).toBe(0);
    expect(waitReason(story.run, must(story, 'a'), emptyHost(), story.now)).toBe(
      'a person: "a" has failed (max-output): too long (gate_a-q1)',
    );
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
    expect(refusal(story, null)).toMatch(/choose retry, continue, stop/);
    expect(refusal(story, null, false)).toMatch(/choose retry, continue, stop/);
    expect(refusal(story, 'again')).toMatch(/"again" is no choice: there are retry, continue, stop/);
  });

  it('is tried again beyond its attempts, and may fail as often as at first [ASK-2]', () => {
    const story = failed();
    story.tell(choose('retry'));
    expect(refusal(story, 'retry')).toMatch(/is decided/);
    expect(refusal(story, 'stop')).toMatch(/ann has chosen "retry" for it already/);
    settle(story);
    fail(story, 'a', 3);
    expect(states(story)).toMatchObject({ a: 'delayed' });
    story.now += 1_000;
    settle(story);
    fail(story, 'a', 4);
    expect(must(story, 'a').question).toMatchObject({ id: 'gate_a-q2', state: 'open' });
    expect(refusal(story, 'retry')).toMatch(/what is asked now is gate_a-q2/);
  });

  it('stays failed by "continue": what can goes on without it [ASK-2]', () => {
    const story = failed();
    story.tell(choose('continue'));
    expect(states(story)).toEqual({ a: 'failed', b: 'skipped', c: 'ready' });
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'failed', failure: { reason: 'max-output', detail: 'too long' } });
    succeed(story, 'c');
    expect(story.run.outcome).toBe('partial');
  });

  it('stops the run by "stop", as a failure that does [ASK-2]', () => {
    const story = failed();
    story.tell(choose('stop'));
    expect(states(story)).toEqual({ a: 'failed', b: 'stopped', c: 'stopped' });
    expect(story.run.outcome).toBe('failed');
    const busy = failed({}, task('x'));
    launched(busy, 'x');
    busy.tell(choose('stop'));
    expect(busy.run.state).toBe('stopping');
    busy.tell({ type: 'down', launchId: 'launch_x-1-1', status: 0, turn: null });
    busy.tell({ type: 'saved', attemptId: 'attempt_x-1', ref: 'r', commit: 'c' });
    expect(states(busy)).toMatchObject({ a: 'failed', x: 'stopped' });
    expect(busy.run.outcome).toBe('failed');
  });

  it('is stopped with its question, and can be done again [ASK-3]', () => {
    const story = failed();
    story.tell({ type: 'stopRun', by: 'bob' });
    expect(states(story)).toEqual({ a: 'stopped', b: 'skipped', c: 'stopped' });
    expect(story.run.questions.size).toBe(0);
    story.tell({ type: 'resumeRun', by: 'bob' });
    expect(states(story)).toMatchObject({ a: 'ready' });
    expect(refusal(story, 'retry')).toMatch(/nobody decided gate_a-q1/);
  });

  it('that fails before it began asks as well [ASK-1]', () => {
    const story = submitted(task('a', { onFailure: 'ask', onQuota: 'stop' }));
    story.tell({ type: 'outOfQuota', taskId: taskId('a'), detail: 'used up' });
    expect(must(story, 'a').question?.message).toBe('"a" has failed (quota): used up');
    story.tell(choose('retry'));
    settle(story);
    succeed(story, 'a');
    expect(story.run.outcome).toBe('succeeded');
  });

  it('that becomes no tasks offers no retry, which would meet the same wall [ASK-1]', () => {
    const story = submitted(task('a', { kind: 'matrix', items: { ref: ['tasks', 'no', 'output'] }, onFailure: 'ask' }));
    settle(story);
    expect(must(story, 'a').question?.choices).toEqual(['continue', 'stop']);
    story.tell(choose('continue'));
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'invalid-output' } });
  });
});
