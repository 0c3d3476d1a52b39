// The real Claude Code CLI in the sandbox, from the command line to its end: it works unasked inside, and not outside.

import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasSandbox } from '../../conformance/sandbox-world.ts';
import { model, onRealCli } from '../spending/limits-real-cli.ts';
import { transcriptOf } from '../spending/limits-world.ts';
import { nextAsk } from '../world/inbox-world.ts';

onRealCli('a real agent in the sandbox', (begin) => {
  it.skipIf(!hasSandbox)(
    'real CLI: acts inside without asking, and reaches nothing outside [SBX-5] [SBX-10]',
    async (context) => {
      const { world, prompt, asked } = begin(context);
      const text = prompt([
        { write: { path: 'made.txt', text: 'by hand\n' } },
        { run: 'git add made.txt && git commit -q -m Made && id -u && node -p "6*7"' },
        { run: 'cat /etc/shadow; touch /usr/planted; echo tried' },
        { say: 'Done.' },
      ]);
      const args = ['run', text, '--harness', 'claude', '--model', model, '--check', 'test -e made.txt'];
      const ended = await world.sb(args, { env: { SIGNALBOX_SANDBOX_WRITE: '' } });
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      const { task } = await world.only();
      const transcript = transcriptOf(world, task).toString('utf8');
      expect(transcript).toContain('"permissionMode":"bypassPermissions"');
      expect(transcript).not.toContain('can_use_tool');
      expect(transcript).toMatch(/\d+\\n42/);
      expect(transcript).toContain('tried');
      expect(existsSync('/usr/planted')).toBe(false);
      expect(asked().length).toBeGreaterThan(3);
      const { gitDir = '', ref } = task.attempt ?? {};
      expect(world.git('--git-dir', gitDir, 'log', '-1', '--format=%s', ref ?? '')).toBe('Made');
    },
  );

  it.skipIf(!hasSandbox)('real CLI: a rule of its task applies in the sandbox too [SBX-10]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const made = (path: string) => ({ write: { path, text: 'x' } });
    const text = prompt([made('yes.txt'), made('no.txt'), { say: 'Done.' }]);
    const rules = ['--deny', 'Write(no.txt)', '--check', 'test -e yes.txt -a ! -e no.txt'];
    const ended = await world.sb(['run', text, '--harness', 'claude', '--model', model, ...rules]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(asked().at(-1)?.conversation).toContain('The rules of this run do not permit it');
  });

  it('real CLI: without a sandbox it asks before it acts [SBX-10]', async (context) => {
    const { world, prompt } = begin(context);
    const text = prompt([{ write: { path: 'made.txt', text: 'x' } }, { say: 'I do without.' }]);
    const waiting = await world.sb(['run', text, '--harness', 'claude', '--model', model, '--sandbox', 'none']);
    expect(waiting.code, waiting.stdout).toBe(3);
    const ask = await nextAsk(world);
    expect(ask).toMatchObject({ tool: 'Write' });
    expect((await world.sb(['reject', ask.id])).code).toBe(0);
    const { task } = await world.ended();
    expect(transcriptOf(world, task).toString('utf8')).not.toContain('bypassPermissions');
  });
});
