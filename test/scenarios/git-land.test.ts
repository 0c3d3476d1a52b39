// Work lands on the branch of its run, once, whatever happens in between.

import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLandings } from '../../src/git/land.ts';
import { abortedAt, type LandWorld, openLandWorld } from './git-land-world.ts';
import { commitFiles, never, orderFor, pictureOf, put, run } from './git-repositories.ts';

const text = (changed: Record<number, string> = {}): string =>
  Array.from({ length: 30 }, (_, line) => `${changed[line] ?? `line ${line}`}\n`).join('');

let world: LandWorld;
beforeEach(async () => {
  world = await openLandWorld({
    'a.txt': text(),
    'dir/b.txt': 'two\n',
    '.gitattributes': 'LOG merge=union\n',
    LOG: '',
  });
});
afterEach(() => world.ground.remove());

/** Work from a commit, brought to the bare repository. */
async function work(from: string, files: Record<string, string>, message = 'work'): Promise<string> {
  run(world.checkout, 'checkout', '-q', '--detach', from);
  await commitFiles(world.checkout, files, message);
  return world.bring();
}

const treeOf = (commit: string) => run(world.bare, 'rev-parse', `${commit}^{tree}`);
const show = (commit: string, name: string) => run(world.bare, 'show', `${commit}:${name}`);

it('the first work to land is the head itself, and the user sees nothing of it [BRANCH-1]', async () => {
  const before = pictureOf(world.ground.user);
  const commit = await work(world.start, { 'new.txt': 'new\n' });
  expect(await world.land({ head: world.start, commit })).toEqual({ kind: 'landed', head: commit });
  expect(world.branch()).toBe(commit);
  expect(pictureOf(world.ground.user)).toEqual(before);
});

it('work that changed nothing, and work that is there already, leaves the head where it is', async () => {
  expect(await world.land({ head: world.start, commit: world.start })).toEqual({ kind: 'landed', head: world.start });
  expect(world.branch()).toBe(world.start);
  const first = await work(world.start, { 'new.txt': 'new\n' });
  const second = await work(first, { 'newer.txt': 'newer\n' });
  await world.land({ head: world.start, commit: second });
  expect(await world.land({ head: second, commit: first })).toEqual({ kind: 'landed', head: second });
});

it('work from an older head is merged, by name and time of the order, the same at every try [BRANCH-2]', async () => {
  const one = await work(world.start, { 'a.txt': text({ 2: 'one' }) });
  const two = await work(world.start, { 'a.txt': text({ 20: 'two' }), 'c.txt': 'c\n' });
  await world.land({ head: world.start, commit: one });
  const landed = await world.land({ head: one, commit: two });
  const head = world.branch() ?? '';
  expect(landed).toEqual({ kind: 'landed', head });
  expect(`${show(head, 'a.txt')}\n`).toBe(text({ 2: 'one', 20: 'two' }));
  const shown = run(world.bare, 'show', '-s', '--format=%P%n%an <%ae> %at%n%cn <%ce> %ct%n%B', head);
  expect(shown.trim().split('\n')).toEqual([
    `${one} ${two}`,
    'Signalbox <signalbox@localhost> 1700000000',
    'Signalbox <signalbox@localhost> 1700000000',
    'Merge: Do the thing',
    '',
    'Signalbox-Attempt: attempt_1-1',
  ]);
  expect(await world.land({ head: one, commit: two })).toEqual({ kind: 'landed', head });
  run(world.bare, 'update-ref', world.landings.ref('run_1'), one);
  expect(await world.land({ head: one, commit: two })).toEqual({ kind: 'landed', head });
  expect(run(world.bare, 'fsck', '--no-dangling')).toBe('');
});

it('a conflict names its paths and changes nothing; both sides are kept [BRANCH-3]', async () => {
  const one = await work(world.start, { 'a.txt': text({ 2: 'one' }), 'dir/b.txt': 'uno\n', 'fine.txt': '' });
  const two = await work(world.start, { 'a.txt': text({ 2: 'two' }), 'dir/b.txt': 'due\n', 'good.txt': '' });
  await world.land({ head: world.start, commit: one });
  const conflict = { kind: 'conflict', paths: ['a.txt', 'dir/b.txt'], pathsTotal: 2 };
  expect(await world.land({ head: one, commit: two })).toEqual(conflict);
  expect(await world.land({ head: one, commit: two })).toEqual(conflict);
  expect(world.branch()).toBe(one);
  expect(show(two, 'dir/b.txt')).toBe('due');
});

it('of many conflicts a hundred are listed, and a name that is not UTF-8 is escaped', async () => {
  run(world.checkout, 'checkout', '-q', '--detach', world.start);
  const odd = Buffer.concat([Buffer.from(`${world.checkout}/`), Buffer.from([0x21, 0xe9, 0x5c])]);
  const names = Array.from({ length: 149 }, (_, n) => `many/${String(n).padStart(3, '0')}`);
  const side = async (from: string, words: string): Promise<string> => {
    run(world.checkout, 'checkout', '-q', '--detach', from);
    await writeFile(odd, words);
    return work('HEAD', { 'öl.txt': words, ...Object.fromEntries(names.map((name) => [name, words])) });
  };
  const base = await side(world.start, 'base\n');
  const one = await side(base, 'one\n');
  const outcome = await world.land({ head: one, base, commit: await side(base, 'two\n') });
  if (outcome.kind !== 'conflict') throw new Error(outcome.kind);
  expect(outcome.pathsTotal).toBe(151);
  expect(outcome.paths).toHaveLength(100);
  expect(outcome.paths.slice(0, 2)).toEqual(['!\\xe9\\\\', 'many/000']);
});

it('a branch that is somewhere else is left there, and said', async () => {
  const one = await work(world.start, { 'new.txt': 'one\n' });
  const stranger = await work(world.start, { 'stranger.txt': '' });
  run(world.bare, 'update-ref', world.landings.ref('run_1'), stranger);
  await expect(world.land({ head: world.start, commit: one })).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining(`refs/signalbox-run/run_1 of ${world.bare} is at ${stranger}`),
  });
  expect(world.branch()).toBe(stranger);
});

it('what is no commit, or not there, is refused', async () => {
  const commit = await work(world.start, { 'new.txt': 'one\n' });
  await expect(world.land({ head: '--help', commit })).rejects.toMatchObject({ code: 'bad_request' });
  await expect(world.land({ head: world.start, commit: 'f'.repeat(40) })).rejects.toMatchObject({ code: 'git_failed' });
  await expect(world.land({ head: world.start, commit: treeOf(commit) })).rejects.toMatchObject({ code: 'git_failed' });
  await expect(world.land({ head: world.start, commit, runId: '../x' })).rejects.toMatchObject({ code: 'bad_request' });
  await expect(world.land({ head: world.start, commit, attemptId: 'never' })).rejects.toMatchObject({
    code: 'git_failed',
  });
  expect(world.branch()).toBeNull();
});

it('attributes are followed as in a checkout, and no program they name is run [BRANCH-4]', async () => {
  const sentinel = join(world.ground.home, 'ran');
  const files = {
    '.gitattributes': 'LOG merge=union\na.txt merge=evil\n',
    'sub/.gitattributes': 'L merge=union\n',
  };
  const base = await work(world.start, { ...files, 'sub/L': '' });
  for (const place of [world.checkout, world.ground.user]) {
    run(place, 'config', 'merge.evil.driver', `touch ${sentinel}`);
  }
  const one = await work(base, { LOG: 'one\n', 'sub/L': 'one\n' });
  const two = await work(base, { LOG: 'two\n', 'sub/L': 'two\n' });
  const landed = await world.land({ head: one, base, commit: two });
  if (landed.kind !== 'landed') throw new Error(landed.kind);
  expect([show(landed.head, 'LOG'), show(landed.head, 'sub/L')]).toEqual(['one\ntwo', 'one\ntwo']);
  const three = await work(base, { 'a.txt': text({ 2: 'three' }) });
  const four = await work(base, { 'a.txt': text({ 20: 'four' }) });
  expect((await world.land({ head: three, base, commit: four, runId: 'run_2' })).kind).toBe('landed');
  expect(existsSync(sentinel)).toBe(false);
});

it('attributes that no file bears keep nothing from landing [BRANCH-4]', async () => {
  const { checkout } = world;
  const commit = async (from: string, name: string, content: string): Promise<string> => {
    run(checkout, 'read-tree', from);
    await writeFile(join(world.ground.home, 'content'), content);
    const id = run(checkout, 'hash-object', '-w', '--no-filters', join(world.ground.home, 'content'));
    run(checkout, 'update-index', '--add', '--cacheinfo', `100644,${id},${name}`);
    const made = run(checkout, 'commit-tree', '-p', from, '-m', name, run(checkout, 'write-tree'));
    run(checkout, 'push', '-q', world.bare, `${made}:refs/test/${made}`);
    return made;
  };
  const hostile = '* working-tree-encoding=UTF-99 ident filter=evil text eol=crlf\n[attr]x !x\n"\\777 merge=union\n';
  const base = await commit(world.start, '.gitattributes', hostile);
  const one = await commit(base, 'a.txt', text({ 2: 'one' }));
  const two = await commit(base, 'a.txt', text({ 20: 'two' }));
  const landed = await world.land({ head: one, base, commit: two });
  if (landed.kind !== 'landed') throw new Error(landed.kind);
  expect(`${show(landed.head, 'a.txt')}\n`).toBe(text({ 2: 'one', 20: 'two' }));
});

it('an edit follows a moved file, and a new file stays where its author put it', async () => {
  const base = await work(world.start, { 'old/a.txt': text(), 'old/b.txt': text({ 1: 'b' }) });
  run(world.checkout, 'mv', 'old', 'new');
  const moved = await work('HEAD', {});
  const edited = await work(base, { 'old/a.txt': text({ 20: 'edited' }), 'old/c.txt': 'c\n' });
  const landed = await world.land({ head: moved, base, commit: edited });
  if (landed.kind !== 'landed') throw new Error(landed.kind);
  expect(run(world.bare, 'ls-tree', '-r', '--name-only', landed.head, 'new', 'old').split('\n')).toEqual([
    'new/a.txt',
    'new/b.txt',
    'old/c.txt',
  ]);
  expect(`${show(landed.head, 'new/a.txt')}\n`).toBe(text({ 20: 'edited' }));
});

it('stopped at any step the branch is where it was or where it should be, and the next try lands it [BRANCH-2]', async () => {
  const one = await work(world.start, { 'a.txt': text({ 2: 'one' }) });
  const two = await work(world.start, { 'a.txt': text({ 20: 'two' }) });
  const order = { head: one, commit: two };
  const whole = abortedAt(-1);
  await world.land({ ...order, runId: 'whole' }, whole.signal);
  const head = world.branch('whole');
  expect(whole.looks()).toBeGreaterThan(14);
  for (let step = 1; step <= whole.looks(); step++) {
    const runId = `run_${step}`;
    run(world.bare, 'update-ref', world.landings.ref(runId), one);
    await expect(world.land({ ...order, runId }, abortedAt(step).signal)).rejects.toThrow('stopped here');
    expect([one, head]).toContain(world.branch(runId));
    expect(await world.land({ ...order, runId })).toEqual({ kind: 'landed', head });
    expect(world.branch(runId)).toBe(head);
  }
});

it('two that land the same at once both have landed it', async () => {
  const one = await work(world.start, { 'a.txt': text({ 2: 'one' }) });
  const two = await work(world.start, { 'a.txt': text({ 20: 'two' }) });
  const [left, right] = await Promise.all([1, 2].map(() => world.land({ head: one, commit: two })));
  expect(left).toEqual(right);
  expect(world.branch()).toBe(left?.kind === 'landed' ? left.head : '');
});

it('modes, links and empty work of a real attempt land as they are', async () => {
  const { ground } = world;
  const order = { ...orderFor(ground, 2), taskId: 'task_2' };
  const { path, base } = await ground.workspaces.prepare(order, never);
  await put(path, { 'tool.sh': '#!/bin/sh\n' });
  await chmod(join(path, 'tool.sh'), 0o755);
  await mkdir(join(path, 'links'));
  await symlink('../a.txt', join(path, 'links/a'));
  const { commit } = await ground.workspaces.save(order, never);
  const other = await work(world.start, { 'dir/b.txt': 'other\n' });
  const { runId, attemptId, at, title } = order;
  await world.land({ head: world.start, commit: other });
  const landings = createLandings({ root: ground.root });
  const landed = await landings.land({ runId, attemptId, at, title, base, head: other, commit }, never);
  if (landed.kind !== 'landed') throw new Error(landed.kind);
  const modes = run(
    world.bare,
    'ls-tree',
    '-r',
    '--format=%(objectmode) %(path)',
    landed.head,
    'links',
    'tool.sh',
    'dir',
  );
  expect(modes.split('\n')).toEqual(['100644 dir/b.txt', '120000 links/a', '100755 tool.sh']);
});
