import { describe, expect, it } from 'vitest';
import type { RunView, TaskView } from '../../wire/views.ts';
import { createPaint } from './paint.ts';
import { type EndOptions, runEnd } from './run-end.ts';
import { textWidth } from './text-width.ts';

const usage = { costMicroUsd: 0, costAtLeastMicroUsd: 0, estimatedMicroUsd: 0 };
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
    asks: [],
    attempt,
    usage,
    outcome: { kind: 'succeeded', commit: 'c'.repeat(40) },
    ...said,
  }) as unknown as TaskView;
const plain: EndOptions = {
  changes: new Map(),
  name: 'r',
  columns: Number.POSITIVE_INFINITY,
  paint: createPaint(false),
  verbose: false,
};
const told = (tasks: readonly TaskView[], outcome = 'succeeded', more: object = {}): string[] => {
  const run = {
    id: 'run_1',
    outcome,
    tasks,
    usage,
    budget: [],
    branch: null,
    landing: null,
    overlaps: [],
    missing: null,
  };
  const { end = {}, ...of } = more as { end?: Partial<EndOptions> };
  return runEnd({ ...run, ...of } as unknown as RunView, { ...plain, ...end })
    .trimEnd()
    .split('\n');
};

describe('the end of a run', () => {
  const check = (name: string, passed = true) => ({ check: name, passed, log: 'a', printed: null, detail: 'exit 0' });
  const branch = { ref: 'refs/x', head: 'h', base: 'b' };

  it('is a table of its tasks and the next command, without ids and paths [CLI-20]', () => {
    const tasks = [
      task('fix-rounding', { attempt: { ...attempt, checks: [check('lint'), check('test'), check('write set')] } }),
      task('b', {}),
      task('c', { attempt: { ...attempt, ref: null, notes: ['of note'] } }),
      task('d', { attempt: null, outcome: { kind: 'omitted', because: null } }),
    ];
    const changes = new Map([
      ['task_fix-rounding', { files: 2, added: 12, deleted: 3 }],
      ['task_b', { files: 0, added: 0, deleted: 0 }],
    ]);
    expect(told(tasks, 'succeeded', { branch, end: { changes } })).toEqual([
      'succeeded: 3 of 3 tasks, 1 omitted, cost $0.00',
      'TASK          OUTCOME    CHANGE  FILES    CHECKS   COST',
      'fix-rounding  succeeded  +12 −3      2  2 passed  $0.00',
      'b             succeeded    none             none  $0.00',
      'c             succeeded                     none  $0.00',
      'd             omitted',
      'c: note: of note',
      'd: omitted: its condition is false',
      'look at it: signalbox review r',
      'land it:    signalbox land r',
    ]);
  });

  it('has refs, paths and ids for those who ask for them [CLI-20]', () => {
    const lines = told([task('a', {})], 'succeeded', { end: { verbose: true } });
    expect(lines).toEqual(
      expect.arrayContaining([
        'run run_1',
        'a task_a',
        `  refs/x/1 ${'c'.repeat(40)}`,
        '  in /g',
        '  workspace /w',
        '  signalbox logs task_a',
      ]),
    );
  });

  it('says why each task failed, and how to run it again [CHECK-10]', () => {
    const failure = { reason: 'check-failed', detail: 'npm test exited with 1' };
    const checks = [
      check('lint'),
      { check: 'write set', passed: false, log: null },
      { ...check('npm-test', false), printed: 'not ok 1\n  error: red', detail: 'exit 1: not ok 1' },
    ];
    const failed = task('a', { outcome: { kind: 'failed', failure }, attempt: { ...attempt, checks } });
    const changes = new Map([['task_a', { files: 1, added: 1, deleted: 0 }]]);
    expect(told([failed], 'failed', { end: { changes } })).toEqual([
      'failed: 0 of 1 tasks succeeded, cost $0.00',
      'TASK  OUTCOME  CHANGE  FILES           CHECKS   COST',
      'a     failed    +1 −0      1  npm-test failed  $0.00',
      'a: failed (check-failed): npm test exited with 1',
      '  | not ok 1',
      '  |   error: red',
      '  whole output: signalbox logs r --check npm-test',
      'look at it:     signalbox review r',
      'take it:        signalbox take r',
      'retry the rest: signalbox resume r',
    ]);
  });

  it('lists what is missing of a partial run, the first ones of many [CLI-14]', () => {
    const failed = { outcome: 'failed', reason: 'check-failed', detail: 'it is red', because: null };
    const skipped = { outcome: 'skipped', reason: null, detail: null, because: 'lint' };
    const names = Array.from({ length: 12 }, (_, n) => ({ id: `task_${n}`, name: `t${n}`, ...skipped }));
    const missing = { total: 30, tasks: [{ id: 'task_lint', name: 'lint', ...failed }, ...names] };
    const line = told([task('a', {})], 'partial', { missing }).find((each) => each.startsWith('missing'));
    expect(line).toMatch(
      /^missing: lint \(check-failed\), t0 \(skipped because of lint\), .*t8 \(skipped because of lint\) and 20 more$/,
    );
  });

  it.each([40, 80])('has a table of at most %i columns', (columns) => {
    const checks = [check('a-check-with-a-long-name', false), check('and-another-one', false)];
    const tasks = [
      task('a-task-with-a-very-long-name-as-people-give-them-日本語', { attempt: { ...attempt, checks } }),
    ];
    const changes = new Map([[tasks[0]?.id ?? '', { files: 1_234, added: 123_456, deleted: 123_456 }]]);
    const table = told(tasks, 'succeeded', { end: { columns, changes } }).slice(1, 3);
    for (const line of table) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('counts most of very many tasks together', () => {
    const lines = told(Array.from({ length: 100 }, (_, n) => task(`t${n}`, {})));
    expect(lines).toHaveLength(1 + 1 + 40 + 1);
    expect(lines.at(-1)).toBe('… and 60 succeeded');
  });
});
