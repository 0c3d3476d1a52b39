import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from '../../../src/git/commands/git.ts';
import { isFault } from '../../../src/std/fault.ts';
import { never } from './git-repositories.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-git-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A program in git's place. */
function standIn(script: string) {
  writeFileSync(join(home, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(home, 'git'), 0o755);
  return { env: { PATH: `${home}:/usr/bin:/bin` }, signal: never };
}

it('a failure is reported with the last line that git printed', async () => {
  const failure = git(['rev-parse', '--verify', 'nothing'], { cwd: home, signal: never });
  await expect(failure).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringMatching(/^git rev-parse: fatal: /),
  });
});

it('a full disk is a fault of its own', async () => {
  const options = standIn(
    'echo "fatal: write error: No space left on device" >&2; echo "fatal: index-pack failed" >&2; exit 128',
  );
  await expect(git(['fetch'], options)).rejects.toSatisfy((error) => isFault(error, 'disk_full'));
});

it('exit statuses that are answers are returned', async () => {
  const options = standIn('echo out; echo err >&2; exit 1');
  expect(await git(['x'], { ...options, accept: [0, 1] })).toEqual({ stdout: 'out\n', stderr: 'err\n', status: 1 });
});

it('git gets input, and nothing of our environment or of any configuration', async () => {
  const { stdout } = await git(['x'], { ...standIn('env; cat'), input: 'given' });
  expect(stdout.endsWith('given')).toBe(true);
  const names = stdout.split('\n').map((line) => line.slice(0, line.indexOf('=')));
  for (const name of names.filter((one) => one !== '' && one !== 'give')) {
    expect(name).toMatch(/^(PATH|HOME|LC_ALL|PWD|GIT_\w+|_|SHLVL)$/);
  }
  for (const line of ['GIT_CONFIG_GLOBAL=/dev/null', 'GIT_CONFIG_NOSYSTEM=1', 'GIT_TERMINAL_PROMPT=0', 'LC_ALL=C']) {
    expect(stdout.split('\n')).toContain(line);
  }
  const scopes = (await git(['config', '--list', '--show-scope'], { signal: never })).stdout.trim().split('\n');
  expect(scopes.filter((line) => !line.startsWith('command'))).toEqual([]);
});

it('time and output are bounded', async () => {
  await expect(git(['x'], { ...standIn('exec sleep 1000'), timeoutMs: 100 })).rejects.toSatisfy((e) =>
    isFault(e, 'timed_out'),
  );
  await expect(git(['x'], { ...standIn('yes'), stdoutMaxBytes: 1000 })).rejects.toThrow(/more than 1000 bytes/);
});

it('a cancelled call rejects with the reason', async () => {
  const reason = new Error('enough');
  await expect(git(['x'], { ...standIn('exit 0'), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it('a missing git, or a missing directory, is a fault', async () => {
  const failure = git(['status'], { cwd: join(home, 'none'), signal: never });
  await expect(failure).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringMatching(/cannot start git status/),
  });
});
