// What is odd in a tree, a history or a branch: each lands, or is a conflict, or a Fault that says what it is, and no work is
// lost by it.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLandings } from '../../../src/git/integrate/integrate.ts';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import { attemptOf, check, type LandWorld, landedAt, openLandWorld } from './integrate-world.ts';
import { commitFiles, never, orderFor, put, run } from '../git/git-repositories.ts';

let world: LandWorld;
beforeEach(async () => {
  world = await openLandWorld({ 'a.txt': 'one\n' });
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

const module = (letter: string) => `160000 ${letter.repeat(40)}`;
const pointer = (letter: string) =>
  `100644 version https://git-lfs.github.com/spec/v1\noid sha256:${letter.repeat(64)}\nsize 123`;
const lines = (...changed: string[]) => `100644 ${[...changed, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].join('\n')}`;
const a = '100644 one';

interface Case {
  readonly base: Entries;
  readonly one: Entries;
  readonly two: Entries;
  /** What is there in the end beside `a.txt`, or in which paths the second does not fit the first. */
  readonly end: Entries | readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'links to other repositories land as they are': {
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
  'pointers of Git LFS land as they are': {
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
  'symbolic links land, also those that lead out': {
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
  'work that deletes everything lands beside what came meanwhile': {
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
    const results = await world.landAll({ head: base, works });
    expect(results[0]?.kind).toBe('landed');
    if (Array.isArray(end)) {
      expect(results[1]).toMatchObject({ kind: 'conflict', paths: end, with: [attemptOf(0)] });
      expect(world.branch()).toBe(landedAt(results[0]));
      expect(entriesOf(world.branch() ?? '')).toEqual(entriesOf(first));
    } else {
      const all = { 'a.txt': a, ...(end as Entries) };
      const left = Object.fromEntries(Object.entries(all).filter(([, entry]) => entry !== null));
      expect(entriesOf(landedAt(results[1]))).toEqual(left);
    }
    expect(run(world.bare, 'fsck', '--no-dangling', '--connectivity-only')).toBe('');
  });

  it('in which all is taken away lands, and is empty [BRANCH-8]', async () => {
    const commit = await commitOf(world.start, { 'a.txt': null });
    expect(entriesOf(landedAt(await world.land({ head: world.start, commit })))).toEqual({});
  });

  it('with more changed files moved than are looked for is a conflict in each, and never a file lost [BRANCH-8]', async () => {
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
    const result = await world.land({ head: moved, base, commit: edited });
    expect(result).toMatchObject({ kind: 'conflict', pathsTotal: numbers.length });
  });
});

describe('a history', () => {
  it('of which the last commit changed nothing lands with its words [BRANCH-8]', async () => {
    run(world.checkout, 'commit', '-q', '--allow-empty', '-m', 'looked at everything');
    const commit = world.bring();
    const head = landedAt(await world.land({ head: world.start, commit }));
    expect(entriesOf(head)).toEqual({ 'a.txt': a });
    expect(run(world.bare, 'log', '--format=%s', `${world.start}..${head}`).split('\n')).toEqual([
      'Do the thing',
      'looked at everything',
    ]);
  });

  it('that is there twice lands once, in one batch and in the next [BRANCH-8]', async () => {
    const commit = await commitOf(world.start, { b: '100644 b' });
    const other = await commitOf(world.start, { c: '100644 c' });
    const works = [commit, commit, other].map((each) => ({ commit: each }));
    const results = await world.landAll({ head: world.start, works, checks: [check('build')] });
    const [first, twin, last] = results.map(landedAt);
    expect(twin).toBe(first);
    expect(world.branch()).toBe(last);
    expect(run(world.bare, 'rev-list', '--count', '--first-parent', `${world.start}..${last}`)).toBe('2');
    const again = await world.landAll({ head: last ?? '', works: [{ commit, attemptId: attemptOf(7) }] });
    expect(again).toMatchObject([{ attemptId: attemptOf(7), kind: 'landed', commit: last, items: [] }]);
    expect(world.branch()).toBe(last);
  });

  it('that is part of another one lands with it [BRANCH-8]', async () => {
    const inner = await commitOf(world.start, { b: '100644 b' });
    const outer = await commitOf(inner, { c: '100644 c' });
    const works = [outer, inner].map((commit) => ({ commit }));
    const [first, second] = await world.landAll({ head: world.start, works });
    expect(landedAt(second)).toBe(landedAt(first));
    expect(entriesOf(world.branch() ?? '')).toEqual({ 'a.txt': a, b: '100644 b', c: '100644 c' });
  });

  it.each([
    ['that went back behind its start', true],
    ['that began anew', false],
  ])('%s takes away what it took away, and nothing of what came meanwhile [BRANCH-8]', async (_, back) => {
    const base = await commitOf(world.start, { b: '100644 b', c: '100644 c' });
    const kept = await commitOf(world.start, { c: '100644 c' });
    const tree = run(world.bare, 'rev-parse', `${kept}^{tree}`);
    const orphan = run(world.checkout, 'commit-tree', '-m', 'anew', tree);
    run(world.checkout, 'push', '-q', world.bare, `${orphan}:refs/test/${orphan}`);
    const commit = back ? kept : orphan;
    const other = await commitOf(base, { d: '100644 d' });
    const works = [other, commit].map((each) => ({ commit: each, base }));
    const [, last] = await world.landAll({ head: base, works });
    expect(entriesOf(landedAt(last))).toEqual({ 'a.txt': a, c: '100644 c', d: '100644 d' });
    const alone = await world.land({ head: base, base, commit, runId: 'run_2' });
    expect(entriesOf(landedAt(alone))).toEqual({ 'a.txt': a, c: '100644 c' });
    expect(run(world.bare, 'rev-parse', `${landedAt(alone)}^2`)).toBe(commit);
  });

  it('that went back to an old commit and stayed there is that change, not none [BRANCH-8]', async () => {
    const base = await commitOf(world.start, { b: '100644 b' });
    const head = landedAt(await world.land({ head: base, base, commit: world.start }));
    expect(entriesOf(head)).toEqual({ 'a.txt': a });
  });

  it('with sha256 ids lands as any other [BRANCH-8]', async () => {
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
    const landings = createLandings({ root, test: async () => [] });
    const order = { runId: 'run_1', head: works[0]?.base ?? '', works, checks: [], sandboxed: false };
    const results = await landings.land(order, never);
    expect(results.map(landedAt).map((id) => id.length)).toEqual([64, 64]);
    expect(await landings.land(order, never)).toEqual(results);
  });
});

describe('a branch that somebody else moves', () => {
  const bad = async (order: Promise<unknown>, found: string): Promise<void> => {
    const ref = world.landings.ref('run_1');
    const message = expect.stringMatching(new RegExp(`${ref}.* is at ${found}`));
    await expect(order).rejects.toMatchObject({ code: 'git_failed', message });
  };
  const move = (...args: string[]) => run(world.bare, 'update-ref', world.landings.ref('run_1'), ...args);

  it('while a landing is tested stays where it is, and the next try says so too [BRANCH-6]', async () => {
    const commit = await commitOf(world.start, { b: '100644 b' });
    const stranger = await commitOf(world.start, { stranger: '100644 x' });
    world.holds = () => (move(stranger), true);
    const order = { head: world.start, commit, checks: [check('build')] };
    await bad(world.land(order), stranger);
    expect(world.branch()).toBe(stranger);
    await bad(world.land(order), stranger);
    expect(entriesOf(commit)).toEqual({ 'a.txt': a, b: '100644 b' });
  });

  it('is not taken for one that landed these works on something else, or others too [BRANCH-6]', async () => {
    const [one, two] = [await commitOf(world.start, { b: '100644 b' }), await commitOf(world.start, { c: '100644 c' })];
    const first = landedAt(await world.land({ head: world.start, commit: one }));
    const both = landedAt(await world.land({ head: first, commit: two }));
    await bad(world.land({ head: world.start, commit: two }), both);
    await bad(world.landAll({ head: two, works: [{ commit: one }, { commit: two }] }), both);
    await bad(world.landAll({ head: world.start, works: [{ commit: two }, { commit: one }] }), both);
    move(world.start);
    await bad(world.land({ head: first, commit: two }), world.start);
    expect(world.branch()).toBe(world.start);
  });

  it('to what is no commit, or is not there, is said as well [BRANCH-6]', async () => {
    const commit = await commitOf(world.start, { b: '100644 b' });
    const gone = 'f'.repeat(40);
    await put(world.bare, { [world.landings.ref('run_1')]: `${gone}\n` });
    await bad(world.land({ head: world.start, commit }), gone);
    expect(existsSync(join(world.bare, world.landings.ref('run_1')))).toBe(true);
  });
});
