import { describe, expect, it } from 'vitest';
import type { RunView, TaskView } from '../wire/views.ts';
import { summary } from './summary.ts';

const usage = { costMicroUsd: 0, costAtLeastMicroUsd: 0 };
const attempt = {
  ref: 'refs/x/1',
  commit: 'c'.repeat(40),
  base: 'b'.repeat(40),
  gitDir: '/g',
  workspace: '/w',
  url: null,
  notes: [],
};
const task = (name: string, said: object): TaskView =>
  ({
    id: `task_${name}`,
    name,
    kind: 'work',
    parent: null,
    attempt,
    outcome: { kind: 'succeeded', commit: 'c'.repeat(40) },
    ...said,
  }) as unknown as TaskView;
const told = (tasks: readonly TaskView[], outcome = 'succeeded'): string =>
  summary({ id: 'run_1', outcome, tasks, usage, branch: null } as unknown as RunView);

describe('the summary of a run', () => {
  it('says where work lies, and of what has none nothing but that', () => {
    const tasks = [
      task('a', {}),
      task('b', { attempt: { ...attempt, commit: attempt.base } }),
      task('c', { attempt: { ...attempt, ref: null, notes: ['of note'] } }),
      task('d', { attempt: null, outcome: { kind: 'omitted', because: null } }),
    ];
    expect(told(tasks).split('\n')).toEqual([
      'succeeded: 3 of 3 tasks, 1 omitted, cost $0.00',
      '  a: refs/x/1 (ccccccc) in /g',
      '    workspace /w; signalbox logs task_a',
      '  b: succeeded, and changed nothing; signalbox logs task_b',
      '  c: succeeded; signalbox logs task_c',
      '    note: of note',
      '  d: omitted: its condition does not hold',
      '',
    ]);
  });

  it('says why something failed: the rows that said it are gone', () => {
    const failure = { reason: 'check-failed', detail: 'npm test exited with 1' };
    expect(told([task('a', { outcome: { kind: 'failed', failure } })], 'failed').split('\n')).toEqual([
      'failed: 0 of 1 tasks, cost $0.00',
      '  a: failed (check-failed): npm test exited with 1',
      '    refs/x/1 (ccccccc) in /g',
      '    workspace /w; signalbox logs task_a',
      'try the rest again: signalbox resume run_1',
      '',
    ]);
  });
});
