// The figures of budgets, on small runs.

import { expect, it } from 'vitest';
import { attempt, createStory, launch, launched, task, taskId } from '../../../test/model/story.ts';
import { budgetAt, budgetOfRun, budgetsOfTask } from './budget-state.ts';
import type { Usage } from './usage.ts';

const usage = (costMicroUsd: number): Usage => ({
  inputTokens: 100,
  outputTokens: 10,
  cacheReadTokens: 5_000,
  cacheWriteTokens: 7,
  costMicroUsd,
  turns: 1,
});

function twoTasks() {
  const story = createStory();
  const limits = { parallelMax: 9, budget: { microUsd: 100, tokens: 1_000 } };
  const run = { id: 'run_1', name: 'a run', repo: { path: '/repo', base: 'b0' }, limits, integrates: true } as const;
  story.tell({ type: 'submit', run, tasks: [task('a', { budget: { microUsd: 40, agents: 3 } }), task('b')] });
  story.tell({ type: 'start', taskId: taskId('a'), host: 'h', reserved: { microUsd: 40 } });
  story.tell({ type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b0' });
  story.tell({ type: 'launched', launchId: launch('a'), process: null });
  launched(story, 'b');
  return story;
}

const read = (name: string) => ({ launchId: launch(name), codec: '{}', replies: [] });

it('a limit shows what is spent, turns in progress included, and what is reserved [BUD-16]', () => {
  const story = twoTasks();
  const metered = { kind: 'metered', parts: [{ model: 'm', usage: usage(10) }] } as const;
  story.tell({ type: 'output', ...read('a'), from: 0, to: 9, facts: [metered] });
  story.tell({ type: 'output', ...read('b'), from: 0, to: 9, facts: [{ kind: 'usage', model: 'm', usage: usage(5) }] });
  const { run, now } = story;
  expect(budgetOfRun(run, now)).toEqual({
    scope: { of: 'run' },
    limits: [
      { what: 'tokens', limit: 1_000, spent: 234, reserved: 0 },
      { what: 'microUsd', limit: 100, spent: 15, reserved: 30 },
    ],
  });
  const a = run.tasks.get(taskId('a'));
  expect(a && budgetsOfTask(run, a, now)).toEqual([
    {
      scope: { of: 'task', taskId: taskId('a') },
      limits: [
        { what: 'microUsd', limit: 40, spent: 10, reserved: 0 },
        { what: 'agents', limit: 3, spent: 1, reserved: 0 },
      ],
    },
  ]);
  const b = run.tasks.get(taskId('b'));
  expect(b && budgetsOfTask(run, b, now)).toEqual([]);
  expect([
    budgetAt(run, { of: 'task', taskId: taskId('b') }),
    budgetAt(run, { of: 'tree', taskId: 'task_no' }),
  ]).toEqual([{}, null]);
});
