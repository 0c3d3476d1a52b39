// Rules of landing: when a run's work goes into the branch that a person named, what may become of it, and what that makes
// of the run.

import { describe, expect, it } from 'vitest';
import type { RunSpec } from '../../src/model/core/spec.ts';
import { landingMovesMax, landingTriesMax } from '../../src/model/core/timing.ts';
import { decide } from '../../src/model/decide.ts';
import { sentBackNote } from '../../src/model/integrate/conflict.ts';
import type { LandingOutcome } from '../../src/model/land/landing.ts';
import { landingTrailers } from '../../src/model/land/landing-trailers.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { must } from '../../src/std/assert.ts';
import {
  attempt,
  createStory,
  down,
  fail,
  integrated as integratedOnBranch,
  launch,
  launched,
  type Story,
  saved,
  submitted,
  succeed,
  task,
  taskId,
  turned,
} from './story.ts';

const run: RunSpec = {
  id: 'run_1',
  name: 'a run',
  repo: { path: '/repo', base: 'b0' },
  limits: { parallelMax: 9 },
  integrates: true,
  into: 'main',
};

function into(...names: string[]): Story {
  const story = createStory();
  story.tell({ type: 'submit', run, tasks: names.map((name) => task(name)) });
  return story;
}

const landed = { kind: 'landed', branch: 'main', commit: 'c1', from: 'c0', items: [], checkedOut: false } as const;
const order = { type: 'land', by: 'ann', into: 'main', mayMoveCheckout: false, openPr: false } as const;

function ended(story: Story, outcome: LandingOutcome): void {
  story.tell({ type: 'landed', n: story.run.landing?.n ?? 0, result: { kind: 'ended', outcome } });
}

const due = (story: Story) => story.pending().effects.filter((effect) => effect.kind === 'land');

const refusalOf = (story: Story, command: Parameters<Story['ask']>[0]): string => {
  const decision = story.ask(command);
  return decision.kind === 'refused' ? decision.refusal.reason : 'decided';
};

describe('a run with a target branch', () => {
  it('lands when its last task has succeeded, and has succeeded when that has landed [LAND-1]', () => {
    const story = into('a', 'b');
    succeed(story, 'a');
    expect(due(story)).toEqual([]);
    succeed(story, 'b');
    expect([story.run.state, story.run.outcome]).toEqual(['landing', null]);
    expect(story.run.landing).toMatchObject({ n: 1, into: 'main', mayMoveCheckout: false, by: 'signalbox' });
    expect(due(story)).toEqual([{ kind: 'land', key: 'land run_1 1', runId: 'run_1', n: 1, wanted: true }]);
    ended(story, landed);
    expect([story.run.state, story.run.outcome, due(story)]).toEqual(['ended', 'succeeded', []]);
  });

  it('does not land if a task failed or nothing was integrated [LAND-1]', () => {
    const story = into('a', 'b');
    succeed(story, 'a');
    fail(story, 'b');
    expect([story.run.state, story.run.outcome, story.run.landing]).toEqual(['ended', 'partial', null]);
    const idle = createStory();
    idle.tell({ type: 'submit', run, tasks: [task('g', { kind: 'milestone' })] });
    idle.tell({ type: 'tick' });
    expect([idle.run.state, idle.run.outcome, idle.run.landing]).toEqual(['ended', 'succeeded', null]);
  });

  it.each<LandingOutcome>([
    { kind: 'conflict', branch: 'main', paths: ['a'], commit: 'c0' },
    { kind: 'failed', branch: 'main', items: [] },
    { kind: 'refused', why: 'no such branch' },
  ])('is partial if all its tasks succeeded and its landing did not: $kind [LAND-2, RUN-8, LAND-23]', (outcome) => {
    const story = into('a');
    succeed(story, 'a');
    ended(story, outcome);
    expect([story.run.state, story.run.outcome]).toEqual(['ended', 'partial']);
    expect(story.run.landing?.outcome).toEqual(outcome);
    // What did not succeed is done again: here that is the landing alone.
    story.tell({ type: 'resumeRun', by: 'ann' });
    expect([story.run.state, story.run.landing?.n, story.run.tasks.get(taskId('a'))?.state]).toEqual([
      'landing',
      2,
      'ended',
    ]);
    ended(story, landed);
    expect(story.run.outcome).toBe('succeeded');
    expect(refusalOf(story, { type: 'resumeRun', by: 'ann' })).toMatch(/has succeeded/);
  });
});

it('a run whose work waits for a checkout has succeeded, and resuming it lands it again [LAND-41]', () => {
  const story = into('a');
  succeed(story, 'a');
  ended(story, { kind: 'aside', branch: 'signalbox-run/a', commit: 'c1', why: 'main is checked out' });
  expect([story.run.state, story.run.outcome]).toEqual(['ended', 'succeeded']);
  story.tell({ type: 'resumeRun', by: 'ann' });
  expect([story.run.state, story.run.landing?.n]).toEqual(['landing', 2]);
  ended(story, landed);
  expect(story.run.outcome).toBe('succeeded');
  expect(refusalOf(story, { type: 'resumeRun', by: 'ann' })).toMatch(/has succeeded/);
});

describe('a person', () => {
  it('may land any ended run of which something was integrated [LAND-3]', () => {
    const story = submitted(task('a'), task('b'));
    expect(refusalOf(story, order)).toMatch(/has not ended/);
    succeed(story, 'a');
    fail(story, 'b');
    story.tell(order);
    expect([story.run.state, story.run.landing?.by]).toEqual(['landing', 'ann']);
    ended(story, landed);
    expect([story.run.state, story.run.outcome]).toEqual(['ended', 'partial']);
    const failed = submitted(task('a'));
    fail(failed, 'a');
    expect(refusalOf(failed, order)).toMatch(/no work of the run has been integrated/);
    const apart = createStory();
    apart.tell({ type: 'submit', run: { ...run, integrates: false }, tasks: [task('a', { kind: 'milestone' })] });
    apart.tell({ type: 'tick' });
    expect(refusalOf(apart, order)).toMatch(/stays apart/);
  });

  it('may land one task, with its needs and only those [LAND-44] [LAND-45]', () => {
    const story = submitted(task('a'), task('b'), task('c', { needs: [taskId('a')] }), task('d'));
    for (const name of ['a', 'b', 'c']) succeed(story, name);
    fail(story, 'd');
    expect(refusalOf(story, { ...order, task: taskId('d') })).toMatch(/has not succeeded/);
    expect(refusalOf(story, { ...order, task: 'task_x' })).toMatch(/no task task_x/);
    story.tell({ ...order, task: taskId('c') });
    expect(story.run.landing?.tasks).toEqual([taskId('a'), taskId('c')]);
    expect(story.tell({ ...order, task: taskId('c') })).toEqual([]);
    expect(refusalOf(story, order)).toMatch(/is being landed into main/);
    expect(readRun(writeRun(story.run)).landing).toEqual(story.run.landing);
    ended(story, landed);
    expect(story.run.outcome).toBe('partial');
  });

  it('changes nothing by asking the same during a landing, and is refused another [LAND-3]', () => {
    const story = into('a');
    succeed(story, 'a');
    expect(story.tell(order)).toEqual([]);
    expect(refusalOf(story, { ...order, into: 'next' })).toMatch(/is being landed into main/);
    expect(refusalOf(story, { type: 'retryTask', taskId: taskId('a'), by: 'x' })).toMatch(/has succeeded/);
    expect(refusalOf(story, { type: 'resumeRun', by: 'x' })).toMatch(/its work goes into main/);
  });

  it('gets what was asked for if it lands on a branch of its own by request [LAND-2]', () => {
    for (const ask of [{ into: null }, { openPr: true }]) {
      const story = submitted(task('a'));
      succeed(story, 'a');
      story.tell({ ...order, ...ask });
      ended(story, { kind: 'aside', branch: 'signalbox-run/a', commit: 'c1', why: 'asked' });
      expect(story.run.outcome).toBe('succeeded');
    }
  });
});

describe('a landing that conflicts with the branch', () => {
  const conflict = (...names: string[]): LandingOutcome => ({
    kind: 'conflict',
    branch: 'main',
    paths: ['a.txt'],
    pathsTotal: 1,
    commit: 'c0',
    start: 'm1',
    with: names.map((name) => attempt(name)),
  });

  it('goes back to the author, from where both are merged, and is landed again when that has succeeded [LAND-46]', () => {
    const story = createStory();
    const retry = { attemptsMax: 1, conflictsMax: 2, sendBacksMax: 2, delayMs: 0, delayMaxMs: 0 };
    story.tell({ type: 'submit', run, tasks: [task('a', { retry }), task('b')] });
    succeed(story, 'a');
    succeed(story, 'b');
    ended(story, conflict('a'));
    expect([story.run.state, story.run.outcome, due(story)]).toEqual(['running', null, []]);
    expect(story.run.landing?.outcome).toMatchObject({ kind: 'conflict', author: taskId('a') });
    story.tell({ type: 'tick' });
    const before = readRun(writeRun(story.run));
    expect(writeRun(before)).toBe(writeRun(story.run));
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    const again = must(story.run.live.get(attempt('a', 2)), 'it is at work');
    expect([again.origin.from, again.agentId]).toEqual(['m1', 'agent_a-1']);
    expect(sentBackNote(story.run, must(story.run.tasks.get(taskId('a')), 'there'))).toMatch(
      /on branch main meanwhile, in: a\.txt/,
    );
    story.tell({ type: 'prepared', attemptId: again.id, path: '/w', base: 'm1' });
    story.tell({ type: 'launched', launchId: launch('a', 2), process: null });
    turned(story, 'a', true, 2);
    down(story, 'a', 0, 2);
    saved(story, 'a', 2);
    integratedOnBranch(story, 'a', 2);
    expect([story.run.state, story.run.landing]).toMatchObject([
      'landing',
      { n: 2, into: 'main', rounds: 1, outcome: null },
    ]);
    ended(story, landed);
    expect([story.run.state, story.run.outcome]).toEqual(['ended', 'succeeded']);
  });

  it('is only reported if no agent can continue it, or only some tasks land [LAND-46]', () => {
    const unknown = into('a');
    succeed(unknown, 'a');
    ended(unknown, conflict());
    expect([unknown.run.state, unknown.run.outcome]).toEqual(['ended', 'partial']);
    const retry = { attemptsMax: 1, conflictsMax: 0, delayMs: 0, delayMaxMs: 0 };
    const never = submitted(task('a', { retry }));
    succeed(never, 'a');
    never.tell(order);
    ended(never, conflict('a'));
    expect(never.run.state).toBe('ended');
    const one = submitted(task('a'), task('b'));
    succeed(one, 'a');
    succeed(one, 'b');
    one.tell({ ...order, task: taskId('a') });
    ended(one, conflict('a'));
    expect(one.run.state).toBe('ended');
  });

  it('is broken off by a stop, and not landed again [LAND-46]', () => {
    const story = into('a');
    succeed(story, 'a');
    ended(story, conflict('a'));
    story.tell({ type: 'stopRun', by: 'ann' });
    expect([story.run.state, story.run.outcome, due(story)]).toEqual(['ended', 'stopped', []]);
  });
});

describe('a landing', () => {
  it('is reported once: late and double reports are dropped [LAND-4]', () => {
    const story = into('a');
    succeed(story, 'a');
    expect(refusalOf(story, { type: 'landed', n: 2, result: { kind: 'ended', outcome: landed } })).toMatch(/past/);
    ended(story, landed);
    expect(refusalOf(story, { type: 'landed', n: 1, result: { kind: 'ended', outcome: landed } })).toMatch(/past/);
    expect(refusalOf(story, { type: 'landingFailed', n: 1, code: 'x', message: 'y' })).toMatch(/past/);
  });

  it('is merged and tested again when others move the branch, and given up after too many times [LAND-5]', () => {
    const story = into('a');
    succeed(story, 'a');
    for (let i = 1; i < landingMovesMax; i++) {
      story.tell({ type: 'landed', n: 1, result: { kind: 'moved', from: `c${i}`, to: `c${i + 1}` } });
      expect(due(story)).toHaveLength(1);
    }
    story.tell({ type: 'landed', n: 1, result: { kind: 'moved', from: 'x', to: 'y' } });
    expect(story.run.landing?.outcome).toMatchObject({ kind: 'refused', why: /main was moved by others 10 times/ });
    expect([story.run.state, story.run.outcome]).toEqual(['ended', 'partial']);
  });

  it('is retried after a failure, later each time, and refused at the limit [LAND-6]', () => {
    const story = into('a');
    succeed(story, 'a');
    for (let i = 1; i < landingTriesMax; i++) {
      story.tell({ type: 'landingFailed', n: 1, code: 'disk_full', message: 'no space left' });
      expect(due(story)).toEqual([]);
      story.now = story.pending().wakeAt ?? 0;
      expect(due(story)).toHaveLength(1);
    }
    const failAgain = (): void => {
      story.tell({ type: 'landingFailed', n: 1, code: 'disk_full', message: 'no space left' });
      story.now = story.pending().wakeAt ?? 0;
    };
    failAgain();
    // One of those tries may have moved the branch.
    expect(due(story)).toMatchObject([{ wanted: false }]);
    const before = writeRun(story.run);
    ended(story, { kind: 'stopped' });
    expect(story.run.landing?.outcome).toEqual({ kind: 'refused', why: 'no space left' });
    const told = decide(
      readRun(before),
      { type: 'landed', n: 1, result: { kind: 'ended', outcome: landed } },
      story.now,
    );
    expect(told).toMatchObject({ events: [{ outcome: { kind: 'landed' } }, { outcome: 'succeeded' }] });
  });

  it('is refused if it cannot be found out whether it landed [LAND-6]', () => {
    const story = into('a');
    succeed(story, 'a');
    for (let i = 1; i <= 2 * landingTriesMax; i++) {
      expect(story.run.state).toBe('landing');
      story.tell({ type: 'landingFailed', n: 1, code: 'disk_full', message: 'no space left' });
    }
    expect(story.run.landing?.outcome).toMatchObject({ kind: 'refused', why: /could not be found out/ });
    expect(story.run.outcome).toBe('partial');
  });

  it('is broken off by a stop, and then checked whether it had landed [LAND-7]', () => {
    for (const outcome of [{ kind: 'stopped' } as const, landed]) {
      const story = into('a');
      succeed(story, 'a');
      story.tell({ type: 'stopRun', by: 'ann' });
      expect(story.run.state).toBe('stopping');
      expect(due(story)).toMatchObject([{ n: 1, wanted: false }]);
      ended(story, outcome);
      expect(story.run.outcome).toBe(outcome.kind === 'landed' ? 'succeeded' : 'stopped');
    }
  });

  it('does not start if the run was stopped before its last work was integrated [LAND-7]', () => {
    const story = into('a');
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    saved(story, 'a');
    story.tell({ type: 'stopRun', by: 'ann' });
    integratedOnBranch(story, 'a');
    expect([story.run.state, story.run.outcome, story.run.landing]).toEqual(['ended', 'stopped', null]);
    story.tell({ type: 'resumeRun', by: 'ann' });
    expect([story.run.state, story.run.landing?.into]).toEqual(['landing', 'main']);
  });
});

it('the merge commit of a landing names the run, the person who asked for it, and the journal event [PROV-9]', () => {
  const story = into('a');
  story.now = Date.UTC(2026, 1, 3);
  succeed(story, 'a');
  const landing = must(story.run.landing, 'it is asked for');
  const asked = story.events[landing.askedSeq - 1];
  expect(asked).toMatchObject({ type: 'landing.asked', n: 1 });
  const hash = 'ff';
  const trailers = landingTrailers(story.run, { ...landing, by: 'ann\nbob' }, { seq: landing.askedSeq, hash });
  expect(trailers.map(({ key, value }) => `${key}: ${value}`)).toEqual([
    'Signalbox-Run: run_1 a run',
    'Signalbox-Landing: 1 into main',
    'Signalbox-Asked-By: ann bob at 2026-02-03T00:00:00.000Z',
    `Signalbox-Journal: run_1@${landing.askedSeq} ff`,
  ]);
});
