// What is odd in a tree, a history or a branch: each integrates, or is a conflict, or a Fault that says what it is, and no work is
// lost by it.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIntegrations } from '../../../src/git/integrate/integrate.ts';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import { commitFiles, never, orderFor, put, run } from '../git/git-repositories.ts';
import { attemptOf, check, type IntegrateWorld, integratedAt, openIntegrateWorld } from './integrate-world.ts';

let world: IntegrateWorld;
beforeEach(async () => {
  world = await openIntegrateWorld({ 'a.txt': 'one\n' });
});
afterEach(() => world.ground.remove());

/** Names with mode and content, as `100644 text`; of a link to a repository the commit is its content. null: taken away. */
type Entries = Readonly<Record<string, string | null>>;

/** A commit made of entries, on no file system, which may know neither links nor cases. */
async function commitOf(from: string, entries: Entries): Promise<string> {
  const { checkout, bare, ground } = world;
  run(checkout, 'read-tree', from);
  for (const [name, entry] of Object.entries(entries)) {
    if (entry === null) run(checkout, 'update-index', '--force-remove', '--', name);
    else {
      const [mode, content] = [entry.slice(0, 6), entry.slice(7)];
      await writeFile(join(ground.home, 'content'), content, 'latin1');
      const hash = () => run(checkout, 'hash-object', '-w', '--no-filters', join(ground.home, 'content'));
      const id = mode === '160000' ? content : hash();
      run(checkout, 'update-index', '--add', '--replace', '--cacheinfo', `${mode},${id},${name}`);
    }
  }
  const made = run(checkout, 'commit-tree', '-p', from, '-m', 'work', run(checkout, 'write-tree'));
  run(checkout, 'push', '-q', bare, `${made}:refs/test/${made}`);
  return made;
}

function entriesOf(commit: string): Entries {
  const lines = run(world.bare, 'ls-tree', '-r', '-z', commit).split('\0').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => {
      const [, mode = '', id = '', name = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return [name, `${mode} ${mode === '160000' ? id : run(world.bare, 'cat-file', 'blob', id)}`];
    }),
  );
}

const module = (message: string) => `160000 ${message.repeat(40)}`;
const pointer = (message: string) =>
  `100644 version https://git-lfs.github.com/spec/v1\noid sha256:${message.repeat(64)}\nsize 123`;
const lines = (...changed: string[]) => `100644 ${[...changed, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].join('\n')}`;
const a = '100644 one';

interface Case {
  readonly base: Entries;
  readonly one: Entries;
  readonly two: Entries;
  /** The result beside `a.txt`, or the paths in which the second conflicts with the first. */
  readonly end: Entries | readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'links to other repositories integrate as they are': {
    base: { lib: module('1'), old: module('2') },
    one: { lib: module('3') },
    two: { new: module('4'), old: null },
    end: { lib: module('3'), new: module('4') },
  },
  'a link to another repository that both moved is a conflict': {
    base: { lib: module('1') },
    one: { lib: module('2') },
    two: { lib: module('3') },
    end: ['lib'],
  },
  'a repository in the place of files that the other changed is a conflict': {
    base: { 'lib/x': lines() },
    one: { 'lib/x': lines('changed') },
    two: { 'lib/x': null, lib: module('1') },
    end: ['lib', 'lib/x'],
  },
  'pointers of Git LFS integrate as they are': {
    base: {
      '.gitattributes': '100644 *.bin filter=lfs diff=lfs merge=lfs -text',
      'x.bin': pointer('a'),
      'y.bin': pointer('b'),
    },
    one: { 'x.bin': pointer('c') },
    two: { 'y.bin': pointer('d'), 'z.bin': pointer('e') },
    end: {
      '.gitattributes': '100644 *.bin filter=lfs diff=lfs merge=lfs -text',
      'x.bin': pointer('c'),
      'y.bin': pointer('d'),
      'z.bin': pointer('e'),
    },
  },
  'two contents of one file of Git LFS are a conflict': {
    base: { '.gitattributes': '100644 *.bin filter=lfs diff=lfs merge=lfs -text', 'x.bin': pointer('a') },
    one: { 'x.bin': pointer('b') },
    two: { 'x.bin': pointer('c') },
    end: ['x.bin'],
  },
  'symbolic links integrate, also those that lead out': {
    base: { here: '120000 a.txt' },
    one: { here: '120000 b.txt' },
    two: { out: '120000 ../../etc/passwd' },
    end: { here: '120000 b.txt', out: '120000 ../../etc/passwd' },
  },
  'two targets of one symbolic link are a conflict': {
    base: { here: '120000 a.txt' },
    one: { here: '120000 b.txt' },
    two: { here: '120000 c.txt' },
    end: ['here'],
  },
  'a file behind what became a symbolic link is a conflict': {
    base: { 'dir/x': lines() },
    one: { 'dir/x': null, dir: '120000 a.txt' },
    two: { 'dir/x': lines('changed') },
    end: ['dir', 'dir/x'],
  },
  'an edit follows a file of which only the case of its name changed': {
    base: { README: lines() },
    one: { README: null, Readme: lines() },
    two: { README: lines('edited') },
    end: { Readme: lines('edited') },
  },
  'names that differ in case alone are two files': {
    base: {},
    one: { README: '100644 one' },
    two: { readme: '100644 two' },
    end: { README: '100644 one', readme: '100644 two' },
  },
  'two names for one file that differ in case alone are a conflict': {
    base: { README: lines() },
    one: { README: null, Readme: lines() },
    two: { README: null, readme: lines() },
    end: ['README', 'Readme', 'readme'],
  },
  'two contents of a binary file are a conflict': {
    base: { image: '100644 \0a\nb\nc' },
    one: { image: '100644 \0A\nb\nc' },
    two: { image: '100644 \0a\nb\nC' },
    end: ['image'],
  },
  'a file where the other made a folder is a conflict': {
    base: {},
    one: { x: '100644 file' },
    two: { 'x/y': '100644 inside' },
    end: ['x'],
  },
  'work that deletes everything is integrated beside what came meanwhile': {
    base: { b: lines() },
    one: { new: '100644 new' },
    two: { 'a.txt': null, b: null },
    end: { 'a.txt': null, new: '100644 new' },
  },
  'work that deletes everything does not fit a change to it': {
    base: { b: lines() },
    one: { b: lines('changed') },
    two: { 'a.txt': null, b: null },
    end: ['b'],
  },
};

describe('a tree', () => {
  it.each(Object.entries(cases))('%s [BRANCH-8]', async (_, { base: entries, one, two, end }) => {
    const base = await commitOf(world.start, entries);
    const [first, second] = [await commitOf(base, one), await commitOf(base, two)];
    const works = [first, second].map((commit) => ({ commit, base }));
    const results = await world.integrateAll({ head: base, works });
    expect(results[0]?.kind).toBe('integrated');
    if (Array.isArray(end)) {
      expect(results[1]).toMatchObject({ kind: 'conflict', paths: end, with: [attemptOf(0)] });
      expect(world.branch()).toBe(integratedAt(results[0]));
      expect(entriesOf(world.branch() ?? '')).toEqual(entriesOf(first));
    } else {
      const all = { 'a.txt': a, ...(end as Entries) };
      const left = Object.fromEntries(Object.entries(all).filter(([, entry]) => entry !== null));
      expect(entriesOf(integratedAt(results[1]))).toEqual(left);
    }
    expect(run(world.bare, 'fsck', '--no-dangling', '--connectivity-only')).toBe('');
  });

  it('in which everything is deleted is integrated, and is empty [BRANCH-10]', async () => {
    const commit = await commitOf(world.start, { 'a.txt': null });
    expect(entriesOf(integratedAt(await world.integrate({ head: world.start, commit })))).toEqual({});
  });

  it('with more moved and changed files than are searched for is a conflict in each, and no file is lost [BRANCH-8]', async () => {
    const numbers = Array.from({ length: 1_050 }, (_, n) => n);
    const text = (n: number, first: string, last: string) =>
      [first, ...numbers.slice(0, 12).map((line) => `${n} ${line * n}`), last, ''].join('\n');
    const side = async (from: string, nameOf: (n: number) => string, first: string, last: string) => {
      run(world.checkout, 'checkout', '-q', '--detach', from);
      run(world.checkout, 'rm', '-rq', '--ignore-unmatch', 'old');
      const files = numbers.map((n) => [nameOf(n), text(n, first, last)] as const);
      await commitFiles(world.checkout, Object.fromEntries(files), 'side');
      return world.bring();
    };
    const base = await side(world.start, (n) => `old/f${n}`, 'x', 'y');
    const moved = await side(base, (n) => `new/g${n}`, 'moved', 'y');
    const edited = await side(base, (n) => `old/f${n}`, 'x', 'edited');
    const result = await world.integrate({ head: moved, base, commit: edited });
    expect(result).toMatchObject({ kind: 'conflict', pathsTotal: numbers.length });
  });
});

describe('a history', () => {
  it('whose last commit changed nothing is integrated with its message [BRANCH-10]', async () => {
    run(world.checkout, 'commit', '-q', '--allow-empty', '-m', 'looked at everything');
    const commit = world.bring();
    const head = integratedAt(await world.integrate({ head: world.start, commit }));
    expect(entriesOf(head)).toEqual({ 'a.txt': a });
    expect(run(world.bare, 'log', '--format=%s', `${world.start}..${head}`).split('\n')).toEqual([
      'Do the thing',
      'looked at everything',
    ]);
  });

  it('that is there twice is integrated once, in one batch and in the next [BRANCH-11]', async () => {
    const commit = await commitOf(world.start, { b: '100644 b' });
    const other = await commitOf(world.start, { c: '100644 c' });
    const works = [commit, commit, other].map((each) => ({ commit: each }));
    const results = await world.integrateAll({ head: world.start, works, checks: [check('build')] });
    const [first, twin, last] = results.map(integratedAt);
    expect(twin).toBe(first);
    expect(world.branch()).toBe(last);
    expect(run(world.bare, 'rev-list', '--count', '--first-parent', `${world.start}..${last}`)).toBe('2');
    const again = await world.integrateAll({ head: last ?? '', works: [{ commit, attemptId: attemptOf(7) }] });
    expect(again).toMatchObject([{ attemptId: attemptOf(7), kind: 'integrated', commit: last, items: [] }]);
    expect(world.branch()).toBe(last);
  });

  it('that is part of another one is integrated with it [BRANCH-11]', async () => {
    const inner = await commitOf(world.start, { b: '100644 b' });
    const outer = await commitOf(inner, { c: '100644 c' });
    const works = [outer, inner].map((commit) => ({ commit }));
    const [first, second] = await world.integrateAll({ head: world.start, works });
    expect(integratedAt(second)).toBe(integratedAt(first));
    expect(entriesOf(world.branch() ?? '')).toEqual({ 'a.txt': a, b: '100644 b', c: '100644 c' });
  });

  it.each([
    ['that went back behind its start', true],
    ['that began anew', false],
  ])('%s removes what it removed, and nothing of what came meanwhile [BRANCH-10]', async (_, back) => {
    const base = await commitOf(world.start, { b: '100644 b', c: '100644 c' });
    const kept = await commitOf(world.start, { c: '100644 c' });
    const tree = run(world.bare, 'rev-parse', `${kept}^{tree}`);
    const orphan = run(world.checkout, 'commit-tree', '-m', 'anew', tree);
    run(world.checkout, 'push', '-q', world.bare, `${orphan}:refs/test/${orphan}`);
    const commit = back ? kept : orphan;
    const other = await commitOf(base, { d: '100644 d' });
    const works = [other, commit].map((each) => ({ commit: each, base }));
    const [, last] = await world.integrateAll({ head: base, works });
    expect(entriesOf(integratedAt(last))).toEqual({ 'a.txt': a, c: '100644 c', d: '100644 d' });
    const alone = await world.integrate({ head: base, base, commit, runId: 'run_2' });
    expect(entriesOf(integratedAt(alone))).toEqual({ 'a.txt': a, c: '100644 c' });
    expect(run(world.bare, 'rev-parse', `${integratedAt(alone)}^2`)).toBe(commit);
  });

  it('that went back to an old commit is that change, not none [BRANCH-10]', async () => {
    const base = await commitOf(world.start, { b: '100644 b' });
    const head = integratedAt(await world.integrate({ head: base, base, commit: world.start }));
    expect(entriesOf(head)).toEqual({ 'a.txt': a });
  });

  it('with sha256 ids is integrated as any other [BRANCH-8]', async () => {
    const { ground } = world;
    const user = join(ground.home, 'sha256');
    const root = join(ground.home, 'sha256-state');
    run(ground.home, 'init', '-q', '--object-format=sha256', user);
    await commitFiles(user, { 'a.txt': 'a\n' }, 'first');
    const workspaces = await openWorkspaces({ root });
    const works = [];
    for (const n of [1, 2]) {
      const order = orderFor({ user }, n);
      const { path, base } = await workspaces.prepare(order, never);
      await put(path, { [`${n}.txt`]: `${n}\n` });
      const { commit } = await workspaces.save(order, never);
      const { attemptId, title, at } = order;
      works.push({ attemptId, title, at, base, commit, trailers: [], checks: [], wanted: true });
    }
    const integrations = createIntegrations({ root, test: async () => [] });
    const order = { runId: 'run_1', head: works[0]?.base ?? '', works, checks: [], sandboxed: false };
    const results = await integrations.integrate(order, never);
    expect(results.map(integratedAt).map((id) => id.length)).toEqual([64, 64]);
    expect(await integrations.integrate(order, never)).toEqual(results);
  });
});

describe('a branch that someone else moves', () => {
  const bad = async (order: Promise<unknown>, found: string): Promise<void> => {
    const ref = world.integrations.ref('run_1');
    const message = expect.stringMatching(new RegExp(`${ref}.* is at ${found}`));
    await expect(order).rejects.toMatchObject({ code: 'git_failed', message });
  };
  const move = (...args: string[]) => run(world.bare, 'update-ref', world.integrations.ref('run_1'), ...args);

  it('while an integration is tested stays where it is, and the next try says so too [BRANCH-6]', async () => {
    const commit = await commitOf(world.start, { b: '100644 b' });
    const stranger = await commitOf(world.start, { stranger: '100644 x' });
    world.holds = () => (move(stranger), true);
    const order = { head: world.start, commit, checks: [check('build')] };
    await bad(world.integrate(order), stranger);
    expect(world.branch()).toBe(stranger);
    await bad(world.integrate(order), stranger);
    expect(entriesOf(commit)).toEqual({ 'a.txt': a, b: '100644 b' });
  });

  it('is not mistaken for an integration of these works on another base, or of more works [BRANCH-6]', async () => {
    const [one, two] = [await commitOf(world.start, { b: '100644 b' }), await commitOf(world.start, { c: '100644 c' })];
    const first = integratedAt(await world.integrate({ head: world.start, commit: one }));
    const both = integratedAt(await world.integrate({ head: first, commit: two }));
    await bad(world.integrate({ head: world.start, commit: two }), both);
    await bad(world.integrateAll({ head: two, works: [{ commit: one }, { commit: two }] }), both);
    await bad(world.integrateAll({ head: world.start, works: [{ commit: two }, { commit: one }] }), both);
    move(world.start);
    await bad(world.integrate({ head: first, commit: two }), world.start);
    expect(world.branch()).toBe(world.start);
  });

  it('to what is no commit, or deletes, is reported as well [BRANCH-6]', async () => {
    const commit = await commitOf(world.start, { b: '100644 b' });
    const gone = 'f'.repeat(40);
    await put(world.bare, { [world.integrations.ref('run_1')]: `${gone}\n` });
    await bad(world.integrate({ head: world.start, commit }), gone);
    expect(existsSync(join(world.bare, world.integrations.ref('run_1')))).toBe(true);
  });
});
