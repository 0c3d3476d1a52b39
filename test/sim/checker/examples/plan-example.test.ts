// The checker's own proof on plans, outputs and the run's branch: what is right passes, and each way of spoiling it is seen.

import { expect, it } from 'vitest';
import { check } from '../checker.ts';
import { drop, find, move, patch, repeat, replaceText, type Spoilt } from './corrupt.ts';
import { commit, event, historyOf } from './example.ts';
import { planExample } from './plan-example.ts';

it('a plan that keeps every invariant passes', () => {
  expect(check(historyOf(planExample()))).toEqual([]);
});

const ended = (outcome: object): Record<string, unknown> => ({ outcome });

const branch: Spoilt[] = [
  ['a branch that never moved', 4, /the branch is at base/, (s) => drop(s, 'branchMoved', 'find-1')],
  [
    'work that is integrated before it may',
    4,
    /before it was durable/,
    (s) => move(s, ['branchMoved', 'find-1'], ['integration.queued', 'find-1']),
  ],
  [
    'two that integrate on the same head',
    4,
    /was moved from commit_find-1/,
    (s) => patch(s, 'branchMoved', 'each2-1', { from: 'commit_find-1' }),
  ],
  [
    'a step ahead of a step that is not durable',
    4,
    /is not durable/,
    (s) => move(s, ['branchMoved', 'each2-1'], ['integration.succeeded', 'each1-1']),
  ],
  [
    'other work than was saved',
    4,
    /not what attempt_find-1 saved/,
    (s) => replaceText(s, 'branchMoved', '"commit":"commit_find-1"', '"commit":"x"'),
  ],
  ['work that is integrated twice', 4, /twice/, (s) => repeat(s, 'branchMoved', 'find-1')],
  [
    'a head that nobody made',
    4,
    /is recorded as integrated at x/,
    (s) => patch(s, 'integration.succeeded', 'find-1', { head: 'x' }),
  ],
  [
    'work that is integrated without proof',
    4,
    /to be integrated without proof/,
    (s) =>
      replaceText(s, 'task.added', '"output":{"title":"found"}', '"output":{"title":"found"},"checks":[{"name":"t"}]'),
  ],
  ['success without integration', 4, /has not been integrated/, (s) => dropIntegration(s, 'find-1')],
  [
    'work that is integrated and is thrown away',
    4,
    /there is none to keep/,
    (s) => replaceText(s, 'task.added', '"output":{"title":"found"}', '"output":{"title":"found"},"keeps":false'),
  ],
  [
    'an integration where the branch is not',
    4,
    /was to be integrated where the branch is not/,
    (s) => {
      const failing = {
        attemptId: 'attempt_find-1',
        effect: 'integrate',
        code: 'git_failed',
        message: 'it is elsewhere',
      };
      s.splice(find(s, 'integration.succeeded', 'find-1').step, 0, commit(event('effect.failed', failing)));
    },
  ],
  ['a conflict that was never found', 3, /never tried/, (s) => drop(s, 'conflictFound', '')],
  [
    'a conflict that counts as success',
    3,
    /did not fit/,
    (s) => patch(s, 'attempt.ended', 'odd-1', { verdict: { kind: 'ok' } }),
  ],
  ['a conflict under another name', 3, /did not fit/, (s) => replaceText(s, 'attempt.ended', '"conflict"', '"crash"')],
  [
    'one too many tries after a conflict',
    7,
    /all it may have/,
    (s) => replaceText(s, 'task.added', '"conflictsMax":1', '"conflictsMax":0'),
  ],
  [
    'a workspace from an old head',
    4,
    /the branch was at commit_find-1 at its start/,
    (s) => patch(s, 'workspaceMade', 'each1-1', { base: 'base' }),
  ],
  [
    'a workspace without what it needs',
    7,
    /lacks the work of attempt_find-1, which it needs/,
    (s) => patch(s, 'workspaceMade', 'each1-1', { base: 'base' }),
  ],
  [
    'a workspace that is not from where it is said to be',
    2,
    /recorded as made from/,
    (s) => patch(s, 'workspace.ready', 'each1-1', { base: 'x' }),
  ],
  [
    'a branch that holds what failed',
    4,
    /did not succeed with it/,
    (s) => patch(s, 'task.ended', 'task_find', ended({ kind: 'stopped' })),
  ],
  [
    'saved work of what is thrown away',
    6,
    /which is thrown away/,
    (s) => patch(s, 'workspace.saved', 'look-1', { ref: 'refs/x' }),
  ],
];

/** It is ended as if its work were on the branch already. */
function dropIntegration(steps: Parameters<Spoilt[3]>[0], name: string): void {
  for (const type of ['integration.queued', 'integration.succeeded', 'branchMoved']) drop(steps, type, name);
}

const graph: Spoilt[] = [
  [
    'a start before its need has been integrated',
    7,
    /task_find, of which task_each1 needs the end, has not ended/,
    (s) => drop(s, 'task.ended', 'task_find'),
  ],
  [
    'a need that is tolerated and still at work',
    7,
    /of which task_each1 needs the end, has not ended/,
    (s) => drop(s, 'task.ended', 'task_find'),
  ],
  ['a condition that nobody looked at', 7, /before the condition/, (s) => drop(s, 'task.opened', 'task_look')],
  [
    'a condition that does not hold',
    7,
    /although its condition does not hold/,
    (s) => replaceText(s, 'task.added', '"value":1', '"value":3'),
  ],
  [
    'an omission although the condition holds',
    3,
    /omitted although its condition holds/,
    (s) => replaceText(s, 'task.added', '"value":2', '"value":1'),
  ],
  [
    'an omitted need that counts as failure',
    3,
    /is skipped because of task_no, which is no reason/,
    (s) => patch(s, 'task.ended', 'task_never', ended({ kind: 'skipped', because: 'task_no' })),
  ],
  [
    'an omission for the sake of a failure',
    3,
    /is omitted because of task_odd, which is no reason/,
    (s) => patch(s, 'task.ended', 'task_after', ended({ kind: 'omitted', because: 'task_odd' })),
  ],
  ['a task that waits for what failed', 8, /waits for task_odd/, (s) => drop(s, 'task.ended', 'task_after')],
  [
    'a skip of what tolerates the failure',
    3,
    /is skipped because of task_odd, which is no reason/,
    (s) => patch(s, 'task.ended', 'task_gate', ended({ kind: 'skipped', because: 'task_odd' })),
  ],
  ['a matrix that lacks a task', 2, /has 2 items and became 1/, (s) => drop(s, 'task.joined', 'each2')],
  ['a task for another item', 2, /not for item 2/, (s) => replaceText(s, 'task.joined', '"item":"b"', '"item":"c"')],
  [
    'two tasks of one name',
    2,
    /have the same name/,
    (s) => replaceText(s, 'task.joined', '"name":"each2"', '"name":"each1"'),
  ],
  ['a matrix over no list', 4, /no list/, (s) => replaceText(s, 'task.added', '"output","items"]', '"output","n"]')],
  [
    'a matrix that ends before its last task',
    3,
    /task_each is ended while task_each2/,
    (s) => move(s, ['task.ended', '"task_each"'], ['integration.succeeded', 'each2-1']),
  ],
  [
    'a matrix that does not end with its tasks',
    8,
    /all of task_each have ended/,
    (s) => drop(s, 'task.ended', '"task_each"'),
  ],
  [
    'a matrix that fails with tasks that succeeded',
    3,
    /its tasks make it succeeded/,
    (s) => patch(s, 'task.ended', '"task_each"', ended({ kind: 'failed', failure: { reason: 'crash' } })),
  ],
  [
    'a milestone that fails although it holds',
    3,
    /its condition says otherwise/,
    (s) => patch(s, 'task.ended', 'task_gate', ended({ kind: 'failed', failure: { reason: 'contract' } })),
  ],
  [
    'a milestone that holds before its needs have ended',
    3,
    /task_gate is decided although task_odd/,
    (s) => move(s, ['task.ended', 'task_gate'], ['task.ended', '"task_odd"']),
  ],
  [
    'somebody at work on a milestone',
    7,
    /is a milestone/,
    (s) => replaceText(s, 'task.added', '"keeps":false', '"kind":"milestone","keeps":false'),
  ],
  [
    'a failure that was to stop the run',
    8,
    /was to stop/,
    (s) => replaceText(s, 'task.added', '"conflictsMax":1', '"conflictsMax":1},"onFailure":"stop","x":{"y":1'),
  ],
  ['a wrong outcome of a plan', 3, /not partial/, (s) => patch(s, 'run.ended', '', { outcome: 'succeeded' })],
  ['more agents of a harness than allowed', 7, /which has 1/, (s) => replaceText(s, 'run.created', '"h":3', '"h":1')],
];

const outputs: Spoilt[] = [
  [
    'a malformed output that passes',
    4,
    /does not fit its schema/,
    (s) => patch(s, 'output.given', 'each1-1', { value: { text: 7 } }),
  ],
  [
    'a right output that does not pass',
    4,
    /fits and is recorded otherwise/,
    (s) => patch(s, 'output.given', 'each1-1', { value: null, problems: ['x'] }),
  ],
  [
    'another output than was given',
    1,
    /another output/,
    (s) => patch(s, 'output.given', 'each1-1', { value: { text: 'b' } }),
  ],
  ['an output that was forgotten', 1, /gave 1 outputs, recorded are 0/, (s) => drop(s, 'output.given', 'each1-1')],
  ['success without an output', 4, /its output is missing/, (s) => drop(s, 'output.given', 'each1-1')],
  [
    'a wrong output in the record',
    4,
    /which is in the record/,
    (s) => patch(s, 'output.given', 'find-1', { value: { n: 'one' } }),
  ],
  [
    'an output of a task that has none',
    2,
    /has none to give/,
    (s) => replaceText(s, 'task.added', '"items"]},"output":{"title":"note"}', '"items"]}'),
  ],
  [
    'a right output that is to be mended',
    3,
    /and that is right/,
    (s) => {
      const { step } = find(s, 'output.given', 'each1-1');
      const found = s[step];
      if (found !== undefined && 'commit' in found)
        found.commit.push(event('output.refused', { attemptId: 'attempt_each1-1' }));
    },
  ],
  [
    'an agent that is told too often',
    8,
    /for the 4th time/,
    (s) => {
      for (let i = 0; i < 3; i++) repeat(s, 'output.refused', 'find-1');
    },
  ],
  ['a prompt with another value', 5, /something else/, (s) => replaceText(s, 'received', 'look at ', 'look at [1,')],
  [
    'a second try that is not told of the first',
    5,
    /not told of earlier attempts/,
    (s) => replaceText(s, 'received', '## Earlier attempts', '## Earlier days'),
  ],
  [
    'a second try that is told of another end',
    5,
    /ended with conflict/,
    (s) => replaceText(s, 'received', 'ended with conflict', 'ended with crash'),
  ],
  [
    'a first try that is told of earlier ones',
    5,
    /is told of earlier attempts/,
    (s) => replaceText(s, 'received', 'do it', String.raw`do it\\n\\n## Earlier attempts`),
  ],
];

const artifacts: Spoilt[] = [
  ['an artifact that is nowhere', 2, /is not on disk/, (s) => drop(s, 'artifactStored', 'find-1')],
  [
    'an artifact that is named before it is there',
    2,
    /is not on disk/,
    (s) => move(s, ['artifact.stored', 'find-1'], ['artifactStored', 'find-1']),
  ],
  [
    'an artifact of another content',
    1,
    /is not what attempt_find-1 gave/,
    (s) => patch(s, 'artifactStored', 'find-1', { value: { n: 2 } }),
  ],
  ['an artifact of another kind', 2, /and is output/, (s) => patch(s, 'artifact.stored', 'find-1', { kind: 'report' })],
  [
    'an artifact of another task',
    2,
    /another maker/,
    (s) => patch(s, 'artifact.stored', 'find-1', { taskId: 'task_no' }),
  ],
  ['an artifact of other work', 2, /is stamped with x/, (s) => patch(s, 'artifact.stored', 'find-1', { commit: 'x' })],
  ['a result that is not kept', 6, /was not stored/, (s) => drop(s, 'artifact.stored', 'find-1')],
  [
    'an input that is not named',
    2,
    /is not stamped with artifact_of_find-1/,
    (s) => patch(s, 'artifact.stored', 'each1-1', { inputs: [] }),
  ],
  [
    'an input that was none',
    2,
    /was not given/,
    (s) => patch(s, 'artifact.stored', 'find-1', { inputs: ['artifact_of_each1-1'] }),
  ],
];

it.each([...branch, ...graph, ...outputs, ...artifacts])('%s is detected (%i)', (_name, invariant, told, spoil) => {
  const steps = structuredClone(planExample());
  spoil(steps);
  const found = check(historyOf(steps)).filter((violation) => violation.invariant === invariant);
  expect(found.map(({ what }) => what).filter((what) => told.test(what))).not.toEqual([]);
});
