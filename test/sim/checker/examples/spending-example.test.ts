// The checker's own proof on budgets, lines to a service and parking: what is right passes, and each way of spoiling it is
// seen.

import { expect, it } from 'vitest';
import { check } from '../checker.ts';
import { after, drop, find, patch, repeat, replaceText, type Spoilt } from './corrupt.ts';
import { commit, event, historyOf, world } from './example.ts';
import { spendingExample } from './spending-example.ts';

it('a history of budgets and refusals that keeps every invariant passes', () => {
  expect(check(historyOf(spendingExample()))).toEqual([]);
});

const use = { launchId: 'launch_a-1-1', input: 5, output: 7, read: 0, written: 0, costMicroUsd: 1_000 };

const budgets: Spoilt[] = [
  [
    'an agent that is let go on without a budget',
    7,
    /is let go on although turns of run is used up/,
    (s) => replaceText(s, 'record.queued', '"requestId":"r2","goOn":false', '"requestId":"r2","goOn":true'),
  ],
  [
    'an agent that is held for nothing',
    8,
    /nothing stands in its way/,
    (s) => replaceText(s, 'record.queued', '"requestId":"r1","goOn":true', '"requestId":"r1","goOn":false'),
  ],
  [
    'an agent that hears the contrary',
    7,
    /heard the contrary/,
    (s) => replaceText(s, 'received', '"response":{}', '"response":{"continue":false}'),
  ],
  [
    'two requests after a budget was used up',
    7,
    /asked the model 2 times after turns of run/,
    (s) => {
      after(s, ['ask.opened', ''], world('requested', use));
      after(s, ['ask.opened', ''], world('requested', use));
    },
  ],
  ['an agent under a budget that does not ask', 7, /does not ask before/, (s) => drop(s, 'received', 'initialize')],
  [
    'a question between two requests that nobody answers',
    8,
    /and waits, answered are/,
    (s) => drop(s, 'record.queued', '"r1"'),
  ],
  ['an attempt that goes on without a budget', 7, /begins although turns of run/, (s) => drop(s, 'budget.set', '')],
  ['a launch without a budget', 7, /is intended although turns of run/, (s) => drop(s, 'budget.set', '')],
  ['a budget that is told twice', 8, /is told twice/, (s) => repeat(s, 'ask.opened', '')],
  [
    'a budget that is told too early',
    3,
    /and is not/,
    (s) => patch(s, 'ask.opened', '', { scope: { of: 'task', taskId: 'task_a' } }),
  ],
  [
    'more set apart than there is',
    7,
    /8 of turns is set apart in run/,
    (s) => patch(s, 'attempt.started', 'b-1', { reserved: { turns: 8 } }),
  ],
  [
    'one more agent than there may be',
    7,
    /more than the 1 agents/,
    (s) => patch(s, 'budget.set', '', { budget: { turns: 9, agents: 1 } }),
  ],
  [
    'an order to set a budget that left no trace',
    8,
    /left no trace/,
    (s) => after(s, ['ordered', 'setBudget'], world('ordered', { order: 'setBudget', answer: 'accepted' })),
  ],
];

const books: Spoilt[] = [
  [
    'what a dead process used, forgotten',
    1,
    /is not in the books/,
    (s) => {
      const { step } = find(s, 'launch.lost', '');
      const found = s[step];
      if (found !== undefined && 'commit' in found) found.commit.splice(1, 2);
    },
  ],
  [
    'what a dead process used, counted twice',
    1,
    /more is recorded of it/,
    (s) => {
      const { step } = find(s, 'launch.lost', '');
      const found = s[step];
      if (found !== undefined && 'commit' in found)
        found.commit.splice(1, 0, ...structuredClone(found.commit.slice(1, 3)));
    },
  ],
  ['a request that nobody made', 1, /used 24 of tokens/, (s) => drop(s, 'requested', 'a-1-3')],
  ['a day that lacks what was spent', 1, /in the books of the day/, (s) => drop(s, 'day.spent', '"turns":2')],
  [
    'what was spent on another day',
    1,
    /is booked on/,
    (s) => patch(s, 'day.spent', '"turns":2', { day: '2001-01-01' }),
  ],
];

const parking: Spoilt[] = [
  ['a parked attempt with a slot', 7, /without freeing its slot/, (s) => drop(s, 'slot.freed', 'a-1')],
  ['a parked attempt with a process', 7, /leaves launch_a-1-1 alive/, (s) => drop(s, 'exited', 'a-1-1')],
  ['an attempt parked for nothing', 8, /is to pause, and nothing/, (s) => drop(s, 'attempt.braked', '')],
  ['a launch of a parked attempt', 7, /while attempt_a-1 is parked/, (s) => drop(s, 'attempt.unparked', '')],
  ['one that goes on without a slot', 7, /starts without taking a slot/, (s) => drop(s, 'slot.taken', 'a-1')],
  ['one that goes on without a process', 8, /no launch is intended/, (s) => drop(s, 'launch.intended', 'a-1-2')],
  ['one that is parked twice', 2, /is parked twice/, (s) => repeat(s, 'attempt.parked', 'budget')],
  [
    'parked time that counts',
    8,
    /for its time limit/,
    (s) =>
      after(s, ['ordered', 'setBudget'], commit(event('stop.asked', { attemptId: 'attempt_a-1', reason: 'timeout' }))),
  ],
];

const lines: Spoilt[] = [
  [
    'an attempt that begins on a closed line',
    7,
    /begins on h, which is closed until/,
    (s) => replaceText(s, 'line.set', '"until":', '"until":1'),
  ],
  ['a refusal that nobody heard of', 7, /and it is open/, (s) => drop(s, 'line.set', '"limit"')],
  ['a line that is closed for nothing', 3, /nobody was refused/, (s) => drop(s, 'attempt.limited', '')],
  ['a line that serves for nothing', 3, /nobody was served/, (s) => drop(s, 'attempt.served', '')],
  [
    'two that try at once',
    7,
    /which attempt_a-1 tries and nobody was served/,
    (s) => {
      drop(s, 'line.set', '"line":null');
      drop(s, 'attempt.served', '');
    },
  ],
  [
    'a wait that is shorter than the service said',
    7,
    /and the service said/,
    (s) => patch(s, 'attempt.limited', '', { untilMs: 99_999 }),
  ],
];

it.each([...budgets, ...books, ...parking, ...lines])('%s is detected (%i)', (_name, invariant, told, spoil) => {
  const steps = spendingExample();
  spoil(steps);
  const violations = check(historyOf(steps));
  expect(violations.filter((each) => each.invariant === invariant).map(({ what }) => what)).toEqual(
    expect.arrayContaining([expect.stringMatching(told)]),
  );
});

it('booked usage of the engine that does not add up is detected', () => {
  const none = {
    inputTokens: 0,
    outputTokens: 0,
    cacheWriteTokens: 0,
    costMicroUsd: 0,
    unknownCosts: 0,
    turns: 0,
    timeMs: 0,
  };
  const history = { ...historyOf(spendingExample()), books: new Map([['task task_a', none]]) };
  expect(check(history).map(({ what }) => what)).toEqual([expect.stringContaining('task task_a spent')]);
});
