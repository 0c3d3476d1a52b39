// Looking at a task's work and taking it: the user's branch gains it, and nothing else of their repository changes.

import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { runEnd, submit } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { hasPty, sit } from './terminal-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const evil = 'an \u001b]0;owned\u0007evil line\n';

async function runTask(name: string, text: string, ...more: string[]): Promise<void> {
  const script = world.script([{ write: { path: 'made.txt', text } }, { commit: 'Make it' }]);
  const { code, stdout } = await world.sb(['run', name, '--script', script, ...more]);
  expect(code, stdout).toBe(0);
}

describe('diff', () => {
  it('is input for git apply, or a list of files [TAKE-1]', async () => {
    await runTask('change', evil);
    const plain = await world.sb(['diff', 'change']);
    expect(plain.code, plain.stderr).toBe(0);
    execFileSync('git', ['apply', '--check'], { cwd: world.repo, input: plain.stdout });
    expect(plain.stdout).toContain(`+${evil}`);
    expect((await world.sb(['diff', 'change', '--stat'])).stdout).toMatch(/made\.txt \| 1 \+\n 1 file changed/);
    const told = JSON.parse((await world.sb(['diff', 'change', '--json'])).stdout) as { files: unknown[] };
    expect(told.files).toEqual([{ path: 'made.txt', added: 1, deleted: 0 }]);
  });

  it.runIf(hasPty)(
    'on a terminal goes through the pager, with visible control characters [CLI-8] [TAKE-1]',
    async () => {
      await runTask('change', evil);
      const tty = sit(world, ['diff', 'change'], { env: { GIT_PAGER: "sed 's/^/| /'" } });
      expect(await tty.ended).toBe(0);
      expect(tty.shown()).toMatch(/^\| \+an <U\+001B>\]0;owned<U\+0007>evil line$/m);
      expect(tty.bytes()).not.toContain('\u001b]0;');
      const early = sit(world, ['diff', 'change'], { env: { GIT_PAGER: 'true' } });
      expect(await early.ended).toBe(0);
    },
  );

  it('of unsaved work says so', async () => {
    await world.sb(['run', 'slow', '-d', '--script', world.script([{ waitFor: world.path('go') }])]);
    await until(() => world.agents().length === 1, { timeoutMs: 20_000, what: 'the agent' });
    const { code, stderr } = await world.sb(['diff', 'slow']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /no work of slow is saved \(running.*\): work is saved when an attempt ends; its files are in /,
    );
    world.touch('go');
    await world.ended();
  });
});

describe('diff and take of a whole run', () => {
  const task = (name: string, steps: readonly object[], needs: string[] = []) => ({
    name,
    prompt: name,
    needs,
    harness: 'scripted',
    settings: { script: JSON.stringify(steps) },
    attemptsMax: 1,
  });
  const writes = (path: string) => ({ write: { path, text: `${path}\n` } });

  it('mean everything integrated, and say when that is not all [TAKE-4]', async () => {
    await world.up();
    const start = world.git('rev-parse', 'HEAD');
    const refs = world.git('for-each-ref');
    const tasks = [
      task('one', [writes('one.txt')]),
      task('two', [writes('two.txt')]),
      task('then', [{ run: 'cat one.txt two.txt > both.txt' }, writes('then.txt')], ['one', 'two']),
      task('failing', [writes('failing.txt'), { exit: 3 }]),
    ];
    const { id } = await submit(world, tasks, 'several');
    const { branch, outcome } = await runEnd(world, id);
    expect(outcome).toBe('partial');
    expect(branch).toMatchObject({ ref: `refs/signalbox-run/${id}`, base: start });
    const told = JSON.parse((await world.sb(['diff', id, '--json'])).stdout) as { files: { path: string }[] };
    expect(told).toMatchObject({ runId: id, taskId: null, base: start, commit: branch?.head });
    expect(told.files.map(({ path }) => path)).toEqual(['both.txt', 'one.txt', 'then.txt', 'two.txt']);
    const { stdout } = await world.sb(['diff', 'several']);
    execFileSync('git', ['apply', '--check'], { cwd: world.repo, input: stdout });
    expect((await world.sb(['take', 'one'])).code).toBe(0);
    const taken = await world.sb(['take', 'several']);
    expect(taken.code, taken.stderr).toBe(0);
    expect(taken.stdout).toContain('branch signalbox-run/several of');
    expect(taken.stderr).toContain('The run did not succeed (partial): these are the tasks integrated so far.');
    expect(world.git('rev-parse', 'signalbox-run/several')).toBe(branch?.head);
    expect(world.git('show', 'signalbox-run/several:both.txt')).toBe('one.txt\ntwo.txt');
    expect(
      world
        .git('for-each-ref', '--format=%(refname)')
        .split('\n')
        .filter((ref) => !refs.includes(ref)),
    ).toEqual(['refs/heads/signalbox-run/several', 'refs/heads/signalbox/several/one']);
  });

  it('have nothing of a task that keeps nothing, and say so [TAKE-4] [WS-18]', async () => {
    await world.up();
    const looking = { ...task('look', [writes('junk.txt'), { commit: 'Junk' }]), keeps: false };
    const { id } = await submit(world, [looking, task('work', [writes('work.txt')], ['look'])]);
    const run = await runEnd(world, id);
    expect(run.outcome).toBe('succeeded');
    expect(run.tasks[0]?.attempt?.notes).toEqual(['a change to one path was thrown away, as was said']);
    const told = JSON.parse((await world.sb(['diff', id, '--json'])).stdout) as { files: { path: string }[] };
    expect(told.files.map(({ path }) => path)).toEqual(['work.txt']);
    expect(await world.sb(['take', 'look'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no work of look is kept: it is a read-only task'),
    });
  });

  it('name the tasks if nothing was integrated [TAKE-4]', async () => {
    await world.up();
    const { id } = await submit(world, [task('one', [{ exit: 3 }]), task('two', [{ exit: 3 }])]);
    await runEnd(world, id);
    for (const verb of ['take', 'diff']) {
      const { code, stderr } = await world.sb([verb, id]);
      expect(code).toBe(2);
      expect(stderr).toContain('is a run without integrated work: name one of its tasks (one, two)');
    }
  });
});

describe('take', () => {
  it('makes a branch of the work, and touches neither HEAD, index nor files [TAKE-2]', async () => {
    const before = { status: world.git('status', '--porcelain'), refs: world.git('for-each-ref'), head: headOf() };
    const index = statSync(join(world.repo, '.git', 'index'));
    await runTask('change', 'made\n', '--name', 'first');
    const taken = await world.sb(['take', 'change']);
    expect(taken.code, taken.stderr).toBe(0);
    expect(taken.stdout).toContain('branch signalbox/first/change of');
    expect(world.git('show', 'signalbox/first/change:made.txt')).toBe('made');
    expect(statSync(join(world.repo, '.git', 'index')).mtimeMs).toBe(index.mtimeMs);
    expect(world.git('status', '--porcelain')).toBe(before.status);
    expect(headOf()).toBe(before.head);
    const added = world.git('for-each-ref', '--format=%(refname)').split('\n');
    expect(added.filter((ref) => !before.refs.includes(ref))).toEqual(['refs/heads/signalbox/first/change']);
    expect((await world.sb(['take', 'change'])).stdout).toContain('has it already');
  });

  it('moves a branch forward, and replaces nothing unless told to [TAKE-3]', async () => {
    await runTask('change', 'made\n');
    world.git('branch', 'mine');
    const forward = await world.sb(['take', 'change', '--branch', 'mine', '--json']);
    const { commit } = JSON.parse(forward.stdout) as { commit: string };
    expect(world.git('rev-parse', 'mine')).toBe(commit);
    await runTask('other', 'other\n');
    const refused = await world.sb(['take', 'other', '--branch', 'mine']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('which is not part of this work');
    expect(world.git('rev-parse', 'mine')).toBe(commit);
    expect((await world.sb(['take', 'other', '--branch', 'mine', '--force'])).code).toBe(0);
    expect(world.git('show', 'mine:made.txt')).toBe('other');
  });

  it('leaves a checked-out branch and an invalid name alone [TAKE-3]', async () => {
    await runTask('change', 'made\n');
    const current = world.git('branch', '--show-current');
    const here = await world.sb(['take', 'change', '--branch', current, '--force']);
    expect(here.code).toBe(1);
    expect(here.stderr).toContain(`${current} is checked out at `);
    world.git('worktree', 'add', '--quiet', '-b', 'elsewhere', world.path('elsewhere'));
    expect((await world.sb(['take', 'change', '--branch', 'elsewhere'])).stderr).toContain('is checked out at ');
    for (const name of ['a..b', '-x', 'x.lock', 'a b']) {
      expect(await world.sb(['take', 'change', `--branch=${name}`])).toMatchObject({ code: 2 });
    }
  });

  it('works from anywhere, also from inside a hook; a moved repository is named [TAKE-2]', async () => {
    await runTask('change', 'made\n');
    const odd = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' };
    expect((await world.sb(['take', 'change', '--branch', 'a'], { cwd: '/', env: odd })).code).toBe(0);
    renameSync(world.repo, `${world.repo}-moved`);
    const gone = await world.sb(['take', 'change', '--branch', 'b'], { cwd: '/' });
    renameSync(`${world.repo}-moved`, world.repo);
    expect(gone.code).toBe(2);
    const [, byHand = ''] = /Where it is now, run: (.*)$/m.exec(gone.stderr) ?? [];
    execFileSync('sh', ['-c', byHand], { cwd: world.repo });
    expect(world.git('show', 'taken:made.txt')).toBe('made');
  });

  it('of failed work takes what there is, and says so', async () => {
    const script = world.script([{ write: { path: 'half.txt', text: 'half' } }, { exit: 3 }]);
    await world.sb(['run', 'half', '--script', script]);
    const { code, stderr } = await world.sb(['take', 'half']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('The task did not succeed: failed (crash)');
    expect(world.git('show', 'signalbox/half/half:half.txt')).toBe('half');
  });
});

function headOf(): string {
  return readFileSync(join(world.repo, '.git', 'HEAD'), 'utf8');
}
