import { expect, it } from 'vitest';
import { attemptId } from '../../model/core/ids.ts';
import { commitProblems, commitsIn } from './named-commits.ts';

const [known, unknown, none] = ['a', 'b', '0'].map((digit) => digit.repeat(40)) as [string, string, string];
const ports = {
  workspaces: { unknownCommits: async (_: string, ids: readonly string[]) => ids.filter((id) => id !== known) },
};
const problems = (kind: Parameters<typeof commitsIn>[0], value: unknown, harness = 'claude') =>
  commitProblems(ports, attemptId('task_1' as never, 1), { kind, value, harness }, new AbortController().signal);

it('a verdict that names no commit is reported in the words of a validator [EVID-7]', async () => {
  expect(await problems('verdict', { commit: known })).toEqual([]);
  expect(await problems('verdict', { commit: unknown })).toEqual([
    `/commit must name a commit of the repository: there is no commit "${unknown}"`,
  ]);
  expect(await problems('file-set', { base: known, commit: unknown })).toHaveLength(1);
});

it('every commit of a conflict is looked up, and an empty one is none [EVID-7]', async () => {
  const value = { head: unknown, sides: [{ commit: known }, { commit: '' }, { commit: unknown }] };
  expect((await problems('conflict', value)).map((problem) => problem.split(' ')[0])).toEqual([
    '/head',
    '/sides/2/commit',
  ]);
});

it('kinds that name no commit are not looked up, nor is the null id of a stub [EVID-7]', async () => {
  expect(commitsIn('report', { title: 'x', text: unknown })).toEqual([]);
  expect(await problems('verdict', { commit: none }, 'scripted')).toEqual([]);
  expect(await problems('verdict', { commit: none })).toHaveLength(1);
});
