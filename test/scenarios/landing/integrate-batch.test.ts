// Many works at once: tested together, integrated in one step, and where that does not pass each of them gets its due.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { commitFiles, run } from '../git/git-repositories.ts';
import { attemptOf, check, type IntegrateWorld, integratedAt, openIntegrateWorld } from './integrate-world.ts';

let world: IntegrateWorld;
beforeEach(async () => {
  world = await openIntegrateWorld({ 'a.txt': 'one\n', 'dir/b.txt': 'two\n' });
});
afterEach(() => world.ground.remove());

async function work(files: Record<string, string>, from = world.start): Promise<string> {
  run(world.checkout, 'checkout', '-q', '--detach', from);
  await commitFiles(world.checkout, files, 'work');
  return world.bring();
}

/** Each makes a file of its own, named by it. */
const files = (...names: string[]) => inTurn(names, (name) => work({ [name]: `${name}\n` }));

async function inTurn<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

const works = (commits: readonly string[]) => commits.map((commit) => ({ commit }));
const there = (commit: string) => run(world.bare, 'ls-tree', '-r', '--name-only', commit).split('\n');
const chain = (commit: string) =>
  run(world.bare, 'log', '--first-parent', '--reverse', '--format=%H %P', commit).split('\n');

it('passing works are tested once, on exactly the tree that the branch then has, and integrated in one step [INT-12]', async () => {
  const commits = await files('p', 'q', 'r');
  let before: string | null = '';
  world.holds = () => {
    before = world.branch();
    return true;
  };
  const results = await world.integrateAll({ head: world.start, works: works(commits), checks: [check('build')] });
  const [one, two, three] = results.map(integratedAt);
  expect(before).toBeNull();
  expect(world.branch()).toBe(three);
  expect(world.tested).toEqual([{ commit: three, checks: ['build'] }]);
  expect(chain(three ?? '').slice(1)).toEqual([
    `${one} ${world.start} ${commits[0]}`,
    `${two} ${one} ${commits[1]}`,
    `${three} ${two} ${commits[2]}`,
  ]);
  const items = [{ check: 'build', passed: true, detail: 'exit 0' }];
  expect(results).toMatchObject([one, two, three].map((commit, n) => ({ attemptId: attemptOf(n), commit, items })));
  expect(there(three ?? '')).toEqual(['a.txt', 'dir/b.txt', 'p', 'q', 'r']);
});

it('a failing work is found and left out, and those behind it are integrated on what is in front [INT-12] [INT-21]', async () => {
  const commits = await files('p', 'q', 'bad', 'r', 's');
  world.holds = (_, commit) => !there(commit).includes('bad');
  const results = await world.integrateAll({ head: world.start, works: works(commits), checks: [check('build')] });
  expect(results.map(({ kind }) => kind)).toEqual(['integrated', 'integrated', 'failed', 'integrated', 'integrated']);
  const items = [{ check: 'build', passed: false, detail: 'exit 1' }];
  expect(results[2]).toEqual({ attemptId: attemptOf(2), kind: 'failed', items, with: null });
  expect(there(world.branch() ?? '')).toEqual(['a.txt', 'dir/b.txt', 'p', 'q', 'r', 's']);
  expect(world.branch()).toBe(integratedAt(results[4]));
  expect(world.tested.map(({ commit }) => commit)).toContain(world.branch());
});

it('of two works that only fail together the first is integrated, and the second is reported with its partner [INT-14]', async () => {
  const commits = await files('p', 'left', 'q', 'right', 'r');
  world.holds = (_, commit) => !['left', 'right'].every((name) => there(commit).includes(name));
  const order = { head: world.start, works: works(commits), checks: [check('build')] };
  const results = await world.integrateAll(order);
  expect(results.map(({ kind }) => kind)).toEqual(['integrated', 'integrated', 'integrated', 'failed', 'integrated']);
  expect(results[3]).toMatchObject({ kind: 'failed', with: attemptOf(1) });
  // With its partner in the batch, and with one that was integrated long before.
  const head = world.branch() ?? '';
  const again = await world.integrateAll({
    ...order,
    head,
    works: [{ commit: commits[3] ?? '', attemptId: attemptOf(9) }],
  });
  expect(again).toMatchObject([{ attemptId: attemptOf(9), kind: 'failed', with: attemptOf(1) }]);
  expect(world.branch()).toBe(head);
});

it('a check applies from the work on that it came with, and a later failure of it is reported [INT-7] [INT-14]', async () => {
  const [p = '', other = '', breaks = ''] = await files('p', 'other', 'breaks');
  world.holds = (name, commit) => {
    const names = there(commit);
    return name !== 'has p' || (names.includes('p') && !names.includes('breaks'));
  };
  const results = await world.integrateAll({
    head: world.start,
    works: [{ commit: other }, { commit: p, checks: [check('has p')] }, { commit: breaks }],
    checks: [check('build'), check('build')],
  });
  expect(results.map(({ kind }) => kind)).toEqual(['integrated', 'integrated', 'failed']);
  expect(results[2]).toMatchObject({
    with: attemptOf(1),
    items: [
      { check: 'build', passed: true },
      { check: 'has p', passed: false },
    ],
  });
  expect(there(world.branch() ?? '')).toEqual(['a.txt', 'dir/b.txt', 'other', 'p']);
});

it('work that conflicts with a failing one is integrated without it, and work that conflicts with an integrated one is reported [INT-20]', async () => {
  const [bad = '', fits = '', conflict = ''] = await inTurn(['bad\n', 'fits\n', 'conflict\n'], (text) =>
    work({ 'a.txt': text }),
  );
  world.holds = (_, commit) => run(world.bare, 'show', `${commit}:a.txt`) !== 'bad';
  const results = await world.integrateAll({
    head: world.start,
    works: works([bad, fits, conflict]),
    checks: [check('build')],
  });
  expect(results).toMatchObject([
    { kind: 'failed', with: null },
    { kind: 'integrated' },
    { kind: 'conflict', paths: ['a.txt'], with: [attemptOf(1)] },
  ]);
});

it('withdrawn work is left out, unless it has been integrated already [INT-8]', async () => {
  const commits = await files('p', 'q', 'r');
  const order = (wanted: readonly boolean[]) => ({
    head: world.start,
    works: commits.map((commit, n) => ({ commit, wanted: wanted[n] ?? true })),
  });
  const results = await world.integrateAll(order([true, false, true]));
  expect(results.map(({ kind }) => kind)).toEqual(['integrated', 'withdrawn', 'integrated']);
  expect(there(world.branch() ?? '')).toEqual(['a.txt', 'dir/b.txt', 'p', 'r']);
  const again = await world.integrateAll(order([false, false, false]));
  expect(again).toEqual([results[0], results[1], results[2]]);
});

it('after a crash integrated work is reported with its results, and the rest waits for the next time [INT-15]', async () => {
  const commits = await files('p', 'bad', 'q', 'late');
  world.holds = (_, commit) => !there(commit).includes('bad');
  const checks = [check('build')];
  const order = { head: world.start, works: works(commits.slice(0, 3)), checks };
  const results = await world.integrateAll(order);
  const head = world.branch() ?? '';
  const tested = world.tested.length;
  expect(await world.integrateAll({ ...order, works: works(commits) })).toEqual([results[0], results[2]]);
  expect(world.tested.slice(tested)).toEqual([{ commit: head, checks: ['build'] }]);
  const next = await world.integrateAll({ head, works: works(commits.slice(3)), checks });
  expect(next.map(integratedAt)).toEqual([world.branch()]);
});

it('an empty queue does nothing', async () => {
  expect(await world.integrateAll({ head: world.start, works: [] })).toEqual([]);
  expect(world.branch()).toBeNull();
});
