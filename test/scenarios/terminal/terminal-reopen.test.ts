// The command that `attach` prints is right: with it the real CLI finds the session of the agent, all of it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';

onNewestCli('the session of an agent', (begin) => {
  it('real CLI: a session is reopened by the command that attach prints [TTY-5]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const first = prompt([{ say: 'I remember the number 41.' }]);
    const ended = await world.sb(['run', first, '--name', 'recall', '--harness', 'claude', '--model', model]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { stdout, stderr } = await world.sb(['attach', 'recall']);
    expect(stdout).toContain('I remember the number 41.');
    const [, command = ''] = /to open the session in the agent's own interface:\n {2}(cd .*)$/m.exec(stderr) ?? [];
    const second = prompt([{ say: 'Welcome back.' }]);
    // Without its interface, so that a test can read it.
    const script = `${command} -p "$1" --model ${model} --setting-sources ''`;
    // The model is served by this process: it must not be blocked.
    const options = { env: world.env, cwd: '/', timeout: 60_000 };
    const said = await promisify(execFile)('sh', ['-c', script, 'sh', second], options);
    expect(said.stdout).toContain('Welcome back.');
    expect(asked().at(-1)?.conversation).toContain('I remember the number 41.');
  });
});
