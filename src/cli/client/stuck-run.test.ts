import { expect, it } from 'vitest';
import type { RunEvent } from '../../wire/event-names.ts';
import type { RunView } from '../../wire/views.ts';
import { createTightness, stuckOn } from './stuck-run.ts';

const event = (type: string, more: object = {}) => ({ type, ...more }) as unknown as RunEvent;
const task = (state: string, short: boolean, kind = 'work') => ({
  kind,
  state,
  outOfBudget: short,
  asks: [],
  rests: false,
});
const exhausted = {
  of: 'run',
  taskId: null,
  task: null,
  key: 'k',
  what: 'microUsd',
  limit: 5_000_000,
  since: 0,
  words: 'it is exhausted',
};
const run = (...tasks: object[]) => ({ id: 'run_1', tasks, asks: [{ budget: exhausted }] }) as unknown as RunView;

it('a run is out of budget when everything in it waits for one, and the command that raises it is shown [BUD-19]', () => {
  const words = 'The run waits for a higher budget.\nit is exhausted\n  raise it: signalbox budget run_1 --usd 10';
  const short = [task('ready', true), task('active', true), task('ended', false), task('blocked', false)];
  expect(stuckOn(run(...short, task('active', false, 'matrix')))).toEqual({ exit: 4, words });
  expect(stuckOn(run(...short, task('active', false)))).toBeNull();
  expect(stuckOn(run(...short, task('delayed', false)))).toBeNull();
  expect(stuckOn(run(task('blocked', false)))).toBeNull();
  // There may also be a budget to raise: both are in the inbox.
  const asking = { ...task('active', false), asks: [{ state: 'open' }] };
  expect(stuckOn(run(...short, asking))?.exit).toBe(3);
});

it('a run waits for people when all its agents wait for one that asks a person, and not while any agent works [CHILD-87]', () => {
  const lead = { ...task('active', false), rests: true };
  const asks = { ...task('active', false), asks: [{ state: 'open' }] };
  expect(stuckOn(run(lead, asks))?.exit).toBe(3);
  expect(stuckOn(run(lead, asks, task('active', false)))).toBeNull();
  expect(stuckOn(run(lead))).toBeNull();
});

it('out-of-budget is checked only when a task stops while a budget is exhausted [BUD-19]', () => {
  const isTight = createTightness();
  expect(isTight(event('task.ended'))).toBe(false);
  expect(isTight(event('ask.opened', { kind: 'budget', askId: 'ask_1' }))).toBe(true);
  expect(['attempt.parked', 'task.ended', 'usage.recorded'].map((type) => isTight(event(type)))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isTight(event('ask.answered', { askId: 'ask_1' }))).toBe(false);
  expect(isTight(event('attempt.parked'))).toBe(false);
  expect(isTight(event('budget.day', { exhausted: 'the day' }))).toBe(true);
  expect(isTight(event('attempt.parked'))).toBe(true);
  expect(isTight(event('budget.day', { exhausted: null }))).toBe(false);
  expect(isTight(event('attempt.parked'))).toBe(false);
});
