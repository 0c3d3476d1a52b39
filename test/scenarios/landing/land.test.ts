// From a run into the user's branch, by the command line: asked for beforehand or afterwards, into a checkout or beside it, as a
// pull request, and over the death of the daemon.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LandingView } from '../../../src/wire/landing-views.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const writes = (path: string, text = `${path}\n`) => world.script([{ write: { path, text } }, { say: 'It is done.' }]);

async function made(name: string, ...more: string[]): Promise<void> {
  const { code, stderr } = await world.sb(['run', name, '--script', writes(`${name}.txt`), ...more]);
  expect(code, stderr).toBe(0);
}

const tip = (branch: string): string => world.git('rev-parse', branch);
const leaveMain = (): void => void world.git('checkout', '-q', '-b', 'elsewhere');
const mainOf = (): string => world.git('symbolic-ref', '--short', 'HEAD');

describe('run --into', () => {
  it('lands all prompts together when all have succeeded [LAND-26]', async () => {
    const main = mainOf();
    leaveMain();
    const args = ['run', 'one', 'two', '--script', writes('one.txt'), '--script', writes('two.txt')];
    const { code, stdout, stderr } = await world.sb([...args, '--into', main, '--check', 'test -f README.md']);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`landing in ${main}: merge, run checks, move the branch`));
    expect(stdout).toMatch(
      new RegExp(`landed: branch ${main} of .* moved from \\w{7} to \\w{7}; your checkout was not`),
    );
    expect(world.git('ls-tree', '--name-only', main).split('\n')).toEqual(['README.md', 'one.txt', 'two.txt']);
    expect(existsSync(join(world.repo, 'one.txt'))).toBe(false);
  });

  it('refuses an impossible branch before anything starts [LAND-18]', async () => {
    const { code, stderr } = await world.sb(['run', 'x', '--script', writes('x'), '--into', `${mainOf()}n`]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/has no branch .* \(did you mean/)]);
    expect(await world.list()).toEqual([]);
    expect((await world.sb(['run', 'x', '--script', writes('x'), '--checkout'])).code).toBe(2);
  });

  it('succeeds if only the checkout is in the way, prints the one command, and resume lands it [LAND-19, LAND-23, LAND-41]', async () => {
    const main = mainOf();
    const start = tip(main);
    const run = await world.sb(['run', 'one', '--script', writes('one.txt'), '--into', main]);
    expect(run.code, run.stderr).toBe(3);
    expect(run.stdout).toMatch(/^succeeded: 1 of 1 tasks/m);
    expect(run.stdout).toMatch(
      /not landed yet: .* is checked out in .*; the merged and checked work is on branch signalbox-run\/one/,
    );
    expect(run.stdout).toMatch(/finish it: git merge --ff-only signalbox-run\/one && git branch -d signalbox-run\/one/);
    expect(tip(main)).toBe(start);
    leaveMain();
    const { run: before } = await world.only();
    expect((await world.sb(['resume', before.id])).code).toBe(0);
    expect(world.git('ls-tree', '--name-only', main)).toContain('one.txt');
    expect((await world.only()).run).toMatchObject({ state: 'ended', outcome: 'succeeded', landing: { n: 2 } });
    expect(world.git('for-each-ref', 'refs/heads/signalbox-run')).toBe('');
  });
});

describe('land', () => {
  it('moves a clean checkout with its branch, and leaves one with changes as it is [LAND-19]', async () => {
    const main = mainOf();
    await made('one');
    writeFileSync(join(world.repo, 'README.md'), 'mine\n');
    const beside = await world.sb(['land', 'one', '--into', main]);
    expect(beside.code, beside.stderr).toBe(3);
    expect(beside.stderr).toMatch(new RegExp(`signalbox land run_\\w+ --into ${main}$`, 'm'));
    expect(readFileSync(join(world.repo, 'README.md'), 'utf8')).toBe('mine\n');
    world.git('checkout', '-q', '.');
    expect((await world.sb(['land', 'one', '--into', main, '--no-checkout'])).code).toBe(3);
    const { code, stdout, stderr } = await world.sb(['land', 'one', '--into', main, '--json']);
    expect(code, stderr).toBe(0);
    const told = JSON.parse(stdout) as LandingView & { runId: string };
    expect(told.outcome).toMatchObject({ kind: 'landed', branch: main, commit: tip(main), checkedOut: true });
    expect(readFileSync(join(world.repo, 'one.txt'), 'utf8')).toBe('one.txt\n');
    expect(world.git('status', '--porcelain')).toBe('');
    expect((await world.sb(['land', 'one', '--into', main])).stdout).toMatch(/already contains this work/);
  });

  it('without a branch takes the one that the run started from, else the current one, and says so [LAND-27, LAND-42]', async () => {
    const main = mainOf();
    await made('one');
    const head = world.git('for-each-ref', '--format=%(refname) %(objectname)');
    const beside = await world.sb(['land', 'one', '--no-checkout']);
    expect([beside.code, beside.stderr]).toEqual([3, expect.stringContaining(`into ${main}: the run started from it`)]);
    expect(beside.stderr).toMatch(
      /finish it: git merge --ff-only signalbox-run\/one && git branch -d signalbox-run\/one/,
    );
    const now = world.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n');
    expect(now.filter((line) => !/signalbox-run\/one|refs\/notes\/signalbox /.test(line)).join('\n')).toBe(head);
    leaveMain();
    expect((await world.sb(['land', 'one'])).code).toBe(0);
    expect(world.git('ls-tree', '--name-only', main)).toContain('one.txt');
    world.git('checkout', '-q', '--detach');
    await made('two');
    const nowhere = await world.sb(['land', 'two']);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('name one with --into')]);
    world.git('checkout', '-q', 'elsewhere');
    const current = await world.sb(['land', 'two']);
    expect([current.code, current.stderr]).toEqual([0, expect.stringContaining('into elsewhere: it is checked out')]);
    expect(existsSync(join(world.repo, 'two.txt'))).toBe(true);
  });

  it('removes the branches of ours that hold only what has landed [LAND-43]', async () => {
    const main = mainOf();
    await made('one');
    expect((await world.sb(['land', 'one', '--no-checkout'])).code).toBe(3);
    expect((await world.sb(['take', 'one', '--branch', 'signalbox/one/one'])).code).toBe(0);
    world.git('branch', 'signalbox-run/mine');
    world.git('checkout', '-q', 'signalbox-run/mine');
    world.git('commit', '-q', '--allow-empty', '-m', 'Mine');
    const landed = await world.sb(['land', 'one']);
    expect(landed.code, landed.stderr).toBe(0);
    expect(world.git('ls-tree', '--name-only', main)).toContain('one.txt');
    const ours = world.git(
      'for-each-ref',
      '--format=%(refname:lstrip=2)',
      'refs/heads/signalbox*',
      'refs/heads/signalbox*/**',
    );
    expect(ours).toBe('signalbox-run/mine');
  });

  it('reports conflicts and invalid requests [LAND-19]', async () => {
    const main = mainOf();
    await made('one', '--conflicts', '0');
    writeFileSync(join(world.repo, 'one.txt'), 'mine\n');
    world.git('add', '.');
    world.git('commit', '-qm', 'Mine');
    leaveMain();
    const clash = await world.sb(['land', 'one', '--into', main]);
    expect([clash.code, clash.stdout]).toEqual([1, expect.stringMatching(/conflict with branch .* in one\.txt/)]);
    expect((await world.sb(['land', 'one', '--open-pr', '--checkout'])).code).toBe(2);
    const gone = await world.sb(['land', 'one', '--into', 'nowhere']);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringMatching(/has no branch nowhere/)]);
  });

  it('lands once, files and all, over the death of the daemon once the branch is moved [LAND-17]', async () => {
    const main = mainOf();
    // Swapped, files moved, index moved, and not yet reported. Earlier steps are repeated in every life.
    const steps = [5, 6, 7, 9];
    for (const n of steps) {
      const name = `killed-${n}`;
      await made(name);
      await world.sb(['down']);
      const args = ['land', name, '--into', main, '--checkout'];
      await world.sb(args, { env: { SIGNALBOX_DIE_AFTER: `${n} landings` } });
      await world.sb(['down']);
      const { code, stdout, stderr } = await world.sb(args);
      expect(code, `${n}: ${stdout}${stderr}`).toBe(0);
      expect(readFileSync(join(world.repo, `${name}.txt`), 'utf8')).toBe(`${name}.txt\n`);
      expect(world.git('status', '--porcelain')).toBe('');
      const run = (await world.list()).find((each: RunView) => each.name === name);
      expect(run).toMatchObject({ state: 'ended', outcome: 'succeeded', landing: { outcome: { kind: 'landed' } } });
    }
    const moves = world.git('log', '-g', '--format=%gs', main).split('\n');
    expect(moves.filter((line) => line.startsWith('signalbox: '))).toEqual(
      steps.toReversed().map((n) => `signalbox: killed-${n}`),
    );
  });
});

describe('land --open-pr', () => {
  const gh = (text: string): Record<string, string> => {
    const bin = world.path('bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'gh'), text);
    chmodSync(join(bin, 'gh'), 0o755);
    return { PATH: `${bin}${delimiter}${process.env['PATH']}` };
  };
  const remote = (): string => {
    const bare = world.path('remote.git');
    execFileSync('git', ['init', '-q', '--bare', bare]);
    world.git('remote', 'add', 'origin', bare);
    return bare;
  };

  it("pushes the branch and opens it with the user's gh [LAND-20]", async () => {
    const main = mainOf();
    const bare = remote();
    await made('one');
    const log = world.path('gh.log');
    const env = gh(
      `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "$@" > ${log}; cat >> ${log}\necho https://example.test/pull/7\n`,
    );
    const { code, stdout, stderr } = await world.sb(['land', 'one', '--into', main, '--open-pr'], { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/https:\/\/example\.test\/pull\/7/);
    expect(readFileSync(log, 'utf8')).toMatch(
      new RegExp(`^pr create --base ${main} --head signalbox-run/one --title one --body-file -\\n.*run \`one\``),
    );
    const pushed = execFileSync('git', ['-C', bare, 'rev-parse', 'signalbox-run/one'], { encoding: 'utf8' }).trim();
    expect(pushed).toBe(tip('signalbox-run/one'));
  });

  it('without gh pushes nothing and says what to do by hand [LAND-20]', async () => {
    const main = mainOf();
    const bare = remote();
    await made('one');
    const bin = world.path('few');
    mkdirSync(bin);
    for (const name of ['git', 'node', 'sh']) {
      const found = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
      execFileSync('ln', ['-s', found, join(bin, name)]);
    }
    const { code, stderr } = await world.sb(['land', 'one', '--into', main, '--open-pr'], { env: { PATH: bin } });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/gh is not on your PATH, .*git -C .* push origin/)]);
    expect(execFileSync('git', ['-C', bare, 'for-each-ref'], { encoding: 'utf8' })).toBe('');
  });
});

it('queue shows what is on its way to which branch [LAND-21]', async () => {
  const main = mainOf();
  leaveMain();
  expect((await world.sb(['queue'])).stdout).toBe('nothing waits to be integrated or landed\n');
  const go = world.path('go');
  // Checks in no sandbox: this one waits for a file of the test.
  const check = `until test -e ${go}; do sleep 0.05; done`;
  const slow = [
    'run',
    'slow',
    '--script',
    writes('slow.txt'),
    '--check',
    check,
    '--into',
    main,
    '-d',
    '--sandbox',
    'none',
  ];
  expect((await world.sb(slow)).code).toBe(0);
  const waiting = await world.sb(['queue', '--json']);
  expect(JSON.parse(waiting.stdout)).toMatchObject({
    targets: [{ branch: main, runs: [{ name: 'slow', since: null }] }],
  });
  expect((await world.sb(['queue'])).stdout).toMatch(/slow \(run_\w+\): still running/);
  world.touch('go');
  await until(async () => (await world.only()).run.state === 'ended', { timeoutMs: 30_000, what: 'its end' });
  expect((await world.sb(['queue'])).stdout).toBe('nothing waits to be integrated or landed\n');
});

it('review shows what there is to know before the work is taken [LAND-22]', async () => {
  const script = world.script([
    { write: { path: 'made.txt', text: 'a\nb\n' } },
    { turn: 'All \u001b]0;owned\u0007done.' },
  ]);
  const args = ['run', 'Make a file\nwith two lines', '--name', 'made', '--script', script];
  expect((await world.sb([...args, '--check', 'test -f made.txt'])).code).toBe(0);
  const { code, stdout, stderr } = await world.sb(['review', 'made'], { env: { TERM: 'xterm' } });
  expect(code, stderr).toBe(0);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/prompt: Make a file\n/);
  expect(stdout).toMatch(/changed: 1 file, \+2 -0\n {4}made\.txt \+2 -0/);
  expect(stdout).toMatch(/passed {2}test-f-made-txt: exit 0/);
  expect(stdout).toMatch(/last message:\n {4}All <U\+001B>\]0;owned<U\+0007>done\./);
  expect(stdout).not.toMatch(/no check covers|not covered/);
  expect(stdout).toMatch(/land: {3}signalbox land run_\w+ --into <branch>/);
  const told = JSON.parse((await world.sb(['review', 'made', '--json'])).stdout) as { tasks: unknown[] };
  expect(told.tasks).toMatchObject([{ verified: true, files: [{ path: 'made.txt', added: 2, deleted: 0 }] }]);
  await made('bare');
  expect((await world.sb(['review', 'bare'])).stdout).toMatch(/not covered by any check: bare/);
});
