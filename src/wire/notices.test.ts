import { describe, expect, it } from 'vitest';
import type { RunEvent } from './event-names.ts';
import { mayCallPeople, noticesOf } from './notices.ts';
import type { RunView } from './views.ts';

const task = (more: object) => ({ id: 'task_1', name: 'tidy', endedAt: 8, asks: [], outcome: null, ...more });
const run = (more: object, tasks: object[]): RunView =>
  ({
    id: 'run_1',
    name: 'docs',
    createdAt: 0,
    endedAt: null,
    outcome: null,
    reached: [],
    asks: [],
    tasks,
    ...more,
  }) as unknown as RunView;
const plain = { state: 'open', permission: null, budget: null };
const failed = { kind: 'failed', failure: { reason: 'crash', detail: 'it\u001b[2J died' } };

describe('a notice', () => {
  it('is raised for a question, a failure and the end of a run, each with its own key [NOTE-1]', () => {
    const permission = { tool: 'Bash', input: { command: 'rm x' } };
    const asks = [{ ...plain, id: 'ask_1', kind: 'permission', permission }];
    const ended = { endedAt: 9, outcome: 'partial' };
    const view = run(ended, [task({ asks }), task({ outcome: failed }), task({ outcome: { kind: 'stopped' } })]);
    expect(noticesOf(view, 0).map(({ key, words }) => [key, words])).toEqual([
      ['asks ask_1', 'asks whether it may use Bash: {"command":"rm x"}'],
      ['failed task_1 8', 'failed (crash): it<U+001B>[2J died'],
      ['ended run_1 9', 'partial: 0 of 3 tasks succeeded'],
    ]);
  });

  it('is raised for an exhausted budget, once until it is exhausted again [NOTE-1] [BUD-28]', () => {
    const budget = { key: 'run_1 run 5', words: 'the budget of the run is exhausted: $5.10 of $5.00' };
    expect(noticesOf(run({ asks: [{ ...plain, kind: 'budget', budget }] }, []), 0)).toMatchObject([
      {
        key: 'budget run_1 run 5',
        kind: 'budget',
        task: null,
        words: 'the budget of the run is exhausted: $5.10 of $5.00',
      },
    ]);
  });

  it('is raised for a reached limit once per run, and not for the end of a child [CHILD-84]', () => {
    const reached = [{ key: 'run_1 agentsMax', taskId: 'task_1', task: 'tidy', words: 'came up to a limit' }];
    const asker = task({ kind: 'work' });
    const view = run({ reached }, [asker, task({ id: 'task_2', parent: 'task_1', outcome: failed })]);
    expect(noticesOf(view, 0)).toMatchObject([
      { key: 'limit run_1 agentsMax', kind: 'limit', task: 'tidy', words: 'came up to a limit' },
    ]);
    expect(mayCallPeople({ type: 'limit.reached' } as RunEvent)).toBe(true);
    const ask = { ...plain, id: 'ask_1-q1', kind: 'question', message: 'Which?' };
    expect(noticesOf(run({}, [task({ asks: [ask] })]), 0)[0]?.words).toBe('its agent asks you: Which?');
  });

  it('is raised for messages to another run that wait for consent, until there is an answer [ACROSS-8]', () => {
    const about = { taskId: 'task_1', task: 'tidy', message: 'wants to write' };
    const consent = { ...plain, ...about, id: 'ask_1-c1', kind: 'consent' };
    expect(noticesOf(run({ asks: [consent] }, []), 0)).toMatchObject([
      { key: 'asks ask_1-c1', kind: 'asks', taskId: 'task_1', task: 'tidy', words: 'asks you: wants to write' },
    ]);
    expect(noticesOf(run({ asks: [{ ...consent, state: 'approved' }] }, []), 0)).toEqual([]);
  });

  it('is not raised for normal progress, and is new when it happens again [NOTE-1]', () => {
    expect(noticesOf(run({}, [task({})]), 0)).toEqual([]);
    const keys = [1, 2].map((endedAt) => noticesOf(run({}, [task({ endedAt, outcome: failed })]), 0)[0]?.key);
    expect(new Set(keys).size).toBe(2);
  });
});

it('is not raised, and no run is looked at, when one of many tasks succeeds [NOTE-1]', () => {
  const ended = (outcome: object) => ({ type: 'task.ended', taskId: 'task_1', at: 0, outcome }) as unknown as RunEvent;
  expect(mayCallPeople(ended({ kind: 'succeeded', commit: '' }))).toBe(false);
  expect(mayCallPeople(ended(failed))).toBe(true);
  expect(mayCallPeople({ type: 'ask.opened' } as RunEvent)).toBe(true);
  expect(mayCallPeople({ type: 'run.ended' } as RunEvent)).toBe(true);
  expect(mayCallPeople({ type: 'budget.day', exhausted: null } as RunEvent)).toBe(false);
});
