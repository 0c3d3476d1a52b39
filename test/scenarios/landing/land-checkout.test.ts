// Into a branch that is checked out: only by word, only where nothing is in the way, and then files, index and branch together,
// wherever it is killed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compiled } from '../../compiled.ts';
import { commitFiles, orderFor, put, run } from '../git/git-repositories.ts';
import { difference, type LandWorld, openLandWorld, outcomeOf, usual } from './land-world.ts';

let world: LandWorld;
beforeEach(async () => {
  world = await openLandWorld({
    'a.txt': 'one\n',
    'dir/b.txt': 'two\n',
    'gone/deep/c.txt': 'three\n',
    '.gitignore': '*.log\n',
  });
});
afterEach(() => world.remove());

/** Changes, adds, removes, and makes a file of a directory and the other way round. */
async function bigChange(): Promise<string> {
  const first = await world.work({ 'a.txt': 'changed\n', 'new/d.txt': 'four\n', 'x.log.txt': 'x\n' });
  const checkout = join(world.home, 'checkout');
  rmSync(join(checkout, 'gone'), { recursive: true });
  rmSync(join(checkout, 'dir'), { recursive: true });
  run(checkout, 'rm', '-rq', 'gone', 'dir');
  writeFileSync(join(checkout, 'gone'), 'a file now\n');
  symlinkSync('a.txt', join(checkout, 'link'));
  return world.work({ 'a.txt/../more.txt': 'm\n' }, first).then(() => {
    run(checkout, 'add', '-A');
    run(checkout, 'commit', '-q', '--amend', '--no-edit');
    const head = run(checkout, 'rev-parse', 'HEAD');
    run(checkout, 'push', '-q', world.bare, `HEAD:refs/test/${head}`);
    return head;
  });
}

const isAt = (commit: string): void => {
  expect(run(world.user, 'rev-parse', 'HEAD')).toBe(commit);
  expect(run(world.user, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(run(world.user, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  expect(run(world.user, 'fsck', '--strict')).not.toMatch(/error|missing/);
  for (const name of ['index.lock', 'index.signalbox']) expect(existsSync(join(world.user, '.git', name))).toBe(false);
};

it('without a request it stays as it is, and one command brings the work in [LAND-24]', async () => {
  const theirs = await commitFiles(world.user, { 'theirs.txt': 't\n' }, 'theirs');
  const head = await world.work({ 'ours.txt': 'o\n' });
  const before = world.picture();
  const outcome = outcomeOf(await world.land({ head }));
  expect(outcome).toMatchObject({
    kind: 'aside',
    branch: 'signalbox-run/tidy-up',
    why: `main is checked out in ${world.user}`,
  });
  expect(difference(before, world.picture()).filter((name) => !name.includes('signalbox-run'))).toEqual([]);
  run(world.user, 'merge', '-q', '--ff-only', 'signalbox-run/tidy-up');
  expect(run(world.user, 'show', '-s', '--format=%P', 'main')).toBe(theirs);
});

it('on request branch, index and files move together, and untracked files stay [LAND-15]', async () => {
  const head = await bigChange();
  await put(world.user, { 'noise.log': 'kept\n', 'untracked.txt': 'mine\n', 'dir/also.log': 'kept too\n' });
  const before = world.picture();
  expect(outcomeOf(await world.land({ head, mayMoveCheckout: true }))).toMatchObject({
    kind: 'landed',
    commit: head,
    checkedOut: true,
  });
  isAt(head);
  expect(readFileSync(join(world.user, 'a.txt'), 'utf8')).toBe('changed\n');
  expect(readFileSync(join(world.user, 'gone'), 'utf8')).toBe('a file now\n');
  const after = world.picture();
  for (const name of ['noise.log', 'untracked.txt', 'dir/also.log', '.gitignore'])
    expect(after[name]).toBe(before[name]);
  expect(difference(before, after).filter((name) => name.startsWith('.git/'))).toEqual([
    '.git/index',
    '.git/logs/HEAD',
    '.git/logs/refs/heads/main',
    '.git/refs/heads/main',
  ]);
});

it('the checkout may be a linked one [LAND-15]', async () => {
  run(world.user, 'checkout', '-q', '-b', 'other');
  const linked = join(world.home, 'linked');
  run(world.user, 'worktree', 'add', '-q', linked, 'main');
  const head = await world.work({ 'ours.txt': 'o\n' });
  expect(outcomeOf(await world.land({ head }))).toMatchObject({
    kind: 'aside',
    why: `main is checked out in ${linked}`,
  });
  const before = world.picture();
  expect(outcomeOf(await world.land({ head, n: 2, mayMoveCheckout: true }))).toMatchObject({ kind: 'landed' });
  expect([run(linked, 'status', '--porcelain'), readFileSync(join(linked, 'ours.txt'), 'utf8')]).toEqual(['', 'o\n']);
  expect(difference(before, world.picture()).filter((name) => !/worktrees|main$|signalbox-run/.test(name))).toEqual([]);
});

describe('a checkout that is not clean is left alone, and the work goes beside it', () => {
  const states: readonly [string, RegExp, (user: string) => void | Promise<unknown>][] = [
    ['a change', /not committed, in a\.txt/, (user) => writeFileSync(join(user, 'a.txt'), 'mine\n')],
    [
      'a staged change',
      /not committed, in dir\/b\.txt/,
      (user) => {
        writeFileSync(join(user, 'dir/b.txt'), 'mine\n');
        run(user, 'add', '.');
      },
    ],
    ['a removed file', /not committed/, (user) => rmSync(join(user, 'a.txt'))],
    ['a file in the way', /has new\/d\.txt, which git does not keep/, (user) => put(user, { 'new/d.txt': 'mine\n' })],
    ['an ignored one', /has x\.log\.txt/, (user) => put(user, { '.git/info/exclude': 'x.*\n', 'x.log.txt': 'mine\n' })],
    ['a file where a directory comes', /has new, which/, (user) => put(user, { new: 'mine\n' })],
    [
      'a file in a directory that goes',
      /has gone\/deep\/mine\.log/,
      (user) => put(user, { 'gone/deep/mine.log': 'm\n' }),
    ],
    ['a merge under way', /has a merge under way/, (user) => put(user, { '.git/MERGE_HEAD': `${world.start}\n` })],
    ['a bisection', /has a bisection under way/, (user) => put(user, { '.git/BISECT_LOG': '' })],
    ['a sparse checkout', /is a sparse one/, (user) => void run(user, 'config', 'core.sparseCheckout', 'true')],
  ];

  it.each(states)('%s [LAND-16]', async (_name, why, make) => {
    const head = await bigChange();
    await make(world.user);
    const before = world.picture();
    const outcome = outcomeOf(await world.land({ head, mayMoveCheckout: true }));
    expect(outcome).toMatchObject({ kind: 'aside', branch: 'signalbox-run/tidy-up', commit: head, why });
    expect(difference(before, world.picture()).filter((name) => !name.includes('signalbox-run'))).toEqual([]);
  });

  it('a rebase of the branch [LAND-16]', async () => {
    const head = await world.work({ 'ours.txt': 'o\n' });
    await commitFiles(world.user, { 'a.txt': 'theirs\n' }, 'theirs');
    run(world.user, 'checkout', '-q', '-b', 'other', world.start);
    await commitFiles(world.user, { 'a.txt': 'clash\n' }, 'clash');
    run(world.user, 'checkout', '-q', 'main');
    expect(() => run(world.user, 'rebase', '-q', 'other')).toThrow();
    const outcome = outcomeOf(await world.land({ head, mayMoveCheckout: true }));
    expect(outcome).toMatchObject({ kind: 'aside', why: /has a rebase under way/ });
  });
});

it('while another git command runs there, it waits its turn [LAND-25]', async () => {
  const head = await world.work({ 'ours.txt': 'o\n' });
  const lock = join(world.user, '.git', 'index.lock');
  writeFileSync(lock, '');
  await expect(world.land({ head, mayMoveCheckout: true })).rejects.toMatchObject({ code: 'too_busy' });
  expect(existsSync(lock)).toBe(true);
  rmSync(lock);
  expect(outcomeOf(await world.land({ head, mayMoveCheckout: true }))).toMatchObject({ kind: 'landed' });
});

describe('killed at any step and repeated, it lands once', () => {
  const sources = compiled(['git/land/land.ts']);
  const kill = (head: string, dieAt: string, more: object): string[] => {
    const order = {
      ...usual,
      base: world.start,
      ...more,
      head,
      repo: world.user,
      attemptId: orderFor(world).attemptId,
    };
    const given = JSON.stringify({ root: world.root, home: world.home, order, dieAt });
    const driver = join(import.meta.dirname, 'land-driver.mjs');
    const { stdout, signal, stderr } = spawnSync(process.execPath, [driver, sources, given], { encoding: 'utf8' });
    expect(signal, stderr).toBe('SIGKILL');
    return stdout.trim().split('\n');
  };

  it.each(['merged', 'tested', 'kept', 'landed', 'noted'])(
    '%s, in a branch that is not checked out [LAND-17]',
    async (dieAt) => {
      await commitFiles(world.user, { 'theirs.txt': 't\n' }, 'theirs');
      run(world.user, 'checkout', '-q', '-b', 'other');
      const head = await world.work({ 'ours.txt': 'o\n' });
      kill(head, dieAt, {});
      expect(outcomeOf(await world.land({ head }))).toMatchObject({ kind: 'landed' });
      expect(run(world.user, 'log', '--format=%s', 'main')).toBe('work\ntheirs\nfirst');
      expect(run(world.user, 'notes', '--ref=signalbox', 'show', 'main')).toContain(
        run(world.user, 'rev-parse', 'main'),
      );
      expect(run(world.user, 'rev-list', '--count', 'refs/notes/signalbox')).toBe('1');
      const picture = world.picture();
      expect(outcomeOf(await world.land({ head }))).toMatchObject({ kind: 'landed' });
      expect(difference(picture, world.picture())).toEqual([]);
    },
  );

  const steps = ['kept', 'locked', 'swapped', 'files moved', 'index moved', 'landed'];
  it.each(steps)('%s, with its checkout [LAND-17]', async (dieAt) => {
    const head = await bigChange();
    await put(world.user, { 'noise.log': 'kept\n' });
    mkdirSync(join(world.user, 'empty'));
    expect(kill(head, dieAt, { mayMoveCheckout: true }).at(-1)).toBe(dieAt);
    expect(outcomeOf(await world.land({ head, mayMoveCheckout: true }))).toMatchObject({
      kind: 'landed',
      commit: head,
      checkedOut: true,
    });
    isAt(head);
    expect(readFileSync(join(world.user, 'noise.log'), 'utf8')).toBe('kept\n');
    expect(existsSync(join(world.user, 'gone/deep'))).toBe(false);
    expect(run(world.user, 'log', '-g', '--format=%H', 'main').split('\n')).toHaveLength(2);
  });

  it('in the middle of its files: missing ones are completed, and later changes stay', async () => {
    const head = await bigChange();
    kill(head, 'swapped', { mayMoveCheckout: true });
    await put(world.user, { 'more.txt': 'm\n', 'a.txt': 'mine now\n' });
    expect(outcomeOf(await world.land({ head, mayMoveCheckout: true }))).toMatchObject({ kind: 'landed' });
    expect(readFileSync(join(world.user, 'a.txt'), 'utf8')).toBe('mine now\n');
    expect(run(world.user, 'status', '--porcelain')).toBe(' M a.txt');
  });

  it('locked, and then withdrawn: nothing of it is left', async () => {
    const head = await world.work({ 'ours.txt': 'o\n' });
    const before = world.picture();
    kill(head, 'locked', { mayMoveCheckout: true });
    expect(outcomeOf(await world.land({ head, mayMoveCheckout: true, wanted: false }))).toEqual({ kind: 'stopped' });
    expect(difference(before, world.picture())).toEqual([]);
  });
});
