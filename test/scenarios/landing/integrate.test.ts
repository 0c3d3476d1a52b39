// Work is integrated on the branch of its run, once, whatever happens in between.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createChecks } from '../../../src/git/checks/checks.ts';
import { createIntegrations } from '../../../src/git/integrate/integrate.ts';
import { Fault } from '../../../src/std/fault.ts';
import { commitFiles, never, orderFor, pictureOf, put, run } from '../git/git-repositories.ts';
import { abortedAt, attemptOf, type IntegrateWorld, integratedAt, openIntegrateWorld } from './integrate-world.ts';

const text = (changed: Record<number, string> = {}): string =>
  Array.from({ length: 30 }, (_, line) => `${changed[line] ?? `line ${line}`}\n`).join('');

let world: IntegrateWorld;
beforeEach(async () => {
  world = await openIntegrateWorld({
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

const parents = (commit: string) => run(world.bare, 'rev-parse', `${commit}^@`).split('\n');

it("every integration is one merge commit of ours, the first too, and the user's repository has none of it [BRANCH-1] [BRANCH-2]", async () => {
  const before = pictureOf(world.ground.user);
  const commit = await work(world.start, { 'new.txt': 'new\n' });
  const integrated = await world.integrate({ head: world.start, commit });
  const head = integratedAt(integrated);
  expect(integrated).toEqual({
    attemptId: 'attempt_1-1',
    kind: 'integrated',
    commit: head,
    tree: treeOf(commit),
    items: [],
  });
  expect(parents(head)).toEqual([world.start, commit]);
  expect(treeOf(head)).toBe(treeOf(commit));
  expect(world.branch()).toBe(head);
  expect(pictureOf(world.ground.user)).toEqual(before);
});

it('unchanged work, and work that is already there, leaves the head where it is', async () => {
  expect(integratedAt(await world.integrate({ head: world.start, commit: world.start }))).toBe(world.start);
  expect(world.branch()).toBe(world.start);
  const first = await work(world.start, { 'new.txt': 'new\n' });
  const second = await work(first, { 'newer.txt': 'newer\n' });
  const head = integratedAt(await world.integrate({ head: world.start, commit: second }));
  expect(integratedAt(await world.integrate({ head, commit: first }))).toBe(head);
  expect(world.branch()).toBe(head);
});

it("work from an older head is merged with the order's name and time, identically at every try [BRANCH-2]", async () => {
  const one = await work(world.start, { 'a.txt': text({ 2: 'one' }) });
  const two = await work(world.start, { 'a.txt': text({ 20: 'two' }), 'c.txt': 'c\n' });
  const first = integratedAt(await world.integrate({ head: world.start, commit: one }));
  const trailers = [
    { key: 'Signalbox-Run', value: 'run_1' },
    { key: 'Signalbox-Attempt', value: 'attempt_of-somebody-else' },
    { key: 'Signalbox-Agent', value: 'Bob\n\nSignalbox-Attempt: attempt_forged' },
  ];
  const order = { head: first, commit: two, trailers };
  const integrated = await world.integrate(order);
  const head = world.branch() ?? '';
  expect(integratedAt(integrated)).toBe(head);
  expect(`${show(head, 'a.txt')}\n`).toBe(text({ 2: 'one', 20: 'two' }));
  const shown = run(world.bare, 'show', '-s', '--format=%P%n%an <%ae> %at%n%cn <%ce> %ct%n%B', head);
  expect(shown.trim().split('\n')).toEqual([
    `${first} ${two}`,
    'Signalbox <signalbox@localhost> 1700000000',
    'Signalbox <signalbox@localhost> 1700000000',
    'Do the thing',
    '',
    'Signalbox-Attempt: attempt_1-1',
    'Signalbox-Run: run_1',
    'Signalbox-Agent: Bob Signalbox-Attempt: attempt_forged',
  ]);
  const known = run(world.bare, 'show', '-s', '--format=%(trailers:key=Signalbox-Attempt,valueonly)', head);
  expect(known.trim()).toBe('attempt_1-1');
  expect(await world.integrate(order)).toEqual(integrated);
  run(world.bare, 'update-ref', world.integrations.ref('run_1'), first);
  expect(await world.integrate(order)).toEqual(integrated);
  expect(run(world.bare, 'fsck', '--no-dangling')).toBe('');
});

it('a conflict names its paths and whose work touched them, and changes nothing; both sides are kept [BRANCH-3]', async () => {
  const ofOne = { 'a.txt': text({ 2: 'one' }), 'dir/b.txt': 'uno\n', 'fine.txt': '' };
  const one = await work(world.start, ofOne);
  const two = await work(world.start, { 'a.txt': text({ 20: 'two' }), 'good.txt': '' });
  const three = await work(world.start, { 'a.txt': text({ 2: 'three' }), 'dir/b.txt': 'tre\n' });
  const four = await work(world.start, { 'dir/b.txt': 'quattro\n' });
  const results = await world.integrateAll({ head: world.start, works: [{ commit: one }, { commit: two }] });
  const head = integratedAt(results[1]);
  const order = { head, works: [three, four].map((commit, n) => ({ commit, attemptId: attemptOf(n + 2) })) };
  const conflict = { kind: 'conflict', pathsTotal: 2 };
  const both = [
    { ...conflict, attemptId: attemptOf(2), paths: ['a.txt', 'dir/b.txt'], with: [attemptOf(0), attemptOf(1)] },
    { ...conflict, attemptId: attemptOf(3), paths: ['dir/b.txt'], pathsTotal: 1, with: [attemptOf(0)] },
  ];
  expect(await world.integrateAll(order)).toEqual(both);
  expect(await world.integrateAll(order)).toEqual(both);
  expect(world.branch()).toBe(head);
  expect(show(three, 'dir/b.txt')).toBe('tre');
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
  const outcome = await world.integrate({ head: one, base, commit: await side(base, 'two\n') });
  if (outcome.kind !== 'conflict') throw new Error(outcome.kind);
  expect(outcome.pathsTotal).toBe(151);
  expect(outcome.paths).toHaveLength(100);
  expect(outcome.paths.slice(0, 2)).toEqual(['!\\xe9\\\\', 'many/000']);
});

it('a branch that someone else moved is left there, and its place is reported [BRANCH-6]', async () => {
  const one = await work(world.start, { 'new.txt': 'one\n' });
  const stranger = await work(world.start, { 'stranger.txt': '' });
  run(world.bare, 'update-ref', world.integrations.ref('run_1'), stranger);
  await expect(world.integrate({ head: world.start, commit: one })).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining(`refs/signalbox-run/run_1 of ${world.bare} is at ${stranger}`),
  });
  expect(world.branch()).toBe(stranger);
});

it('what is no commit, or does not exist, is refused', async () => {
  const commit = await work(world.start, { 'new.txt': 'one\n' });
  await expect(world.integrate({ head: '--help', commit })).rejects.toMatchObject({ code: 'bad_request' });
  await expect(world.integrate({ head: world.start, commit: 'f'.repeat(40) })).rejects.toMatchObject({
    code: 'git_failed',
  });
  await expect(world.integrate({ head: world.start, commit: treeOf(commit) })).rejects.toMatchObject({
    code: 'git_failed',
  });
  await expect(world.integrate({ head: world.start, commit, runId: '../x' })).rejects.toMatchObject({
    code: 'bad_request',
  });
  await expect(world.integrate({ head: world.start, commit, attemptId: 'never' })).rejects.toMatchObject({
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
  const head = integratedAt(await world.integrate({ head: one, base, commit: two }));
  expect([show(head, 'LOG'), show(head, 'sub/L')]).toEqual(['one\ntwo', 'one\ntwo']);
  const three = await work(base, { 'a.txt': text({ 2: 'three' }) });
  const four = await work(base, { 'a.txt': text({ 20: 'four' }) });
  expect((await world.integrate({ head: three, base, commit: four, runId: 'run_2' })).kind).toBe('integrated');
  expect(existsSync(sentinel)).toBe(false);
});

it('attribute files that are no files do not prevent integration [BRANCH-4]', async () => {
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
  const head = integratedAt(await world.integrate({ head: one, base, commit: two }));
  expect(`${show(head, 'a.txt')}\n`).toBe(text({ 2: 'one', 20: 'two' }));
});

it('an edit follows a moved file, and a new file stays where its author put it [BRANCH-12]', async () => {
  const base = await work(world.start, { 'old/a.txt': text(), 'old/b.txt': text({ 1: 'b' }) });
  run(world.checkout, 'mv', 'old', 'new');
  const moved = await work('HEAD', {});
  const edited = await work(base, { 'old/a.txt': text({ 20: 'edited' }), 'old/c.txt': 'c\n' });
  const head = integratedAt(await world.integrate({ head: moved, base, commit: edited }));
  expect(run(world.bare, 'ls-tree', '-r', '--name-only', head, 'new', 'old').split('\n')).toEqual([
    'new/a.txt',
    'new/b.txt',
    'old/c.txt',
  ]);
  expect(`${show(head, 'new/a.txt')}\n`).toBe(text({ 20: 'edited' }));
});

it('attributes of an integrated work apply to later ones, those of a work that is left out do not [BRANCH-4]', async () => {
  const base = await work(world.start, { 'sub/L': 'first\n', N: 'first\n' });
  const attributes = await work(base, { 'sub/.gitattributes': 'L merge=union\n' });
  const lost = await work(base, { '.gitattributes': 'N merge=union\n' });
  const add = (name: string, words: string) => work(base, { [name]: `first\n${words}\n` });
  const works = [attributes, await add('sub/L', 'one'), await add('sub/L', 'two')];
  world.holds = (_, commit) => !show(commit, '.gitattributes').startsWith('N ');
  const rest = [lost, await add('N', 'one'), await add('N', 'two')];
  const results = await world.integrateAll({
    head: base,
    works: [...works, ...rest].map((commit) => ({ commit, base })),
    checks: [{ name: 'no N', argv: ['no N'], timeoutMs: 1 }],
  });
  expect(results.map(({ kind }) => kind)).toEqual([
    'integrated',
    'integrated',
    'integrated',
    'failed',
    'integrated',
    'conflict',
  ]);
  expect(show(world.branch() ?? '', 'sub/L')).toBe('first\none\ntwo');
});

it('a signature is part of the commit, and git finds it good [BRANCH-7]', async () => {
  const { ground } = world;
  const key = join(ground.home, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  const sign = (payload: string) =>
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'git', '-f', key], { input: payload, encoding: 'utf8' });
  await put(ground.home, { signers: `signalbox@localhost ${readFileSync(`${key}.pub`, 'utf8')}` });
  const integrations = createIntegrations({ root: ground.root, test: async () => [], sign });
  const commit = await work(world.start, { 'new.txt': 'Jörg\n' });
  const { title, at, attemptId, runId } = orderFor(ground);
  const one = {
    attemptId,
    commit,
    base: world.start,
    title: `${title} für Jörg`,
    at,
    trailers: [],
    checks: [],
    wanted: true,
  };
  const order = { runId, head: world.start, works: [one], checks: [], sandboxed: false };
  const [integrated] = await integrations.integrate(order, never);
  const config = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${join(ground.home, 'signers')}`];
  run(world.bare, ...config, 'verify-commit', integratedAt(integrated));
  expect(run(world.bare, 'log', '-1', '--format=%s', integratedAt(integrated))).toBe(`${title} für Jörg`);
  run(world.bare, 'update-ref', '-d', integrations.ref(runId));
  expect(await integrations.integrate(order, never)).toEqual([integrated]);
  expect(run(world.bare, 'fsck', '--no-dangling', '--strict')).toBe('');
});

it('stopped at any step the branch is where it was or where it should be, and the next try integrates the work [BRANCH-9]', async () => {
  const one = await work(world.start, { 'a.txt': text({ 2: 'one' }) });
  const two = await work(world.start, { 'a.txt': text({ 20: 'two' }) });
  const order = { head: one, commit: two };
  const whole = abortedAt(-1);
  await world.integrate({ ...order, runId: 'whole' }, whole.signal);
  const head = world.branch('whole');
  expect(whole.looks()).toBeGreaterThan(14);
  for (let step = 1; step <= whole.looks(); step++) {
    const runId = `run_${step}`;
    run(world.bare, 'update-ref', world.integrations.ref(runId), one);
    await expect(world.integrate({ ...order, runId }, abortedAt(step).signal)).rejects.toThrow('stopped here');
    expect([one, head]).toContain(world.branch(runId));
    expect(integratedAt(await world.integrate({ ...order, runId }))).toBe(head);
    expect(world.branch(runId)).toBe(head);
  }
});

it('two concurrent integrations of the same work both succeed', async () => {
  const one = await work(world.start, { 'a.txt': text({ 2: 'one' }) });
  const two = await work(world.start, { 'a.txt': text({ 20: 'two' }) });
  const [left, right] = await Promise.all([1, 2].map(() => world.integrate({ head: one, commit: two })));
  expect(left).toEqual(right);
  expect(world.branch()).toBe(integratedAt(left));
});

it('modes, links and empty work of a real attempt are integrated as they are', async () => {
  const { ground } = world;
  const order = { ...orderFor(ground, 2), taskId: 'task_2' };
  const { path, base } = await ground.workspaces.prepare(order, never);
  await put(path, { 'tool.sh': '#!/bin/sh\n' });
  await chmod(join(path, 'tool.sh'), 0o755);
  await mkdir(join(path, 'links'));
  await symlink('../a.txt', join(path, 'links/a'));
  const { commit } = await ground.workspaces.save(order, never);
  const other = await work(world.start, { 'dir/b.txt': 'other\n' });
  const before = integratedAt(await world.integrate({ head: world.start, commit: other }));
  const head = integratedAt(await world.integrate({ head: before, base, commit, attemptId: order.attemptId }));
  const modes = run(world.bare, 'ls-tree', '-r', '--format=%(objectmode) %(path)', head, 'links', 'tool.sh', 'dir');
  expect(modes.split('\n')).toEqual(['100644 dir/b.txt', '120000 links/a', '100755 tool.sh']);
});

it('lockfiles that merge and cannot be installed together are a failed check of the later work [CHECK-16]', async () => {
  const both = 'test ! -e a/package-lock.json || test ! -e b/package-lock.json';
  await mkdir(join(world.checkout, '.signalbox'));
  await writeFile(join(world.checkout, '.signalbox/setup'), `#!/bin/sh\n${both} || { echo 'ERESOLVE'; exit 1; }\n`);
  await chmod(join(world.checkout, '.signalbox/setup'), 0o755);
  const start = await work(world.start, {});
  run(world.checkout, 'checkout', '-q', '--detach', world.start);
  const { run: test } = createChecks({ root: world.ground.root });
  const integrations = createIntegrations({ root: world.ground.root, test });
  const checks = [{ name: 'unit', argv: ['true'], timeoutMs: 60_000 }];
  const works = [];
  for (const name of ['a', 'b']) works.push(await work(start, { [`${name}/package-lock.json`]: '{}\n' }));
  const [one, other] = await integrations.integrate(
    {
      runId: 'run_1',
      head: start,
      checks,
      sandboxed: false,
      works: works.map((commit, n) => ({ ...usualWork, attemptId: attemptOf(n), commit, base: start, checks: [] })),
    },
    never,
  );
  expect(one).toMatchObject({ kind: 'integrated' });
  const detail = 'check "unit" could not be run: .signalbox/setup failed: exit 1: ERESOLVE';
  expect(other).toMatchObject({ kind: 'failed', items: [{ check: 'unit', passed: false, detail }] });
});

it('a setup that fails though nothing of it was merged is no failure of the work [CHECK-16]', async () => {
  const commit = await work(world.start, { 'new.txt': 'new\n' });
  world.holds = () => {
    throw new Fault('setup_failed', 'the network is down');
  };
  const checks = [{ name: 'unit', argv: ['true'], timeoutMs: 60_000 }];
  await expect(world.integrate({ head: world.start, commit, checks })).rejects.toThrow('the network is down');
  expect(world.branch()).toBeNull();
});

const usualWork = { wanted: true, title: 'Do the thing', at: 1_700_000_000_000, trailers: [] };
