// What Signalbox signs is what git and OpenSSH take for signed: their own programs say so.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usualIdentity } from '../../../src/git/commands/create-commit.ts';
import { integrationCommit } from '../../../src/git/integrate/integration-commit.ts';
import { openSigning, signingFiles } from '../../../src/git/signing/signing-key.ts';
import { commitFiles, type Ground, makeDirectory, run } from './git-repositories.ts';

/** Without OpenSSH, git itself cannot check such a signature. */
const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

let ground: Ground;
let directory: string;
let commit: string;
beforeEach(async () => {
  ground = await makeDirectory();
  directory = join(ground.home, 'signing');
  commit = await signed(ground.user);
});
afterEach(() => ground.remove());

async function signed(repository: string): Promise<string> {
  const signing = openSigning(directory);
  signing.open();
  const parents = [run(repository, 'rev-parse', 'HEAD')];
  const tree = run(repository, 'rev-parse', 'HEAD^{tree}');
  const trailers = [{ key: 'Signalbox-Task', value: 'task_1 caf\u00e9' }];
  const order = { tree, parents, attemptId: 'attempt_1-1', title: 'Title', at: 1_700_000_000_000, trailers };
  return stored(repository, integrationCommit(order, usualIdentity, signing.sign));
}

function stored(repository: string, object: string | Uint8Array): string {
  const path = join(ground.home, 'object');
  writeFileSync(path, object);
  return run(repository, 'hash-object', '-t', 'commit', '-w', path);
}

function gitVerifies(repository: string, id: string): { readonly ok: boolean; readonly said: string } {
  const { allowedSigners } = signingFiles(directory);
  const settings = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${allowedSigners}`];
  const ended = spawnSync('git', [...settings, 'verify-commit', id], {
    cwd: repository,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
  return { ok: ended.status === 0, said: ended.stdout + ended.stderr };
}

/** The same object with other words. */
function changed(repository: string, id: string, from: string, to: string): string {
  const text = `${run(repository, 'cat-file', 'commit', id)}\n`;
  expect(text).toContain(from);
  return stored(repository, text.replace(from, to));
}

describe.runIf(hasSshKeygen)('with OpenSSH', () => {
  it('git verifies a signed commit by the allowed-signers file, and refuses a changed one [PROV-1]', () => {
    const { ok, said } = gitVerifies(ground.user, commit);
    expect(said).toMatch(/^Good "git" signature for signalbox@localhost with ED25519 key SHA256:/);
    expect(ok).toBe(true);
    for (const [from, to] of [
      ['task_1', 'task_2'],
      ['1700000000', '1700000001'],
    ] as const) {
      const other = changed(ground.user, commit, from, to);
      expect(gitVerifies(ground.user, other)).toMatchObject({ ok: false });
    }
    expect(gitVerifies(ground.user, run(ground.user, 'rev-parse', 'HEAD')).ok).toBe(false);
  });

  it('a commit in a sha256 repository is verified as well', async () => {
    const repository = join(ground.home, 'sha256');
    run(ground.home, 'init', '-q', '--object-format=sha256', repository);
    await commitFiles(repository, { 'a.txt': 'a\n' }, 'first');
    const id = await signed(repository);
    expect(gitVerifies(repository, id)).toMatchObject({ ok: true });
    expect(gitVerifies(repository, changed(repository, id, 'task_1', 'task_2')).ok).toBe(false);
  });

  it('ssh-keygen accepts the signature and the public key', async () => {
    const { publicKey, allowedSigners } = signingFiles(directory);
    const path = join(ground.home, 'text.sig');
    const signing = openSigning(directory);
    signing.open();
    writeFileSync(path, signing.sign('text'));
    const asks = (input: string) => {
      const about = ['-Y', 'verify', '-n', 'git', '-I', 'signalbox@localhost', '-f', allowedSigners, '-s', path];
      return spawnSync('ssh-keygen', about, { input, encoding: 'utf8' }).status;
    };
    expect(asks('text')).toBe(0);
    expect(asks('texts')).not.toBe(0);
    const shown = spawnSync('ssh-keygen', ['-l', '-f', publicKey], { encoding: 'utf8' }).stdout;
    expect(shown).toMatch(/^256 SHA256:\S+ signalbox@localhost \(ED25519\)/);
  });
});

it('git finds nothing wrong with the object', () => {
  expect(run(ground.user, 'fsck', '--strict', '--no-dangling')).toBe('');
  expect(readFileSync(signingFiles(directory).publicKey, 'utf8')).toMatch(/^ssh-ed25519 \S+ signalbox@localhost\n$/);
});
