// Which budgets are reported as exhausted: those that block a task, each with a key of its own.

import { expect, it } from 'vitest';
import { createStory, launch, launched, type Story, task, taskId } from '../../../test/model/story.ts';
import type { TaskSpec } from '../../model/core/spec.ts';
import { emptyHost, evolveHost } from '../../model/host/host.ts';
import type { Budget } from '../../model/spending/budget.ts';
import { noUsage, type Usage } from '../../model/spending/usage.ts';
import { localDay } from '../../std/clock.ts';
import { viewBudgets, viewDay, viewExhausted } from './budget-view.ts';

/** An empty host. */
const alone = { host: emptyHost(), runs: new Map() };

const usage: Usage = { ...noUsage(), costMicroUsd: 9, turns: 1 };

function storyWith(budget: Budget | null, ...tasks: TaskSpec[]): Story {
  const story = createStory();
  const limits = { parallelMax: 9, ...(budget === null ? {} : { budget }) };
  const run = { id: 'run_1', name: 'a run', repo: { path: '/repo', base: 'b0' }, limits, integrates: true } as const;
  story.tell({ type: 'submit', run, tasks });
  return story;
}

function spendWith(story: Story, name: string, told: Usage = usage): void {
  const facts = [{ kind: 'usage', model: 'm', usage: told } as const];
  story.tell({ type: 'output', launchId: launch(name), from: 0, to: 9, codec: '{}', replies: [], facts });
  story.tell({ type: 'tick' });
}

it('an exhausted budget of a run is shown with its figures, until more is set [BUD-16]', () => {
  const story = storyWith({ microUsd: 5 }, task('a'));
  launched(story, 'a');
  expect(viewExhausted(story.run, alone, story.now)).toEqual([]);
  spendWith(story, 'a');
  const [exhausted, ...more] = viewExhausted(story.run, alone, story.now);
  expect(more).toEqual([]);
  expect(exhausted).toEqual({
    of: 'run',
    taskId: null,
    task: null,
    askId: 'ask_1-r1',
    key: 'run_1 run 1000',
    what: 'microUsd',
    limit: 5,
    spent: 9,
    since: 1_000,
    words: 'the budget of the run is exhausted: $0.000009 of $0.000005',
  });
  expect(viewBudgets(story.run, story.now)).toMatchObject([{ of: 'run', exhausted: { key: 'run_1 run 1000' } }]);
  story.now = 2_000;
  story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { microUsd: 8 }, by: 'ann' });
  story.tell({ type: 'tick' });
  // A limit lower than what is spent: another exhaustion with another key.
  expect(viewExhausted(story.run, alone, story.now)).toMatchObject([{ key: 'run_1 run 2000', limit: 8 }]);
  story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { microUsd: 80 }, by: 'ann' });
  story.tell({ type: 'tick' });
  expect(viewExhausted(story.run, alone, story.now)).toEqual([]);
});

it('an exhausted budget of a task is shown with its name, until the task has ended [BUD-16]', () => {
  const story = storyWith(null, task('a', { budget: { turns: 1 } }), task('b'));
  launched(story, 'a');
  launched(story, 'b');
  spendWith(story, 'a');
  expect(viewExhausted(story.run, alone, story.now)).toMatchObject([
    { of: 'task', taskId: taskId('a'), task: 'a', what: 'turns', limit: 1 },
  ]);
  const a = story.run.tasks.get(taskId('a'));
  if (a !== undefined) a.state = 'ended';
  expect(viewExhausted(story.run, alone, story.now)).toEqual([]);
});

it('an exhausted day is shown for every run that waits for it, under one key [BUD-16]', () => {
  const now = new Date(2026, 10, 16, 12).getTime();
  const day = localDay(now).name;
  const host = emptyHost();
  const set = (microUsd: number) => evolveHost(host, { at: 1, type: 'day.budget', budget: { microUsd }, by: 'ann' });
  expect(viewDay({ host, runs: alone.runs }, now)).toEqual({
    of: 'day',
    taskId: null,
    task: null,
    limits: [],
    exhausted: null,
  });
  set(5);
  evolveHost(host, { at: 1, type: 'day.spent', day, parts: [{ model: 'm', usage }] });
  const story = storyWith(null, task('a'));
  expect(viewExhausted(story.run, { host, runs: alone.runs }, now)).toEqual([]);
  story.tell({ type: 'day', limited: true, exhausted: 'the day is over' });
  const [told] = viewExhausted(story.run, { host, runs: alone.runs }, now);
  expect(told).toMatchObject({ of: 'day', key: `day ${day} {"microUsd":5}`, what: 'microUsd', limit: 5 });
  set(90);
  evolveHost(host, { at: 1, type: 'day.spent', day, parts: [{ model: 'm', usage: { ...usage, costMicroUsd: null } }] });
  expect(viewDay({ host, runs: alone.runs }, now)).toMatchObject({
    limits: [{ what: 'microUsd', limit: 90, spent: 9, reserved: 0 }],
    exhausted: { what: 'unknown', limit: 90 },
  });
});
