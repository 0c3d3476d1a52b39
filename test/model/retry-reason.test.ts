// What follows each reason of a failed turn: it is waited out, tried again after a growing pause, or final at once.

import { describe, expect, it } from 'vitest';
import { type FailureReason, failureReasons } from '../../src/model/core/failure.ts';
import { attempt, down, launch, launched, outcomeOf, type Story, saved, submitted, task, taskId } from './story.ts';

const retry = { attemptsMax: 3, conflictsMax: 0, delayMs: 1_000, delayMaxMs: 60_000 };

/** A turn that failed for this reason, and all that the world then does. */
function failedFor(reason: FailureReason, more: Parameters<typeof task>[1] = {}): Story {
  const story = submitted(task('a', { retry, ...more }));
  failTurn(story, reason, 1);
  return story;
}

function failTurn(story: Story, reason: FailureReason, n: number): void {
  launched(story, 'a', n);
  const turn = { kind: 'failed', failure: { reason, detail: 'it says' } } as const;
  const facts = [{ kind: 'session', session: 's' } as const, { kind: 'turnEnded', turn } as const];
  story.tell({ type: 'output', launchId: launch('a', n), from: 0, to: 9, codec: '{}', facts, replies: [] });
  down(story, 'a', 0, n);
  if (story.run.live.get(attempt('a', n))?.state === 'saving') saved(story, 'a', n);
}

const state = (story: Story) => story.run.tasks.get(taskId('a'));

const waitedOut: readonly FailureReason[] = ['rate-limit', 'unavailable', 'quota'];
const final: readonly FailureReason[] = [
  'refusal',
  'auth',
  'billing',
  'max-turns',
  'budget',
  'output-limit',
  'unverified',
  'rejected',
  'contract',
  'stopped',
];
const again = failureReasons.filter((reason) => !waitedOut.includes(reason) && !final.includes(reason));

describe('a task whose agent failed', () => {
  it.each(waitedOut)('with %s waits with its session, and has used no attempt [RETRY-5]', (reason) => {
    const story = failedFor(reason);
    expect(story.run.parked.has(attempt('a'))).toBe(true);
    expect(state(story)).toMatchObject({ state: 'active', tries: { attempts: 1, tried: [] }, delay: null });
  });

  it.each(again)('with %s is retried after a pause [RETRY-7]', (reason) => {
    expect(state(failedFor(reason))).toMatchObject({ state: 'delayed', outcome: null });
  });

  it.each(final)('with %s is not retried: it would fail the same way [RETRY-5] [FAIL-2]', (reason) => {
    const story = failedFor(reason);
    const stopped = reason === 'stopped';
    expect(outcomeOf(story, 'a')).toMatchObject(
      stopped ? { kind: 'stopped' } : { kind: 'failed', failure: { reason } },
    );
    expect(state(story)?.tries.attempts).toBe(1);
  });

  it('waits twice as long each time, with a spread of a quarter, and fails at its limit [RETRY-7]', () => {
    const story = submitted(task('a', { retry }));
    const pauses: number[] = [];
    for (const n of [1, 2]) {
      failTurn(story, 'crash', n);
      pauses.push(state(story)?.delay?.ms ?? 0);
      story.now += 10_000;
      story.tell({ type: 'tick' });
    }
    expect(pauses[0]).toBeGreaterThanOrEqual(750);
    expect(pauses[0]).toBeLessThanOrEqual(1_250);
    expect(pauses[1]).toBeGreaterThanOrEqual(1_500);
    expect(pauses[1]).toBeLessThanOrEqual(2_500);
    failTurn(story, 'crash', 3);
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'crash' } });
  });

  it('with an exhausted quota that it is not to wait for fails at once [RETRY-7]', () => {
    const story = failedFor('quota', { onQuota: 'stop' });
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'quota' } });
  });
});
