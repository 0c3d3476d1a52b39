// S6: the user's checkout is half-changed, ten agents edit the same line, switch branches and commit. Nothing of the user's
// moves, all ten works are there, one integrates, and nothing that is nowhere else is discarded.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const agents = 10;

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: String(agents) });
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** Every file below a directory, git's own included: what it is, its mode, its times and what is in it. */
function fingerprint(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(root, name);
      const found = lstatSync(path);
      const content = found.isFile() ? readFileSync(path) : found.isSymbolicLink() ? readlinkSync(path) : '';
      const sum = createHash('sha256').update(content).digest('hex');
      return `${name} ${found.mode} ${found.isFile() ? found.mtimeMs : ''} ${sum}`;
    });
}

/** The user is in the middle of something: three files changed, one of them staged, and two new ones. Returns the base. */
function halfChange(): string {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(world.repo, name), `${name} 1\n`);
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', 'Three files');
  for (const name of ['a', 'b', 'c']) writeFileSync(join(world.repo, name), `${name} changed\n`);
  world.git('add', 'b');
  for (const name of ['new-1', 'new-2']) writeFileSync(join(world.repo, name), name);
  return world.git('rev-parse', 'HEAD');
}

it("S6: ten agents on the same line leave the user's checkout as it is, byte for byte [WS-1]", async () => {
  const base = halfChange();
  const before = fingerprint(world.repo);

  const scripts = Array.from({ length: agents }, (_, i) => [
    { run: `test "$(cat a)" = 'a 1'` },
    { write: { path: 'a', text: `a by ${i}\n` } },
    { run: `git checkout -q -b other-${i}; git commit -qam "by ${i}"` },
    { write: { path: `left-${i}`, text: 'uncommitted' } },
  ]);
  const prompts = scripts.map((_, i) => `agent ${i}`);
  const args = ['run', ...prompts, '--json', ...scripts.flatMap((steps) => ['--script', world.script(steps)])];
  const { code, stdout, stderr } = await world.sb([...args, '--apart']);
  expect(code, stderr).toBe(0);
  expect(fingerprint(world.repo)).toEqual(before);

  const { tasks, repo } = JSON.parse(stdout) as RunView;
  expect(repo.base).toBe(base);
  expect(new Set(tasks.map(({ attempt }) => attempt?.workspace)).size).toBe(agents);
  for (const [i, { attempt, name }] of tasks.entries()) {
    const show = (path: string) =>
      execFileSync('git', ['--git-dir', attempt?.gitDir ?? '', 'show', `${attempt?.ref}:${path}`], {
        encoding: 'utf8',
      });
    expect(show('a'), name).toBe(`a by ${i}\n`);
    expect(show(`left-${i}`)).toBe('uncommitted');
    expect(show('b')).toBe('b 1\n');
  }
  // Discarding is one command; what was saved stays.
  expect((await world.sb(['rm', tasks[0]?.id ?? ''])).code).toBe(0);
  expect(world.git('--git-dir', tasks[0]?.attempt?.gitDir ?? '', 'cat-file', '-t', tasks[0]?.attempt?.ref ?? '')).toBe(
    'commit',
  );
  expect(fingerprint(world.repo)).toEqual(before);
});

it('S6: of ten works on one line one is integrated and nine conflict, all are kept, and discarding refuses what is nowhere else [INT-4] [BRANCH-3] [WS-41]', async () => {
  halfChange();
  const before = fingerprint(world.repo);
  const scripts = Array.from({ length: agents }, (_, i) => {
    const steps = [
      { run: `touch '${world.path(`here-${i}`)}'` },
      { waitFor: world.path('go') },
      { write: { path: 'a', text: `a by ${i}\n` } },
      { run: `git checkout -q -b other-${i}; git commit -qam "by ${i}"` },
      { write: { path: `left-${i}`, text: 'uncommitted' } },
    ];
    return world.script(steps);
  });
  const prompts = scripts.map((_, i) => `agent ${i}`);
  const options = ['--conflicts', '0', '--on-conflict', 'fail', '--json'];
  const started = world.start(['run', ...prompts, ...scripts.flatMap((file) => ['--script', file]), ...options]);
  const here = scripts.map((_, i) => world.path(`here-${i}`));
  await until(() => here.every(existsSync), { timeoutMs: 60_000, what: 'all to be at work' });
  world.touch('go');
  const { code, stdout, stderr } = await started.ended;
  // Partly done.
  expect(code, stderr).toBe(6);
  expect(fingerprint(world.repo)).toEqual(before);

  const run = JSON.parse(stdout) as RunView;
  const git = (...args: string[]) => world.git('--git-dir', run.tasks[0]?.attempt?.gitDir ?? '', ...args);
  const winner = run.tasks.findIndex(({ outcome }) => outcome?.kind === 'succeeded');
  const losers = run.tasks.filter((_, i) => i !== winner);
  expect(git('show', `${run.branch?.head}:a`)).toBe(`a by ${winner}`);
  expect(git('rev-list', '--first-parent', '--count', `${run.repo.base}..${run.branch?.head}`)).toBe('1');
  for (const { name, outcome } of losers) {
    expect(outcome, name).toMatchObject({
      kind: 'failed',
      failure: { reason: 'conflict', detail: expect.stringContaining(`("agent-${winner}"), in a; both are kept`) },
    });
  }
  const works = () =>
    run.tasks.map(({ attempt }) => [git('show', `${attempt?.ref}:a`), git('rev-parse', `${attempt?.ref}`)]);
  const kept = run.tasks.map(({ attempt }, i) => [`a by ${i}`, attempt?.commit]);
  expect(works()).toEqual(kept);

  const [unsaved, ...rest] = losers.map(({ attempt }) => ({ id: attempt?.id ?? '', path: attempt?.workspace ?? '' }));
  writeFileSync(join(unsaved?.path ?? '', 'afterwards'), 'nowhere else');
  const refused = await world.sb(['rm', run.id, '--yes', '--force']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`kept ${unsaved?.id}: it was changed after its work was saved: afterwards`);
  expect((await world.sb(['gc'])).code).toBe(0);
  for (const { path } of rest) await until(() => !existsSync(path), { what: `${path} to be gone` });
  expect(readFileSync(join(unsaved?.path ?? '', 'afterwards'), 'utf8')).toBe('nowhere else');
  expect(works()).toEqual(kept);
  expect((await world.sb(['gc', '--dry-run'])).stdout).toMatch(/kept +workspace .*afterwards/);
  expect(fingerprint(world.repo)).toEqual(before);
});

it('S6: from the uncommitted state on request, and the checkout is still as it was [WS-7]', async () => {
  writeFileSync(join(world.repo, 'README.md'), 'changed\n');
  writeFileSync(join(world.repo, 'fresh.txt'), 'fresh\n');
  const before = fingerprint(world.repo);
  const script = world.script([{ run: `test "$(cat README.md fresh.txt)" = "changed\nfresh"` }]);
  const { code, stdout } = await world.sb(['run', 'look', '--base', 'worktree', '--script', script]);
  expect(code, stdout).toBe(0);
  expect(fingerprint(world.repo)).toEqual(before);
});

it('a person who submits a run is told which uncommitted changes are not in it, with and without --json [WS-28]', async () => {
  const nested = join(world.repo, 'nested');
  world.git('init', '--quiet', nested);
  world.git('-C', nested, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'own');
  for (const more of [[], ['--json']]) {
    const { code, stderr, stdout } = await world.sb(['run', 'look', '--detach', '--base', 'worktree', ...more]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('nested');
    if (more.length > 0) expect(JSON.parse(stdout)).toMatchObject({ notes: [expect.stringContaining('nested')] });
  }
  const over = async () => (await world.list()).every(({ state }) => state === 'ended');
  await until(over, { timeoutMs: 60_000, what: 'both to end' });
});

it('work that a commit cannot hold is kept, and the summary says where [WS-8]', async () => {
  writeFileSync(join(world.repo, '.gitignore'), '*.secret\n');
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', 'Ignore');
  const script = world.script([{ write: { path: 'made.secret', text: 'ignored and wanted' } }]);
  const { code, stdout } = await world.sb(['run', 'keep', '--script', script]);
  expect(code, stdout).toBe(0);
  const { task } = await world.only();
  const [note = ''] = task.attempt?.notes ?? [];
  expect(note).toMatch(/archive/);
  expect(stdout).toContain(`note: ${note}`);
  const archive = /\/\S+\.tar\.gz/.exec(note)?.[0] ?? '';
  expect(execFileSync('tar', ['-xzOf', archive], { encoding: 'utf8' })).toContain('ignored and wanted');
});
