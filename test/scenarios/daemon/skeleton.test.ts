// A run from the command line to its end, with real processes: what it makes, how it fails, what it says.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from './daemon-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld({}, 'process');
});

afterEach(() => world.close());

describe('a run', () => {
  it('succeeds and its work is at its ref [WS-2] [WS-4]', async () => {
    const before = world.git('rev-parse', 'HEAD');
    const script = world.script([{ say: 'hello' }, { write: { path: 'src/hello.txt', text: 'hello\n' } }]);
    const { code, stdout } = await world.sb(['run', 'hello', '--script', script, '-v']);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/hello {2}started\n/);
    expect(stdout).toMatch(/hello {2}turn ended\n/);
    expect(stdout).toMatch(/hello {2}succeeded [0-9a-f]{7}\n/);
    const { task } = await world.only();
    const { gitDir, ref, commit } = task.attempt ?? {};
    expect(world.git('--git-dir', gitDir ?? '', 'show', `${ref}:src/hello.txt`)).toBe('hello');
    expect(world.git('--git-dir', gitDir ?? '', 'rev-parse', ref ?? '')).toBe(commit);
    expect(stdout).toContain(ref);
    expect(world.git('rev-parse', 'HEAD')).toBe(before);
    expect(world.git('status', '--porcelain')).toBe('');
  });

  it('starts from the named base, or from the files as they are [WS-7]', async () => {
    writeFileSync(join(world.repo, 'README.md'), '# Edited\n');
    const scripted = ['--script', world.script([{ say: 'hello' }]), '--json'];
    const based = async (base: string) => {
      const { code, stdout, stderr } = await world.sb(['run', 'hello', '--base', base, ...scripted]);
      if (code !== 0) return { code, said: stderr };
      const { gitDir = '', commit } = (JSON.parse(stdout) as RunView).tasks[0]?.attempt ?? {};
      return { code, said: world.git('--git-dir', gitDir ?? '', 'show', `${commit}:README.md`) };
    };
    expect(await based('worktree')).toEqual({ code: 0, said: '# Edited' });
    expect(await based('HEAD')).toEqual({ code: 0, said: '# Sample' });
    const refused = await based('nowhere');
    expect(refused.code).toBe(2);
    expect(refused.said).toMatch(/has no branch, tag or commit "nowhere"/);
    expect(world.git('status', '--porcelain')).toBe('M README.md');
  });

  it('gives each agent its ports [WS-12]', async () => {
    const agent = ['--harness', 'command', '--argv', 'echo "$SIGNALBOX_PORT $SIGNALBOX_PORT_9" > ports.txt'];
    const { code, stdout } = await world.sb(['run', 'one', 'two', ...agent, '--json']);
    expect(code, stdout).toBe(0);
    const told = (JSON.parse(stdout) as RunView).tasks.map(({ attempt }) =>
      world
        .git('--git-dir', attempt?.gitDir ?? '', 'show', `${attempt?.commit}:ports.txt`)
        .split(' ')
        .map(Number),
    );
    for (const [first = 0, last] of told) expect(last).toBe(first + 9);
    expect(new Set(told.map(([first]) => first)).size).toBe(2);
  });

  it('without a script leaves a note', async () => {
    const { code, stdout } = await world.sb(['run', 'Say hello, world!', '--json']);
    expect(code).toBe(0);
    const { attempt } = (JSON.parse(stdout) as RunView).tasks[0] ?? {};
    const note = world.git(
      '--git-dir',
      attempt?.gitDir ?? '',
      'show',
      `${attempt?.ref}:signalbox-notes/say-hello-world.md`,
    );
    expect(note).toContain('Say hello, world!');
  });

  it('accepts a script as long as a request may be', async () => {
    const long = Array.from({ length: 40 }, () => ({ say: 'x'.repeat(10_000) }));
    const script = world.script([...long, { write: { path: 'long.txt', text: 'read to its end' } }]);
    const { code, stdout, stderr } = await world.sb(['run', 'long', '--script', script, '--json']);
    expect(code, stderr).toBe(0);
    const { attempt } = (JSON.parse(stdout) as RunView).tasks[0] ?? {};
    expect(world.git('--git-dir', attempt?.gitDir ?? '', 'show', `${attempt?.ref}:long.txt`)).toBe('read to its end');
  });

  it('starts a task only when its needs have succeeded', async () => {
    const script = world.script([
      { run: `echo $SIGNALBOX_AGENT >> ${world.path('order')}` },
      { waitFor: world.path('go') },
    ]);
    const cli = world.start(['run', 'first', 'second', '--needs-chain', '--script', script]);
    await until(() => world.text('order') !== '', { timeoutMs: 20_000, what: 'the first to begin' });
    const [run] = await world.list();
    expect(run?.tasks[1]).toMatchObject({
      state: 'blocked',
      wait: { kind: 'needs', owner: 'agent', detail: { tasks: [{ name: 'first' }] } },
      attempt: null,
    });
    world.touch('go');
    expect((await cli.ended).code).toBe(0);
    expect(world.text('order').trim().split('\n')).toHaveLength(2);
  });

  it('retries a failing task as often as asked, then fails [CLI-6] [TASK-5]', async () => {
    const script = world.script([{ append: { path: world.path('tries'), text: 'x' } }, { exit: 3 }]);
    const { code, stdout } = await world.sb(['run', 'bad', '--retries', '1', '--script', script]);
    expect(code).toBe(1);
    expect(stdout).toContain('next attempt in');
    expect(stdout).toContain('failed (crash)');
    expect(world.text('tries')).toBe('xx');
    const { run, task } = await world.only();
    expect(run.outcome).toBe('failed');
    expect(task.attempts).toBe(2);
  });

  it('with one failed task is partial, and its dependants are skipped [CLI-6] [CLI-14] [RUN-3]', async () => {
    const good = world.script([{ say: 'fine' }]);
    const bad = world.script([{ fail: 'auth' }]);
    const scripts = ['--script', good, '--script', bad, '--script', good];
    const { code, stdout } = await world.sb(['run', 'good', 'bad', 'after', '--needs', '3:2', ...scripts, '--json']);
    expect(code).toBe(6);
    const run = JSON.parse(stdout) as RunView;
    expect(run.outcome).toBe('partial');
    expect(new Set(run.tasks.map((task) => task.outcome?.kind))).toEqual(new Set(['failed', 'skipped', 'succeeded']));
    const failed = run.tasks.find(({ name }) => name === 'bad');
    expect(failed?.outcome).toMatchObject({ failure: { reason: 'auth' } });
    expect(run.missing).toMatchObject({ total: 2, tasks: [{ name: 'bad' }, { name: 'after', because: 'bad' }] });
  });

  it('with a failing check has failed, and its work is kept [ATT-7]', async () => {
    const script = world.script([{ write: { path: 'made', text: 'x' } }]);
    const checks = ['--check', 'test -e made', '--check', 'test -e missing'];
    const { code, stdout } = await world.sb(['run', 'checked', '--script', script, ...checks, '--json']);
    expect(code).toBe(1);
    const task = (JSON.parse(stdout) as RunView).tasks[0];
    expect(task?.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'check-failed' } });
    const proofs = ['committed work', 'background work', 'test-e-made', 'test-e-missing'];
    expect(task?.attempt?.checks?.map(({ check }) => check)).toEqual(proofs);
    expect(task?.attempt?.checks?.map(({ passed }) => passed)).toEqual([true, true, true, false]);
    // It was sent back twice.
    expect(task?.attempts).toBe(3);
    expect(world.git('--git-dir', task?.attempt?.gitDir ?? '', 'show', `${task?.attempt?.ref}:made`)).toBe('x');
  });

  it('over its time is stopped with timeout', async () => {
    const script = world.script([{ waitFor: world.path('never') }]);
    const { code, stdout } = await world.sb(['run', 'slow', '--timeout', '1', '--script', script]);
    expect(code).toBe(1);
    expect(stdout).toContain('failed (timeout)');
  });

  it('without a reported cost shows it as unknown [USE-1] [CLI-7]', async () => {
    const script = world.script([{ usage: { input_tokens: 5, cost_usd: null } }]);
    const { stdout } = await world.sb(['run', 'dear', '--script', script]);
    expect(stdout).toContain('cost unknown');
    expect((await world.only()).task.usage).toMatchObject({ inputTokens: 5, costMicroUsd: null });
  });
});

describe('the command line', () => {
  it('says what is wrong with a request, and starts nothing [CLI-6]', async () => {
    const outside = world.path('outside');
    mkdirSync(outside);
    const elsewhere = await world.sb(['run', 'x'], { cwd: outside });
    expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
    expect(elsewhere.stderr).toContain('not in a git repository');
    const script = world.script([{ sing: 'la' }]);
    const misspelt = await world.sb(['run', 'x', '--script', script]);
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toContain('step 1 of the script: "sing" is not one of say');
    expect((await world.sb(['run'])).code).toBe(2);
    expect((await world.sb(['frobnicate'])).code).toBe(2);
    expect(await world.list()).toEqual([]);
  });

  it("lists an agent's settings, and starts nothing with an unknown one [CLI-12]", async () => {
    const run = (...args: string[]) => world.sb(['run', 'x', '--harness', 'claude', ...args]);
    const unknown = await run('--set', 'efort=high');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('the harness "claude" has no setting "efort"; it has: model, settingSources, ');
    expect(unknown.stderr).toContain('effort, ');
    expect((await run('--set', 'effort')).stderr).toContain(
      '--set effort: write a name and a value, as in effort=high',
    );
    expect((await run('--effort', 'low', '--set', 'effort=high')).stderr).toContain('"effort" is given twice');
    const scripted = await world.sb(['run', 'x', '--set', 'turnsMax=1']);
    expect(scripted).toMatchObject({ code: 2, stdout: '' });
    expect(scripted.stderr).toContain('it has: script, model, effort');
    expect(await world.list()).toEqual([]);
  });

  it('finds a task by its name in the newest run, and suggests similar names', async () => {
    await world.sb(['run', 'hello there', '--script', world.script([{ say: 'good day' }])]);
    const logs = await world.sb(['logs', 'hello-there']);
    expect(logs.stdout).toContain('good day');
    const wrong = await world.sb(['logs', 'helo-there']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('did you mean hello-there');
  });

  it('never prints a terminal escape of an agent [CLI-8]', async () => {
    const nasty = '\u001b]0;owned\u0007\u001b[31mred\u001b[0m\u202e';
    await world.sb(['run', 'x', '--script', world.script([{ say: nasty }, { fail: `${nasty}!` }])]);
    for (const args of [
      ['logs', 'x'],
      ['events', 'x'],
      ['ps', '--all'],
    ]) {
      const { stdout, stderr } = await world.sb(args);
      // oxlint-disable-next-line no-control-regex -- that is what is looked for
      expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      if (args[0] === 'logs') expect(stdout).toContain('red');
    }
  });

  it('sends a message to a running agent, which answers before its task ends', async () => {
    const script = world.script([{ waitFor: world.path('go') }]);
    const cli = world.start(['run', 'listen', '--script', script]);
    await until(() => world.agents().length === 1, { timeoutMs: 20_000, what: 'the agent' });
    const sent = await world.sb(['send', 'listen', 'and', 'then', 'this']);
    expect(sent, sent.stderr).toMatchObject({ code: 0 });
    world.touch('go');
    expect((await cli.ended).code).toBe(0);
    expect((await world.sb(['logs', 'listen'])).stdout).toContain('Noted: and then this');
  });

  it('leaves a run alone with Ctrl-C [CLI-3]', async () => {
    const script = world.script([{ waitFor: world.path('go') }]);
    const cli = world.start(['run', 'long', '--script', script]);
    await until(() => world.agents().length === 1, { timeoutMs: 20_000, what: 'the agent' });
    process.kill(cli.pid, 'SIGINT');
    const { code, stdout, stderr } = await cli.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('The run continues');
    expect(stdout).not.toContain('the daemon exited');
    world.touch('go');
    expect((await world.ended()).run.outcome).toBe('succeeded');
  });

  it('verifies the journal with and without a daemon', async () => {
    await world.sb(['run', 'x', '--script', world.script([{ say: 'x' }])]);
    expect(await world.sb(['verify'])).toMatchObject({ code: 0 });
    await world.sb(['down']);
    expect(JSON.parse((await world.sb(['verify', '--json'])).stdout)).toEqual({ defects: [] });
    expect((await world.sb(['status'])).stdout).toContain('No daemon is running');
  });
});
