// Work goes into a branch of the user's: merged, tested on exactly that tree, and moved by compare-and-swap; nothing else of the
// user's repository changes.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Fault } from '../../../src/std/fault.ts';
import { commitFiles, run } from '../git/git-repositories.ts';
import { difference, type LandWorld, openLandWorld, outcomeOf, usual } from './land-world.ts';

let world: LandWorld;
beforeEach(async () => {
  world = await openLandWorld();
});
afterEach(() => world.remove());

const tip = (branch: string): string => run(world.user, 'rev-parse', branch);
/** The user is on another branch. */
const leaveMain = (): void => void run(world.user, 'checkout', '-q', '-b', 'other');

it("a branch at the run's base gets the run's own commit, and nothing else changes [LAND-8]", async () => {
  leaveMain();
  writeFileSync(join(world.user, 'a.txt'), 'not committed\n');
  const head = await world.work({ 'new.txt': 'n\n' });
  const before = world.picture();
  const outcome = outcomeOf(await world.land({ head }));
  expect(outcome).toMatchObject({ kind: 'landed', branch: 'main', commit: head, from: world.start, checkedOut: false });
  expect(tip('main')).toBe(head);
  expect(difference(before, world.picture())).toEqual(['.git/logs/refs/heads/main', '.git/refs/heads/main']);
  expect(run(world.user, 'log', '-1', '-g', '--format=%gs', 'main')).toBe('signalbox: tidy-up');
});

it('a branch that went on gets the work on top of it, tested as exactly that tree [LAND-8] [LAND-9]', async () => {
  const theirs = await commitFiles(world.user, { 'theirs.txt': 't\n' }, 'theirs');
  leaveMain();
  const head = await world.work({ 'ours.txt': 'o\n' });
  const outcome = outcomeOf(await world.land({ head }));
  if (outcome.kind !== 'landed') throw new Error(outcome.kind);
  expect(outcome.from).toBe(theirs);
  expect(run(world.user, 'show', '-s', '--format=%P', 'main')).toBe(theirs);
  expect(run(world.user, 'ls-tree', '--name-only', 'main').split('\n')).toEqual([
    'a.txt',
    'dir',
    'ours.txt',
    'theirs.txt',
  ]);
  expect(world.tested).toMatchObject([{ bare: world.bare, commit: run(world.user, 'rev-parse', 'main') }]);
  expect(outcome.items).toEqual([{ check: 'test', passed: true, detail: 'exit 0' }]);
});

it('steps chosen from the middle of a run land once, whenever they are asked for again [LAND-44]', async () => {
  leaveMain();
  const other = await world.work({ 'other.txt': 'o\n' });
  const one = await world.work({ 'one.txt': '1\n' }, other);
  const two = await world.work({ 'two.txt': '2\n' }, one);
  const steps = [
    { from: world.start, to: other, task: 'other', chosen: false },
    { from: other, to: one, task: 'one', chosen: true },
    { from: one, to: two, task: 'two', chosen: true },
  ];
  const chosen = { head: two, steps: { base: world.start, steps } };
  expect(outcomeOf(await world.land(chosen))).toMatchObject({ kind: 'landed', from: world.start });
  const moved = tip('main');
  const names = run(world.user, 'ls-tree', '--name-only', 'main').split('\n');
  expect(names).toEqual(['a.txt', 'dir', 'one.txt', 'two.txt']);
  const later = usual.at + 5_000;
  const again = outcomeOf(await world.land({ ...chosen, n: 2, at: later }));
  expect(again).toMatchObject({ kind: 'landed', from: moved, commit: moved });
});

it('a conflict, and a check that fails on the merged tree, are reported and move nothing [LAND-9]', async () => {
  const theirs = await commitFiles(world.user, { 'a.txt': 'theirs\n' }, 'theirs');
  leaveMain();
  const before = world.picture();
  const clash = await world.work({ 'a.txt': 'ours\n' });
  expect(outcomeOf(await world.land({ head: clash }))).toMatchObject({
    kind: 'conflict',
    branch: 'main',
    paths: ['a.txt'],
    commit: theirs,
  });
  world.passes = () => false;
  const bad = await world.work({ 'ours.txt': 'o\n' });
  expect(outcomeOf(await world.land({ head: bad, n: 2 }))).toMatchObject({
    kind: 'failed',
    branch: 'main',
    items: [{ passed: false }],
  });
  expect(difference(before, world.picture())).toEqual([]);
});

it('a setup that fails on the merged tree refuses the landing with its last words, and moves nothing [CHECK-16]', async () => {
  leaveMain();
  const before = world.picture();
  world.passes = () => {
    throw new Fault('setup_failed', 'check "test" could not be run: .signalbox/setup failed: exit 1');
  };
  const outcome = outcomeOf(await world.land({ head: await world.work({ 'ours.txt': 'o\n' }) }));
  expect(outcome).toEqual({ kind: 'refused', why: 'check "test" could not be run: .signalbox/setup failed: exit 1' });
  expect(difference(before, world.picture())).toEqual([]);
});

it('a branch that cannot be moved is refused with the reason [LAND-10]', async () => {
  const head = await world.work({ 'new.txt': 'n\n' });
  leaveMain();
  run(world.user, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  run(world.user, 'config', '--add', 'signalbox.protect', 'release/* stable');
  for (const branch of ['release/1', 'stable']) run(world.user, 'branch', branch);
  run(world.user, 'checkout', '-q', '--orphan', 'unrelated');
  run(world.user, 'commit', '-q', '--allow-empty', '-m', 'another beginning');
  run(world.user, 'checkout', '-q', '-f', 'other');
  const why = async (into: string, repo = world.user): Promise<string> => {
    const outcome = outcomeOf(await world.land({ head, into, repo }));
    return outcome.kind === 'refused' ? outcome.why : outcome.kind;
  };
  const before = world.picture();
  expect(await why('mian')).toMatch(/has no branch mian \(did you mean main\?\): "git branch mian"/);
  expect(await why('-x')).toMatch(/cannot be the name of a branch/);
  expect(await why('alias')).toMatch(/another name for refs\/heads\/main/);
  expect(await why('release/1')).toMatch(/is protected: .* has "release\/\*"/);
  expect(await why('stable')).toMatch(/is protected/);
  expect(await why('unrelated')).toMatch(/no history in common/);
  expect(await why('main', join(world.home, 'nowhere'))).toMatch(/there is no directory/);
  expect(difference(before, world.picture())).toEqual([]);
  expect(await why('refs/heads/main')).toBe('landed');
});

it('a hook of the repository that refuses is reported with its words [LAND-10]', async () => {
  leaveMain();
  const head = await world.work({ 'new.txt': 'n\n' });
  const hook = join(world.user, '.git', 'hooks', 'reference-transaction');
  mkdirSync(join(world.user, '.git', 'hooks'), { recursive: true });
  writeFileSync(
    hook,
    '#!/bin/sh\n[ "$1" = prepared ] || exit 0\nwhile read -r o n r; do case $r in refs/heads/main) echo "main is frozen" >&2; exit 1;; esac; done\n',
  );
  chmodSync(hook, 0o755);
  const before = world.picture();
  expect(outcomeOf(await world.land({ head }))).toMatchObject({ kind: 'refused', why: /main is frozen/ });
  expect(difference(before, world.picture())).toEqual([]);
});

it('a branch that is moved meanwhile is noticed by the swap, and all is merged and tested again [LAND-11]', async () => {
  const tree = run(world.user, 'write-tree');
  leaveMain();
  const head = await world.work({ 'ours.txt': 'o\n' });
  // Also where it goes back: what was there was not ours to keep.
  const elsewhere = run(world.user, 'commit-tree', tree, '-p', world.start, '-m', 'theirs');
  world.passing = (step) => {
    if (step === 'kept') run(world.user, 'update-ref', 'refs/heads/main', elsewhere);
  };
  expect(await world.land({ head })).toEqual({ kind: 'moved', from: world.start, to: elsewhere });
  expect(tip('main')).toBe(elsewhere);
  world.passing = () => {};
  const outcome = outcomeOf(await world.land({ head }));
  expect(outcome).toMatchObject({ kind: 'landed', from: elsewhere });
  expect(run(world.user, 'show', '-s', '--format=%P', 'main')).toBe(elsewhere);
  expect(world.tested).toHaveLength(2);
});

it("landed work is found there, also under others' later commits [LAND-12]", async () => {
  leaveMain();
  const head = await world.work({ 'ours.txt': 'o\n' });
  const first = outcomeOf(await world.land({ head }));
  run(world.user, 'checkout', '-q', 'main');
  const on = await commitFiles(world.user, { 'on.txt': 'on\n' }, 'on top');
  run(world.user, 'checkout', '-q', 'other');
  const before = world.picture();
  expect(outcomeOf(await world.land({ head }))).toEqual(first);
  expect(outcomeOf(await world.land({ head, wanted: false }))).toEqual(first);
  // Another landing of the same: the branch has it.
  expect(outcomeOf(await world.land({ head, n: 2 }))).toMatchObject({ kind: 'landed', commit: on, from: on });
  expect(difference(before, world.picture())).toEqual([]);
});

it('a withdrawn landing is not begun, or broken off before the swap [LAND-7]', async () => {
  leaveMain();
  const head = await world.work({ 'ours.txt': 'o\n' });
  expect(outcomeOf(await world.land({ head, wanted: false }))).toEqual({ kind: 'stopped' });
  for (const at of ['merged', 'tested', 'kept']) {
    const stop = new AbortController();
    world.passing = (step) => step === at && stop.abort(new Error('stopped'));
    await expect(world.land({ head }, stop.signal)).rejects.toThrow('stopped');
    expect(tip('main')).toBe(world.start);
  }
  expect(outcomeOf(await world.land({ head, wanted: false }))).toEqual({ kind: 'stopped' });
});

it('one landing at a time goes into a branch, in the order of asking [LAND-13]', async () => {
  leaveMain();
  const heads = [
    await world.work({ 'one.txt': '1\n' }),
    await world.work({ 'two.txt': '2\n' }),
    await world.work({ 'three.txt': '3\n' }),
  ];
  const order = (i: number, at: number) =>
    world.land({ head: heads[i] as string, runId: `run_${i}`, at: 1_700_000_000_000 + at });
  // The first starts at once; of the others the one that was asked for earlier is next.
  await Promise.all([order(0, 5), order(1, 9), order(2, 7)]);
  const files = run(world.user, 'log', '-3', '--format=', '--name-only', 'main').split('\n');
  expect(files).toEqual(['two.txt', 'three.txt', 'one.txt']);
  expect(world.tested).toHaveLength(3);
});

it('without a named branch it goes to one of its own, and never over other work [LAND-14]', async () => {
  const head = await world.work({ 'ours.txt': 'o\n' });
  const before = world.picture();
  const first = outcomeOf(await world.land({ head, into: null }));
  expect(first).toEqual({ kind: 'aside', branch: 'signalbox-run/tidy-up', commit: head, why: 'no branch was named' });
  expect(difference(before, world.picture()).filter((name) => !name.includes('signalbox-run'))).toEqual([]);
  expect(outcomeOf(await world.land({ head, into: null }))).toEqual(first);
  const more = await world.work({ 'more.txt': 'm\n' }, head);
  expect(outcomeOf(await world.land({ head: more, into: null, n: 2 }))).toMatchObject({
    branch: 'signalbox-run/tidy-up',
  });
  const other = await world.work({ 'other.txt': 'x\n' });
  expect(outcomeOf(await world.land({ head: other, into: null, n: 3 }))).toMatchObject({
    branch: 'signalbox-run/tidy-up-2',
  });
  expect(tip('signalbox-run/tidy-up')).toBe(more);
  expect(outcomeOf(await world.land({ head, into: null, n: 4, name: 'a: b?' }))).toMatchObject({
    branch: 'signalbox-run/a-b',
  });
});

it('for a pull request it is tested with the branch and put beside it [LAND-14]', async () => {
  const theirs = await commitFiles(world.user, { 'theirs.txt': 't\n' }, 'theirs');
  const head = await world.work({ 'ours.txt': 'o\n' });
  const outcome = outcomeOf(await world.land({ head, openPr: true, mayMoveCheckout: true }));
  expect(outcome).toMatchObject({ kind: 'aside', branch: 'signalbox-run/tidy-up' });
  expect(run(world.user, 'show', '-s', '--format=%P', 'signalbox-run/tidy-up')).toBe(theirs);
  expect([tip('main'), run(world.user, 'status', '--porcelain')]).toEqual([theirs, '']);
});
