// Stories about retries that go on with the session and the work of the attempt before.

import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../../src/model/core/failure.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import {
  attempt,
  conflicted,
  down,
  integrated,
  launch,
  launched,
  outcomeOf,
  type Story,
  saved,
  submitted,
  succeed,
  task,
  taskId,
  turned,
} from './story.ts';

const retry = { attemptsMax: 3, conflictsMax: 1, delayMs: 10, delayMaxMs: 10, how: 'continue' } as const;
const checks = [{ name: 'test', argv: ['true'], timeoutMs: 1 }];

/** One attempt, up to work that a check refuses. */
function refused(more: Partial<TaskSpec> = {}): Story {
  const story = submitted(task('a', { retry, checks, ...more }), task('other'));
  launched(story, 'a');
  turned(story, 'a');
  down(story, 'a', 0);
  saved(story, 'a');
  prove(story, 1, false);
  return story;
}

function prove(story: Story, n: number, passed: boolean): void {
  const items = [{ check: 'test', passed, detail: passed ? 'exit 0' : 'exit 1: it is red' }];
  story.tell({ type: 'proved', attemptId: attempt('a', n), items });
}

/** The next attempt is started; its workspace is not there yet. */
function begin(story: Story): void {
  story.now += 20;
  story.tell({ type: 'tick' });
  story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
}

function ready(story: Story, n = 2): void {
  const base = story.run.live.get(attempt('a', n))?.origin.from ?? '';
  story.tell({ type: 'prepared', attemptId: attempt('a', n), path: `/w${n}`, base });
}

const live = (story: Story, n = 2) => story.run.live.get(attempt('a', n));
const records = (story: Story) => story.run.agents.get('agent_a-1')?.mailbox.records ?? [];

/** The continued agent reads its records and ends its turn well. */
function goesOn(story: Story, n = 2): void {
  const launchId = launch('a', n);
  story.tell({ type: 'launched', launchId, process: null });
  const recordId = `record_a-${n}-1` as const;
  const turn = { kind: 'ok', text: 'mended', cut: false } as const;
  const facts = [{ kind: 'delivered', recordId } as const, { kind: 'turnEnded', turn } as const];
  story.tell({ type: 'output', launchId, from: 0, to: 9, codec: '{}', facts, replies: [] });
  story.tell({ type: 'down', launchId, status: 0, turn: null });
}

describe('an attempt that continues the one before', () => {
  it('has its agent, session and work, and is told why that failed [RETRY-2]', () => {
    const story = refused();
    begin(story);
    expect(live(story)).toMatchObject({
      agentId: 'agent_a-1',
      origin: { from: 'c-a-1', base: 'b0', formerPath: '/w' },
    });
    expect(records(story)).toMatchObject([{ id: 'record_a-2-1', state: 'queued', body: { kind: 'text' } }]);
    const [told] = records(story);
    const text = told?.body.kind === 'text' ? told.body.text : '';
    expect(text).toContain('It ended with check-failed: check "test": exit 1: it is red');
    ready(story);
    expect(live(story)).toMatchObject({
      state: 'launching',
      launches: { current: { id: launch('a', 2), resume: true } },
    });
    expect(story.run.agents.size).toBe(1);
  });

  it("is compared with the first one's base, and integrated with all their work [RETRY-3]", () => {
    const story = refused();
    begin(story);
    ready(story);
    goesOn(story);
    // It changed nothing more: its work is that of the attempt before.
    story.tell({ type: 'saved', attemptId: attempt('a', 2), ref: 'refs/y', commit: 'c-a-1' });
    prove(story, 2, true);
    expect(live(story)).toMatchObject({ state: 'integrating', origin: { base: 'b0' } });
    integrated(story, 'a', 2);
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'succeeded', commit: 'c-a-1' });
  });

  it('goes on from the newest work when it is continued itself, with the first base [RETRY-3]', () => {
    const story = refused();
    begin(story);
    ready(story);
    goesOn(story);
    saved(story, 'a', 2);
    prove(story, 2, false);
    begin(story);
    expect(live(story, 3)).toMatchObject({
      agentId: 'agent_a-1',
      origin: { since: 1, from: 'c-a-2', base: 'b0', formerPath: '/w2' },
    });
  });

  it('starts from its own work also when others were integrated meanwhile [RETRY-3]', () => {
    const story = refused();
    succeed(story, 'other');
    expect(story.run.integration.head).not.toBe('b0');
    begin(story);
    expect(live(story)).toMatchObject({ origin: { from: 'c-a-1', base: 'b0' } });
  });

  it('starts a new session in place if its session is gone, and finds its work [RETRY-2, LAU-10]', () => {
    const story = refused();
    begin(story);
    ready(story);
    story.tell({ type: 'found', launchId: launch('a', 2), recordIds: [], missing: true });
    expect(records(story)).toMatchObject([{ body: { kind: 'prompt', again: true } }]);
    const it = story.run.tasks.get(taskId('a'));
    if (it === undefined) throw new Error('it is there');
    it.tries.tried = it.tries.tried.map((each) => ({ ...each, changed: { paths: ['x'], total: 1 } }));
    expect(promptText(story.run, it, { again: true, inputs: '/i' })).toContain('It changed x.\nIts work is here.');
  });

  it('is retried as often as any other [RETRY-2]', () => {
    const story = refused({ retry: { ...retry, attemptsMax: 2 } });
    begin(story);
    ready(story);
    goesOn(story);
    saved(story, 'a', 2);
    prove(story, 2, false);
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'check-failed' } });
  });
});

describe('a retry starts fresh', () => {
  const startedAnew = (story: Story): void => {
    begin(story);
    expect(live(story)).toMatchObject({
      agentId: 'agent_a-2',
      origin: { from: story.run.integration.head, formerPath: null },
    });
    expect(story.run.agents.get('agent_a-2')?.mailbox.records).toMatchObject([{ body: { kind: 'prompt' } }]);
  };

  it('unless the task says otherwise [RETRY-6]', () => {
    const { how: _, ...fresh } = retry;
    startedAnew(refused({ retry: fresh }));
  });

  it('after a conflict with integrated work [RETRY-6]', () => {
    const story = submitted(task('a', { retry }));
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    saved(story, 'a');
    conflicted(story, 'a', ['x']);
    startedAnew(story);
  });

  it('when a person retries it, since its needs may have changed [RETRY-6]', () => {
    const story = refused({ retry: { ...retry, attemptsMax: 1 } });
    story.tell({ type: 'retryTask', taskId: taskId('a'), by: 'ann' });
    startedAnew(story);
  });

  it('without a session [RETRY-6]', () => {
    const story = submitted(task('a', { retry }));
    launched(story, 'a');
    down(story, 'a', 1);
    saved(story, 'a');
    startedAnew(story);
  });

  const failedFor = (reason: FailureReason, more: Partial<TaskSpec> = {}): Story => {
    const story = submitted(task('a', { retry, ...more }));
    launched(story, 'a');
    const turn = { kind: 'failed', failure: { reason, detail: '' } } as const;
    const facts = [{ kind: 'session', session: 's' } as const, { kind: 'turnEnded', turn } as const];
    story.tell({ type: 'output', launchId: launch('a'), from: 0, to: 9, codec: '{}', facts, replies: [] });
    down(story, 'a', 0);
    saved(story, 'a');
    return story;
  };

  it('after a full context, and not after a crash [RETRY-6]', () => {
    startedAnew(failedFor('context-overflow'));
    const story = failedFor('crash');
    begin(story);
    expect(live(story)?.agentId).toBe('agent_a-1');
  });

  it('if nothing of the work is kept [RETRY-6]', () => {
    startedAnew(failedFor('crash', { keeps: false }));
  });
});
