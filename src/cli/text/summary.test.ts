import { describe, expect, it } from 'vitest';
import type { RunView, TaskView } from '../../wire/views.ts';
import { exits } from '../client/context.ts';
import { exitFor, summary } from './summary.ts';

const usage = { costMicroUsd: 0, costAtLeastMicroUsd: 0 };
const attempt = {
  ref: 'refs/x/1',
  commit: 'c'.repeat(40),
  base: 'b'.repeat(40),
  gitDir: '/g',
  workspace: '/w',
  url: null,
  notes: [],
  checks: null,
  branchChecks: null,
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
  summary({ id: 'run_1', outcome, tasks, usage, budget: [], branch: null, landing: null } as unknown as RunView);

describe('the summary of a run', () => {
  it("says where each task's work is, or that there is none", () => {
    const tasks = [
      task('a', {}),
      task('b', { attempt: { ...attempt, commit: attempt.base } }),
      task('c', { attempt: { ...attempt, ref: null, notes: ['of note'] } }),
      task('d', { attempt: null, outcome: { kind: 'omitted', because: null } }),
    ];
    expect(told(tasks).split('\n')).toEqual([
      'succeeded: 3 of 3 tasks, 1 omitted, cost $0.00',
      '  a: succeeded ccccccc',
      '    refs/x/1',
      '    in /g',
      '    workspace /w',
      '    signalbox logs task_a',
      '  b: succeeded without changes',
      '    signalbox logs task_b',
      '  c: succeeded',
      '    signalbox logs task_c',
      '    note: of note',
      '  d: omitted: its condition is false',
      '',
    ]);
  });

  it('says why each task failed [CHECK-10]', () => {
    const failure = { reason: 'check-failed', detail: 'npm test exited with 1' };
    const checks = [
      { check: 'lint', passed: true, log: 'a', printed: null, detail: 'exit 0' },
      { check: 'write set', passed: false, log: null },
      { check: 'npm-test', passed: false, log: 'b', printed: 'not ok 1\n  error: red', detail: 'exit 1: not ok 1' },
    ];
    const failed = task('a', { outcome: { kind: 'failed', failure }, attempt: { ...attempt, checks } });
    expect(told([failed], 'failed').split('\n')).toEqual([
      'failed: 0 of 1 tasks succeeded, cost $0.00',
      '  a: failed (check-failed): npm test exited with 1',
      '    refs/x/1',
      '    in /g',
      '    workspace /w',
      '    signalbox logs task_a',
      '    | not ok 1',
      '    |   error: red',
      '    signalbox logs task_a --check npm-test',
      'retry the rest: signalbox resume run_1',
      '',
    ]);
  });

  it('lists what is missing of a partial run, the first ones of many [CLI-14]', () => {
    const failed = { outcome: 'failed', reason: 'check-failed', detail: 'it is red', because: null };
    const skipped = { outcome: 'skipped', reason: null, detail: null, because: 'lint' };
    const names = Array.from({ length: 12 }, (_, n) => ({ id: `task_${n}`, name: `t${n}`, ...skipped }));
    const missing = { total: 30, tasks: [{ id: 'task_lint', name: 'lint', ...failed }, ...names] };
    const run = {
      id: 'run_1',
      outcome: 'partial',
      tasks: [task('a', {})],
      usage,
      budget: [],
      branch: null,
      landing: null,
      missing,
    };
    const line = summary(run as unknown as RunView)
      .split('\n')
      .find((each) => each.startsWith('missing'));
    expect(line).toMatch(
      /^missing: lint \(check-failed\), t0 \(skipped because of lint\), .*t8 \(skipped because of lint\) and 20 more$/,
    );
  });
});

describe('the exit code of a run', () => {
  const because = (reason: string) => ({ outcome: { kind: 'failed', failure: { reason, detail: '' } } });

  it('tells partial from failed, and puts an exhausted budget first [CLI-6]', () => {
    const tasks = [task('a', {}), task('b', because('check-failed'))];
    expect(exitFor({ outcome: 'succeeded', landing: null, tasks: [task('a', {})] })).toBe(exits.ok);
    const landing = { n: 1, into: 'main', openPr: false, by: 'ann', askedAt: 0, moves: 0, trouble: null };
    const aside = { kind: 'aside', branch: 'signalbox-run/a', commit: 'c', why: 'main is checked out' } as const;
    const waits = { ...landing, outcome: aside, asAsked: false };
    expect(exitFor({ outcome: 'succeeded', landing: waits, tasks: [task('a', {})] })).toBe(exits.person);
    expect(exitFor({ outcome: 'partial', landing: null, tasks })).toBe(exits.partial);
    expect(exitFor({ outcome: 'failed', landing: null, tasks: tasks.slice(1) })).toBe(exits.failed);
    expect(exitFor({ outcome: 'stopped', landing: null, tasks })).toBe(exits.failed);
    expect(exitFor({ outcome: 'partial', landing: null, tasks: [...tasks, task('c', because('budget'))] })).toBe(
      exits.budget,
    );
  });
});
