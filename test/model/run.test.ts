// Stories about runs and tasks: needs, order, retries, stop and resume.

import { describe, expect, it } from 'vitest';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { retryDelay } from '../../src/model/core/timing.ts';
import { emptyHost, evolveHost } from '../../src/model/host/host.ts';
import { hostEventsOf } from '../../src/model/host/host-share.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import {
  attempt,
  createStory,
  down,
  fail,
  launched,
  outcomeOf,
  saved,
  submitted,
  succeed,
  task,
  taskId,
} from './story.ts';

const spec = { id: 'run_1', name: 'r', repo: { path: '/r', base: 'b' }, limits: { parallelMax: 9 } } as const;

describe('submission', () => {
  const refusal = (...tasks: Parameters<typeof submitted>) => {
    const decision = createStory().ask({ type: 'submit', run: spec, tasks });
    return decision.kind === 'refused' ? decision.refusal.reason : 'decided';
  };

  it('is refused with the reason when the graph cannot be run [RUN-2]', () => {
    expect(refusal()).toMatch(/at least one task/);
    expect(refusal(task('a'), task('a'))).toMatch(/two tasks have the id/);
    expect(refusal(task('a'), task('b', { name: 'a' }))).toMatch(/two tasks have the name "a"/);
    expect(refusal(task('a', { needs: [taskId('x')] }))).toMatch(/needs task_x, which is not in this run/);
    expect(refusal(task('a'), task('b', { needs: [taskId('a'), taskId('a')] }))).toMatch(/twice/);
  });

  it('names the cycle when tasks need each other [RUN-2]', () => {
    const reason = refusal(
      task('start'),
      task('a', { needs: [taskId('start'), taskId('c')] }),
      task('b', { needs: [taskId('a')] }),
      task('c', { needs: [taskId('b')] }),
    );
    expect(reason).toBe('these tasks need each other in a circle: a → c → b → a');
    expect(refusal(task('a', { needs: [taskId('a')] }))).toMatch(/a → a/);
  });

  it('refuses a reference to a task that it does not wait for [GRAPH-14]', () => {
    const given = { op: 'ref', ref: ['tasks', 'a', 'output', 'n'] } as const;
    const { ref } = given;
    const gate = { message: 'Go on?', form: [], timeoutMs: null, onTimeout: 'reject', who: [] } as const;
    const holders: Partial<TaskSpec>[] = [
      { prompt: ['look at ', { ref }] },
      { env: { N: [{ ref }] } },
      { when: { op: '==', left: { op: 'value', value: 1 }, right: given } },
      { kind: 'matrix', items: { ref } },
      { kind: 'gate', gate: { ...gate, message: [{ ref }], shows: [] } },
      { kind: 'gate', gate: { ...gate, shows: [{ kind: 'output', task: 'a' }] } },
    ];
    for (const holder of holders) {
      expect(refusal(task('a'), task('b', holder))).toMatch(
        /^task "b": it refers to tasks\.a\.output\S* and does not wait for "a": add "a" to its needs$/,
      );
      expect(refusal(task('b', holder))).toMatch(/there is no task "a" in this run/);
      submitted(task('a'), task('b', { ...holder, needs: [taskId('a')] }));
      submitted(task('a'), task('c', { needs: [taskId('a')] }), task('b', { ...holder, needs: [taskId('c')] }));
    }
    expect(refusal(task('a', { prompt: [{ ref }] }))).toMatch(/refers to tasks\.a\.output\.n, which is its own/);
  });

  it('accepts needs in any order of listing [TASK-2]', () => {
    const story = submitted(task('b', { needs: [taskId('a')] }), task('a'));
    expect([...story.run.tasks.values()].map((each) => [each.spec.name, each.state])).toEqual([
      ['a', 'ready'],
      ['b', 'blocked'],
    ]);
  });
});

describe('needs', () => {
  it('make a task ready when the last of them has succeeded, and not before [TASK-2]', () => {
    const story = submitted(task('a'), task('b'), task('c', { needs: [taskId('a'), taskId('b')] }));
    succeed(story, 'a');
    expect(story.run.tasks.get(taskId('c'))?.state).toBe('blocked');
    expect(story.ask({ type: 'start', taskId: taskId('c'), host: 'h' })).toMatchObject({ kind: 'refused' });
    succeed(story, 'b');
    expect(story.run.tasks.get(taskId('c'))?.state).toBe('ready');
  });

  it('that fail skip all dependants with the reason; the run is partial [TASK-3] [RUN-3]', () => {
    const story = submitted(
      task('a'),
      task('b', { needs: [taskId('a')] }),
      task('c', { needs: [taskId('b')] }),
      task('other'),
    );
    fail(story, 'a');
    expect(outcomeOf(story, 'b')).toEqual({ kind: 'skipped', because: taskId('a') });
    expect(outcomeOf(story, 'c')).toEqual({ kind: 'skipped', because: taskId('b') });
    expect(story.run.state).toBe('running');
    succeed(story, 'other');
    expect(story.run.outcome).toBe('partial');
  });
});

describe('order', () => {
  it('ready tasks start by priority, then as added [TASK-4]', () => {
    const story = submitted(task('low'), task('first', { priority: 1 }), task('second', { priority: 1 }));
    const host = { ...emptyHost(), slots: 3 };
    const started: string[] = [];
    for (let pick = pickNext(host, [story.run], 0, 'h'); pick !== null; pick = pickNext(host, [story.run], 0, 'h')) {
      const events = story.tell(pick.command);
      const moment = { host, runs: new Map([[pick.runId, story.run]]), now: 0, day: '2026-01-01', ranMs: 0 };
      for (const event of hostEventsOf(pick.runId, events, moment)) evolveHost(host, { at: 0, ...event });
      if (pick.command.type === 'start') started.push(pick.command.taskId);
    }
    expect(started).toEqual([taskId('first'), taskId('second'), taskId('low')]);
  });

  it('every waiting task says what it waits for [TASK-7]', () => {
    const story = submitted(
      task('a', { retry: { attemptsMax: 2, conflictsMax: 1, delayMs: 1_000, delayMaxMs: 1_000 } }),
      task('b', { needs: [taskId('a')] }),
      task('c'),
    );
    const full = { ...emptyHost(), slots: 0 };
    const why = (name: string) => {
      const it = story.run.tasks.get(taskId(name));
      return it === undefined ? undefined : waitReason(story.run, it, full, 0);
    };
    expect(why('b')).toBe('needs a');
    expect(why('c')).toBe('a slot: all 0 are taken (raise "slots" in your configuration)');
    fail(story, 'a');
    expect(why('a')).toBe('attempt 2 after a pause (max-output)');
  });
});

describe('retries', () => {
  const twice = { attemptsMax: 2, conflictsMax: 1, delayMs: 1_000, delayMaxMs: 60_000 };

  it('a failed attempt is followed by another after its pause, and then the task fails with the reason [TASK-5]', () => {
    const story = submitted(task('a', { retry: twice }));
    fail(story, 'a');
    expect(story.run.tasks.get(taskId('a'))?.state).toBe('delayed');
    expect(story.tell({ type: 'tick' })).toEqual([]);
    story.now = story.pending().wakeAt ?? 0;
    expect(story.tell({ type: 'tick' })).toEqual([{ type: 'task.due', taskId: taskId('a') }]);
    fail(story, 'a', 2);
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'failed', failure: { reason: 'max-output', detail: 'too long' } });
    expect(story.run.outcome).toBe('failed');
  });

  it('a reason that no retry cures is not retried [TASK-5] [FAIL-2]', () => {
    const story = submitted(task('a', { retry: twice }));
    launched(story, 'a');
    story.tell({
      type: 'output',
      launchId: 'launch_a-1-1',
      from: 0,
      to: 1,
      codec: '{}',
      replies: [],
      facts: [{ kind: 'turnEnded', turn: { kind: 'failed', failure: { reason: 'auth', detail: '401' } } }],
    });
    down(story, 'a', 1);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'auth' } });
  });

  it('the pause doubles up to its limit and is spread by a quarter either way [TASK-6]', () => {
    const retry = { attemptsMax: 9, conflictsMax: 1, delayMs: 1_000, delayMaxMs: 5_000 };
    const pauses = [1, 2, 3, 4, 9].map((failures) =>
      Array.from({ length: 200 }, (_, i) => retryDelay(retry, failures, `attempt_${i}`)),
    );
    pauses.forEach((all, i) => {
      const full = [1_000, 2_000, 4_000, 5_000, 5_000][i] ?? 0;
      expect(Math.min(...all)).toBeGreaterThanOrEqual(full * 0.75);
      expect(Math.max(...all)).toBeLessThanOrEqual(full * 1.25);
      expect(new Set(all).size).toBeGreaterThan(100);
    });
  });

  it('a clock that went back does not prolong a pause [TASK-6]', () => {
    const story = submitted(task('a', { retry: twice }));
    fail(story, 'a');
    story.now -= 500;
    expect(story.pending().wakeAt).toBe(story.now);
    expect(story.tell({ type: 'tick' })).toHaveLength(1);
  });
});

describe('stop and resume', () => {
  it('a stopped run asks every attempt to end and ends the rest at once [RUN-4] [RUN-3]', () => {
    const story = submitted(task('a'), task('b'), task('c', { needs: [taskId('a')] }));
    launched(story, 'a');
    story.tell({ type: 'stopRun', by: 'ada' });
    expect(story.run.state).toBe('stopping');
    expect(outcomeOf(story, 'b')).toEqual({ kind: 'stopped' });
    expect(story.run.live.get(attempt('a'))?.stop).toMatchObject({ reason: 'stopped', detail: 'stopped by ada' });
    down(story, 'a', 143);
    saved(story, 'a');
    expect(story.run.outcome).toBe('stopped');
    expect(story.run.state).toBe('ended');
  });

  it('a resumed run opens what did not succeed with all its attempts and keeps what did [RUN-5]', () => {
    const story = submitted(task('a'), task('b'), task('c', { needs: [taskId('b')] }));
    succeed(story, 'a');
    fail(story, 'b');
    expect(story.run.outcome).toBe('partial');
    story.tell({ type: 'resumeRun', by: 'ada' });
    expect([...story.run.tasks.values()].map((each) => each.state)).toEqual(['ended', 'ready', 'blocked']);
    succeed(story, 'b', 2);
    succeed(story, 'c');
    expect(story.run.outcome).toBe('succeeded');
    expect(outcomeOf(story, 'a')).toMatchObject({ commit: 'c-a-1' });
  });

  it('an ended run is removed once, and then takes no order [WS-43]', () => {
    const story = submitted(task('a'));
    expect(story.ask({ type: 'removeRun', by: 'ada' })).toMatchObject({ refusal: { kind: 'notAllowed' } });
    fail(story, 'a');
    story.tell({ type: 'removeRun', by: 'ada' });
    const orders = [
      { type: 'removeRun', by: 'bob' },
      { type: 'resumeRun', by: 'bob' },
      { type: 'retryTask', taskId: taskId('a'), by: 'bob' },
      { type: 'send', recordId: 'record_1', taskId: taskId('a'), from: 'bob', text: 'Go on.' },
    ] as const;
    const seq = story.run.seq;
    for (const order of orders) {
      expect(story.ask(order), order.type).toMatchObject({ refusal: { reason: 'the run was removed by ada' } });
    }
    expect(story.run.seq).toBe(seq);
  });

  it('one task can be stopped alone; what needs it is skipped [TASK-8]', () => {
    const story = submitted(task('a'), task('b', { needs: [taskId('a')] }), task('c'));
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ada' });
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'stopped' });
    expect(outcomeOf(story, 'b')).toEqual({ kind: 'skipped', because: taskId('a') });
    expect(story.run.state).toBe('running');
  });

  it('orders that are not allowed are refused with a reason and change nothing [RUN-6]', () => {
    const story = submitted(task('a'));
    const refused = (command: Parameters<typeof story.ask>[0]) => {
      const seq = story.run.seq;
      const decision = story.ask(command);
      expect(story.run.seq).toBe(seq);
      return decision.kind === 'refused' ? decision.refusal.reason : 'decided';
    };
    expect(refused({ type: 'resumeRun', by: 'x' })).toMatch(/^the run has not ended: (attempt_\S+ works on|"\S+" is )/);
    expect(refused({ type: 'stopTask', taskId: taskId('x'), by: 'x' })).toMatch(/no task task_x/);
    expect(refused({ type: 'send', recordId: 'record_1', taskId: taskId('a'), from: 'x', text: 't' })).toMatch(
      /no agent at work/,
    );
    succeed(story, 'a');
    expect(refused({ type: 'stopRun', by: 'x' })).toBe('the run has already ended');
    expect(refused({ type: 'resumeRun', by: 'x' })).toBe('every task of the run has succeeded');
    expect(refused({ type: 'submit', run: spec, tasks: [task('z')] })).toMatch(/exists already/);
    expect(createStory().ask({ type: 'stopRun', by: 'x' })).toMatchObject({ refusal: { kind: 'unknown' } });
  });
});
