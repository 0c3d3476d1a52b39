// Stories about tasks of which a person says what their failure does, or whether they go on after a crash.

import { describe, expect, it } from 'vitest';
import { lastAskAbout } from '../../src/model/asks/find-asks.ts';
import { questionId } from '../../src/model/core/ids.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { emptyHost, type Host } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import { must, settle, states } from './plan-story.ts';
import { fail, launch, launched, outcomeOf, type Story, submitted, succeed, task, taskId, turned } from './story.ts';

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

const question = { type: 'answerAsk', askId: questionId(taskId('a'), 1), message: null, remember: null } as const;
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
      'a person: "a" has failed (max-output): too long (ask_a-q1)',
    );
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
    expect(refusal(story, null)).toMatch(/choose retry, continue, stop/);
    expect(refusal(story, null, false)).toMatch(/choose retry, continue, stop/);
    expect(refusal(story, 'again')).toMatch(/"again" is no choice: there are retry, continue, stop/);
  });

  it('has its place among the asks by its last question, also over a restart [EV-4]', () => {
    const story = failed({}, task('d', { onFailure: 'ask', retry: { ...retry, attemptsMax: 1 } }));
    fail(story, 'd');
    story.tell(choose('retry'));
    settle(story);
    fail(story, 'a', 3);
    story.now += 1_000;
    settle(story);
    fail(story, 'a', 4);
    expect([...story.run.asks.keys()]).toEqual(['ask_d-q1', 'ask_a-q2']);
    expect([...story.run.asksOf.keys()]).toEqual([taskId('d'), taskId('a')]);
    expect([...readRun(writeRun(story.run)).asksOf]).toEqual([...story.run.asksOf]);
  });

  it('can be retried beyond its attempts, and may fail as often as at first [ASK-2]', () => {
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
    expect(lastAskAbout(story.run, taskId('a'))).toMatchObject({ id: 'ask_a-q2', state: 'open' });
    expect(refusal(story, 'retry')).toMatch(/what is asked now is ask_a-q2/);
  });

  it('stays failed by "continue", and everything that can goes on [ASK-2]', () => {
    const story = failed();
    story.tell(choose('continue'));
    expect(states(story)).toEqual({ a: 'failed', b: 'skipped', c: 'ready' });
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'failed', failure: { reason: 'max-output', detail: 'too long' } });
    succeed(story, 'c');
    expect(story.run.outcome).toBe('partial');
  });

  it('stops the run by "stop", like a failure that does [ASK-2]', () => {
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

  it('is stopped with its question, and can be resumed [ASK-3]', () => {
    const story = failed();
    story.tell({ type: 'stopRun', by: 'bob' });
    expect(states(story)).toEqual({ a: 'stopped', b: 'skipped', c: 'stopped' });
    expect(story.run.openAsks.size).toBe(0);
    story.tell({ type: 'resumeRun', by: 'bob' });
    expect(states(story)).toMatchObject({ a: 'ready' });
    expect(refusal(story, 'retry')).toMatch(/ask_a-q1 can be decided no more/);
  });

  it('asks also when it fails before it started [ASK-1]', () => {
    const story = submitted(task('a', { onFailure: 'ask', onQuota: 'stop' }));
    story.tell({ type: 'outOfQuota', taskId: taskId('a'), detail: 'used up' });
    expect(lastAskAbout(story.run, taskId('a'))?.message).toBe('"a" has failed (quota): used up');
    story.tell(choose('retry'));
    settle(story);
    succeed(story, 'a');
    expect(story.run.outcome).toBe('succeeded');
  });

  it('without any items offers no retry, which would fail the same way [ASK-6]', () => {
    const story = submitted(task('a', { kind: 'matrix', items: { ref: ['run', 'no'] }, onFailure: 'ask' }));
    settle(story);
    expect(lastAskAbout(story.run, taskId('a'))?.choices).toEqual(['continue', 'stop']);
    story.tell(choose('continue'));
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'invalid-output' } });
  });
});

describe('a task with on-crash: ask', () => {
  const crashes = (more: Partial<TaskSpec> = {}): Story => {
    const story = submitted(task('a', { onCrash: 'ask', ...more }), task('b'));
    launched(story, 'a');
    return story;
  };
  const begun = (story: Story, l = 1): void => {
    const records = story.run.agents.get('agent_a-1')?.mailbox.records ?? [];
    const offset = story.run.live.get('attempt_a-1')?.launches.current?.offset ?? 0;
    const facts = [
      { kind: 'session', session: 's' } as const,
      ...records.map(({ id }) => ({ kind: 'delivered', recordId: id }) as const),
    ];
    const launchId = launch('a', 1, l);
    story.tell({ type: 'output', launchId, from: offset, to: offset + 1, codec: '{}', replies: [], facts });
  };
  const died = (story: Story, status: number | null, l = 1, ...inFlight: string[]): void => {
    story.tell({ type: 'down', launchId: launch('a', 1, l), status, turn: null, inFlight });
  };
  const host = (): Host => ({ ...emptyHost(), slots: 5 });
  const next = (story: Story) => pickNext(host(), [story.run], story.now, 'h')?.command;

  it('is told what happened also if a person sent it a message meanwhile [ASK-4]', () => {
    const story = crashes();
    begun(story);
    died(story, null);
    story.tell({ type: 'send', recordId: 'record_x', taskId: taskId('a'), from: 'ann', text: 'Look first.' });
    story.tell(choose(null));
    const events = story.tell({ type: 'goOn', attemptId: 'attempt_a-1', host: 'h' });
    expect(JSON.stringify(events)).toContain('Your process was interrupted');
  });

  it.each([null, 137])('asks before it goes on when its process died with %j in a turn [ASK-4]', (status) => {
    const story = crashes();
    begun(story);
    died(story, status, 1, 'Bash: make deploy');
    expect(story.run.live.get('attempt_a-1')).toMatchObject({
      state: 'resting',
      parking: { parked: { why: { kind: 'person' } } },
    });
    expect(lastAskAbout(story.run, taskId('a'))?.message).toBe(
      '"a": its process died in the middle of a turn. These were under way:\n- Bash: make deploy\n' +
        'What they did may have taken effect in part. May it go on?',
    );
    expect(waitReason(story.run, must(story, 'a'), host(), story.now)).toMatch(/^a person: "a": its process died/);
    expect(next(story)).toMatchObject({ type: 'start', taskId: 'task_b' });
    expect(story.ask({ type: 'goOn', attemptId: 'attempt_a-1', host: 'h' })).toMatchObject({ kind: 'refused' });
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
    story.tell(choose(null));
    expect(next(story)).toEqual({ type: 'goOn', attemptId: 'attempt_a-1', host: 'h' });
    const events = story.tell({ type: 'goOn', attemptId: 'attempt_a-1', host: 'h' });
    expect(events.map(({ type }) => type)).toEqual(['attempt.unparked', 'launch.intended', 'record.queued']);
    expect(events[1]).toMatchObject({ launchId: 'launch_a-1-2', resume: true });
    expect(JSON.stringify(events[2])).toContain('Bash: make deploy');
    story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
    begun(story, 2);
    died(story, status, 2);
    expect(lastAskAbout(story.run, taskId('a'))).toMatchObject({ id: 'ask_a-q2', state: 'open' });
  });

  it('is stopped when a person says no, and its work is kept [ASK-4]', () => {
    const story = crashes();
    begun(story);
    died(story, null);
    expect(refusal(story, 'retry')).toMatch(/nothing to choose/);
    story.tell(choose(null, false));
    story.tell({ type: 'saved', attemptId: 'attempt_a-1', ref: 'r', commit: 'c' });
    expect(outcomeOf(story, 'a')?.kind).toBe('stopped');
  });

  it.each(['stopRun', 'stopTask'] as const)('is not asked any more after %s [ASK-4]', (type) => {
    const story = crashes();
    begun(story);
    died(story, null);
    story.tell({ type, taskId: taskId('a'), by: 'ann' });
    expect(story.run.openAsks.size).toBe(0);
    expect(refusal(story, null)).toMatch(/can be decided no more/);
    story.tell({ type: 'saved', attemptId: 'attempt_a-1', ref: 'r', commit: 'c' });
    expect(outcomeOf(story, 'a')?.kind).toBe('stopped');
  });

  it('asks no person if nothing had begun, or the turn had ended [ASK-7]', () => {
    const fresh = crashes();
    died(fresh, null);
    expect(fresh.run.live.get('attempt_a-1')).toMatchObject({ state: 'launching', parking: { parked: null } });
    const done = crashes();
    begun(done);
    turned(done, 'a');
    died(done, 0);
    expect(done.run.openAsks.size).toBe(0);
    expect(done.run.live.get('attempt_a-1')?.state).toBe('saving');
  });
});
