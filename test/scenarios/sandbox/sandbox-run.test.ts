// The sandbox from the command line: the default where it works, what is said where it does not, and a run whose agent
// finds none of the secrets around it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StatusView } from '../../../src/wire/status-views.ts';
import { canary, canaryFiles, hasSandbox, place } from '../../conformance/sandbox-world.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';

describe('runs and the sandbox', () => {
  let world: World;
  afterEach(() => world.close());

  const run = (...args: string[]) => world.sb(['run', 'look', '--harness', 'command', ...args]);
  const status = async () => JSON.parse((await world.sb(['status', '--json'])).stdout) as StatusView;
  const said = async () => (await world.sb(['logs', 'look', '--json'])).stdout;

  describe.skipIf(!hasSandbox)('where it works', () => {
    beforeEach(() => {
      world = openWorld({ SIGNALBOX_SANDBOX_WRITE: '' });
    });

    it('an agent gets it by default, and cannot leave it [SBX-7]', async () => {
      const ended = await run('--argv', `echo in >made.txt; echo out >'${world.path('out')}' || true`);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(ended.stderr).toBe('Agent: a command (--harness)\n');
      expect(world.text('out')).toBe('');
      const { run: made, task } = await world.only();
      const { gitDir = '', ref } = task.attempt ?? {};
      expect(world.git('--git-dir', gitDir, 'show', `${ref}:made.txt`)).toBe('in');
      expect((await recordOf(world, made.id)).find((event) => event.type === 'task.added')?.task.sandbox).toBe(
        'workspace',
      );
      expect((await status()).sandbox).toMatchObject({ works: true, why: null });
      expect((await world.sb(['status'])).stdout).toMatch(/sandbox {4}Agents write only/);
      expect((await world.sb(['doctor'])).stdout).toMatch(/ok +sandbox /);
    });

    it('its checks get it too, since they run its code [SBX-11]', async () => {
      const prying = `echo out >'${world.path('out')}'; cat /proc/1/cmdline | tr '\\0' ' '; test -e made.txt && git log -1`;
      const ended = await run('--argv', 'echo in >made.txt', '--check', prying);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(world.text('out')).toBe('');
      const failing = await run('--argv', 'true', '--check', `test -r '${world.home}/journal.db' || exit 7`);
      expect(failing.stdout).toContain('exit 7');
    });

    it('--sandbox none says what is lost, and applies [SBX-8]', async () => {
      const ended = await run('--sandbox', 'none', '--argv', `echo out >'${world.path('out')}'`);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stderr).toMatch(/No sandbox: agents run with all your rights/);
      expect(world.text('out')).toBe('out\n');
    });

    it('paths that the user adds can be read, and written [SBX-1]', async () => {
      await world.close();
      world = openWorld({ SIGNALBOX_SANDBOX_WRITE: '' });
      const [data, shared] = [world.path('data'), world.path('shared')];
      place(join(data, 'set'), 'a set', 0o644);
      place(join(shared, 'x'), '', 0o644);
      const env = { SIGNALBOX_SANDBOX_READ: data, SIGNALBOX_SANDBOX_WRITE: shared };
      const command = `cat '${data}/set' >'${shared}/copy'; echo x >'${data}/set' || true`;
      const ended = await world.sb(['run', 'look', '--harness', 'command', '--argv', command], { env });
      expect(ended.code, ended.stderr).toBe(0);
      expect(readFileSync(join(shared, 'copy'), 'utf8')).toBe('a set');
      expect(readFileSync(join(data, 'set'), 'utf8')).toBe('a set');
    });

    it('of 20 secrets around it none is in its environment, arguments, output or journal [SBX-2]', async () => {
      for (const name of canaryFiles) place(world.path(name), canary);
      const names = [
        'AWS_SECRET_ACCESS_KEY',
        'GITHUB_TOKEN',
        'SSH_AUTH_SOCK',
        'NPM_TOKEN',
        'DATABASE_URL',
        'ANTHROPIC_API_KEY',
      ];
      const env = Object.fromEntries(names.map((name) => [name, `${canary}-${name}`]));
      const command = `env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; for f in ${canaryFiles.map((name) => `'${world.path(name)}'`).join(' ')}; do cat "$f"; done; grep -rs ${'canary-'}7f3a '${world.dir}' ~ ; true`;
      const ended = await world.sb(
        ['run', 'look', '--harness', 'command', '--argv', command.replace('canary-7f3a', 'canary-7f3[a]')],
        { env },
      );
      expect(ended.code, ended.stderr).toBe(0);
      expect(await said()).toContain('HOME=');
      for (const text of [await said(), ended.stdout, readFileSync(join(world.home, 'journal.db'), 'latin1')]) {
        expect(text).not.toContain(canary);
      }
    });
  });

  describe('where it does not work', () => {
    beforeEach(() => {
      world = openWorld({ SIGNALBOX_CONFINE: 'none', SIGNALBOX_SANDBOX_WRITE: '' });
    });

    it('runs go without, and run, status and doctor say so [SBX-13]', async () => {
      const ended = await run('--argv', `echo out >'${world.path('out')}'`);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stderr).toMatch(/There is no sandbox here \(SIGNALBOX_CONFINE is none\)/);
      expect(world.text('out')).toBe('out\n');
      expect((await status()).sandbox).toMatchObject({ works: false, why: 'SIGNALBOX_CONFINE is none' });
      expect((await world.sb(['status'])).stdout).toMatch(/sandbox {4}none: SIGNALBOX_CONFINE is none/);
      expect((await world.sb(['doctor'])).stdout).toMatch(/degraded +sandbox /);
    });

    it('a run that asks for it by name is refused and told what to do [SBX-13]', async () => {
      const ended = await run('--sandbox', 'workspace', '--argv', 'true');
      expect(ended.code).toBe(2);
      expect(ended.stderr).toMatch(/there is no sandbox here: SIGNALBOX_CONFINE is none; see "signalbox doctor"/);
    });
  });

  it.skipIf(!hasSandbox)('a task that was to run in a sandbox never runs without one [SBX-9]', async () => {
    world = openWorld({ SIGNALBOX_SANDBOX_WRITE: '' });
    writeFileSync(world.path('hold'), '');
    const command = `echo ran >>'${world.path('out')}'; cat ~/prompt >/dev/null; false`;
    const begun = await world.sb(['run', 'look', '--harness', 'command', '--argv', command]);
    expect(begun.code).toBe(1);
    await world.sb(['down']);
    const again = await world.sb(['resume', 'look'], { env: { SIGNALBOX_CONFINE: 'none' } });
    expect(again.code).toBe(1);
    expect(world.text('out')).toBe('');
    const { task } = await world.only();
    expect(task.lastFailure).toMatchObject({ reason: 'spawn-refused' });
    expect(task.lastFailure?.detail).toMatch(/the task requires a sandbox, which does not work any more/);
  });
});
