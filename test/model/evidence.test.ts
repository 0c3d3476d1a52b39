// Rules on evidence: what is recorded of finished work, what goes back to its author, and what is no success.

import { describe, expect, it } from 'vitest';
import type { EvidenceItem } from '../../src/model/core/events.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import {
  attempt,
  down,
  integrated,
  launch,
  launched,
  outcomeOf,
  type Story,
  saved,
  submitted,
  task,
  taskId,
  turned,
  worked,
} from './story.ts';

const check = { name: 'test', argv: ['npm', 'test'], timeoutMs: 1_000 };
const retry = { attemptsMax: 1, conflictsMax: 1, sendBacksMax: 2, delayMs: 1_000, delayMaxMs: 1_000 };
const passing: EvidenceItem = { check: 'test', passed: true, detail: 'exit 0' };
const failing: EvidenceItem = { check: 'test', passed: false, detail: 'exit 1: 2 tests failed' };

function looked(story: Story, n = 1, items: readonly EvidenceItem[] = [failing]): void {
  worked(story, 'a', n);
  story.tell({ type: 'proved', attemptId: attempt('a', n), items });
}

const given = (more: Partial<TaskSpec> = {}): Story => submitted(task('a', { retry, checks: [check], ...more }));
const state = (story: Story) => story.run.tasks.get(taskId('a'));
const evidence = (story: Story) => state(story)?.attempt?.result.evidence ?? [];

describe('evidence', () => {
  it('lists what was proved without running anything, beside the checks, in words [EVID-1]', () => {
    const story = given();
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    const uncommitted = 3;
    story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'c0ffee', uncommitted });
    story.tell({ type: 'proved', attemptId: attempt('a'), items: [passing] });
    expect(evidence(story).map(({ check: name, passed }) => [name, passed])).toEqual([
      ['committed work', true],
      ['background work', true],
      ['test', true],
    ]);
    expect(evidence(story)[0]?.detail).toBe('3 paths were not committed; Signalbox saved them in c0ffee');
    expect(outcomeOf(story, 'a')).toBeNull();
    integrated(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'succeeded' });
  });

  it('is journalled also if there is nothing to run [EVID-1]', () => {
    const story = submitted(task('a', { keeps: false }));
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    story.tell({ type: 'saved', attemptId: attempt('a'), ref: '', commit: 'b0' });
    expect(evidence(story).map(({ check: name }) => name)).toEqual(['background work']);
  });
});

describe('work that lacks evidence', () => {
  it('is sent back to its author at once, with its session and its work, and told what is missing [EVID-2]', () => {
    const story = given();
    looked(story);
    expect(state(story)).toMatchObject({ state: 'delayed', delay: { ms: 0 }, tries: { sentBack: 1 } });
    story.tell({ type: 'tick' });
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    const second = story.run.live.get(attempt('a', 2));
    expect(second).toMatchObject({ agentId: 'agent_a-1', origin: { from: 'c-a-1', base: 'b0' } });
    const [told] = story.run.agents.get('agent_a-1')?.mailbox.records ?? [];
    expect(JSON.stringify(told?.body)).toContain('check \\"test\\": exit 1: 2 tests failed');
  });

  it('is sent back a limited number of times, beyond the other attempts, then the task fails with it [EVID-2]', () => {
    const story = given();
    for (const n of [1, 2, 3]) {
      looked(story, n);
      if (n < 3) story.tell({ type: 'tick' });
    }
    expect(outcomeOf(story, 'a')).toMatchObject({
      kind: 'failed',
      failure: { reason: 'check-failed', detail: 'check "test": exit 1: 2 tests failed' },
    });
    story.tell({ type: 'retryTask', taskId: taskId('a'), by: 'ann' });
    expect(state(story)).toMatchObject({ state: 'ready', tries: { sentBack: 0, forgivenAt: story.now } });
  });

  /** As of an agent that has no session. */
  function forgotten(story: Story, n = 1): void {
    launched(story, 'a', n);
    const turn = { kind: 'ok', text: '', cut: false } as const;
    const facts = [{ kind: 'delivered', recordId: `record_a-${n}-1` } as const, { kind: 'turnEnded', turn } as const];
    const output = { type: 'output', launchId: launch('a', n), from: 0, to: 9, codec: '{}', replies: [] } as const;
    story.tell({ ...output, facts });
    down(story, 'a', 0, n);
    saved(story, 'a', n);
    story.tell({ type: 'proved', attemptId: attempt('a', n), items: [failing] });
  }

  it('is not sent back without a session [EVID-4]', () => {
    const story = given();
    forgotten(story);
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'check-failed' } });
  });

  it('uses up an attempt like other failures without a session [EVID-4]', () => {
    const story = given({ retry: { ...retry, attemptsMax: 2 } });
    forgotten(story, 1);
    story.now += 2_000;
    story.tell({ type: 'tick' });
    forgotten(story, 2);
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'check-failed' } });
  });

  it('is not sent back when a person has stopped it meanwhile [ATT-11]', () => {
    const story = given();
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    saved(story, 'a');
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    story.tell({ type: 'proved', attemptId: attempt('a'), items: [failing] });
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'stopped' });
  });

  it('takes no attempt away from other failures [EVID-2]', () => {
    const story = given({ retry: { ...retry, attemptsMax: 2, sendBacksMax: 1 } });
    looked(story);
    story.tell({ type: 'tick' });
    launched(story, 'a', 2);
    down(story, 'a', 1, 2);
    saved(story, 'a', 2);
    expect(state(story)?.state).toBe('delayed');
    expect(state(story)?.tries.lastFailure?.reason).toBe('crash');
  });
});

describe('work whose checks could not be run', () => {
  it('is unverified, which is no success and is not retried automatically [EVID-3]', () => {
    const story = given({ retry: { ...retry, attemptsMax: 3 } });
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    saved(story, 'a');
    for (let times = 0; times < 3; times++) {
      const failed = { type: 'effectFailed', effect: 'prove', code: 'disk_full', message: 'no space left' } as const;
      story.tell({ ...failed, attemptId: attempt('a') });
    }
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'unverified' } });
    expect(state(story)?.tries.tried[0]?.commit).toBe('c-a-1');
  });
});
