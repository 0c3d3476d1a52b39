// A person who signs their commits signs what they land, with their own key and by their own git; and words their commits
// before they land.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { landingPreview } from '../../../src/wire/landing-views.ts';
import { accepted } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
let main: string;
beforeEach(() => {
  world = openWorld();
  main = world.git('symbolic-ref', '--short', 'HEAD');
  world.git('checkout', '-q', '-b', 'elsewhere');
});
afterEach(() => world.close());

async function made(...more: string[]): Promise<void> {
  const scripts = ['a', 'b'].flatMap((name) => [
    '--script',
    world.script([{ write: { path: `${name}.txt`, text: `${name}\n` } }, { turn: `Added file ${name}.` }]),
  ]);
  const { code, stdout, stderr } = await world.sb([
    'run',
    'one',
    'two',
    '--needs-chain',
    '--name',
    'both',
    ...scripts,
    ...more,
  ]);
  expect(code, stdout + stderr).toBe(0);
}

function signWithSsh(): void {
  const key = world.path('id');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ann', '-f', key]);
  writeFileSync(world.path('signers'), `ann@example.org namespaces="git" ${readFileSync(`${key}.pub`, 'utf8')}`);
  world.git('config', 'gpg.format', 'ssh');
  world.git('config', 'user.signingKey', key);
  world.git('config', 'gpg.ssh.allowedSignersFile', world.path('signers'));
  world.git('config', 'commit.gpgSign', 'true');
}

function hasGpg(): boolean {
  return spawnSync('gpg', ['--version']).status === 0;
}

const editor = (script: string): Record<string, string> => {
  const path = world.path('editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { GIT_EDITOR: path };
};

describe('signed', () => {
  it('with the SSH key of the person, by the command that they run [SIGN-1]', async () => {
    signWithSsh();
    await made();
    const { code, stdout, stderr } = await world.sb(['land', 'both', '--into', main]);
    expect(code, stdout + stderr).toBe(0);
    expect(world.git('log', '-2', '--format=%s %G?', main)).toBe('Add file b G\nAdd file a G');
    for (const commit of [main, `${main}~1`]) world.git('verify-commit', commit);
    const verified = await world.sb(['verify', main]);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    const again = await world.sb(['land', 'both', '--into', main]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('already contains this work')]);
    // The daemon has only objects of it: no ref of the user's but the branch and the notes was made.
    expect(world.git('for-each-ref', '--format=%(refname)').split('\n').sort()).toEqual(
      [`refs/heads/${main}`, 'refs/heads/elsewhere', 'refs/notes/signalbox'].sort(),
    );
  });

  it.each(['merge', 'keep'])('also with --commits %s [SIGN-1]', async (style) => {
    signWithSsh();
    await made();
    const { code, stdout, stderr } = await world.sb(['land', 'both', '--into', main, '--commits', style]);
    expect(code, stdout + stderr).toBe(0);
    const marks = world.git('log', '--format=%G?', main, '^elsewhere').split('\n');
    expect(marks).toEqual(marks.map(() => 'G'));
    expect(marks).toHaveLength(style === 'merge' ? 3 : 2);
  });

  it.runIf(hasGpg())('with GnuPG [SIGN-1]', async () => {
    const home = world.path('g');
    mkdirSync(home, { mode: 0o700 });
    const env = { GNUPGHOME: home };
    const gpg = (...args: string[]): string =>
      execFileSync('gpg', ['--batch', '--quiet', ...args], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    gpg('--passphrase', '', '--quick-generate-key', 'Ann Author <ann@example.org>', 'ed25519', 'sign');
    world.git('config', 'commit.gpgSign', 'true');
    try {
      await made();
      const { code, stdout, stderr } = await world.sb(['land', 'both', '--into', main], { env });
      expect(code, stdout + stderr).toBe(0);
      const shown = execFileSync('git', ['log', '-2', '--format=%G?', main], {
        cwd: world.repo,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
      expect(shown.trim().split('\n')).toEqual(['U', 'U'].map(() => expect.stringMatching(/^[GU]$/)));
    } finally {
      execFileSync('gpgconf', ['--kill', 'gpg-agent'], { env: { ...process.env, ...env } });
    }
  });

  it('not at all where their key cannot be used: nothing lands [SIGN-2]', async () => {
    signWithSsh();
    world.git('config', 'user.signingKey', world.path('nowhere'));
    await made();
    const before = world.git('rev-parse', main);
    const { code, stderr } = await world.sb(['land', 'both', '--into', main]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/your git could not sign the commits, so nothing was landed/),
    ]);
    expect(world.git('rev-parse', main)).toBe(before);
  });

  it('by nobody where nobody is there: it lands unsigned and says so, unless nothing may [SIGN-3]', async () => {
    signWithSsh();
    await made('--into', main);
    expect(world.git('log', '-1', '--format=%G?', main)).toBe('N');
    const { run } = await world.only();
    expect(run.landing?.outcome).toMatchObject({
      kind: 'landed',
      notes: [expect.stringMatching(/nobody was there to sign these/)],
    });
    world.git('config', 'signalbox.requireSigned', 'true');
    const scripts = ['--script', world.script([{ write: { path: 'c.txt', text: 'c\n' } }])];
    const refused = await world.sb(['run', 'three', ...scripts, '--into', main]);
    expect(refused.stdout).toMatch(/lets nothing land unsigned, and nobody was there to sign: run "signalbox land"/);
    expect((await world.sb(['land', 'three', '--into', main])).code).toBe(0);
    expect(world.git('log', '-1', '--format=%G?', main)).toBe('G');
  });

  it('but never as something else than was prepared [SIGN-4]', async () => {
    await made();
    const { run } = await world.only();
    const client = world.client();
    const { preview } = await client.post(`/runs/${run.id}/land/preview`, { into: main }, landingPreview);
    const other = world.git('commit-tree', `${main}^{tree}`, '-p', main, '-m', 'Mine');
    const order = { into: main, history: { signed: { commit: preview?.commit, as: other } } };
    const before = world.git('rev-parse', main);
    await client.post(`/runs/${run.id}/land`, order, accepted);
    const outcome = await until(async () => (await world.only()).run.landing?.outcome ?? null, {
      timeoutMs: 30_000,
      what: 'its end',
    });
    expect(outcome).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/not those that were prepared/),
    });
    expect(world.git('rev-parse', main)).toBe(before);
  });
});

it('commits and co-author of the configuration hold unless something else is said [HIST-11]', async () => {
  mkdirSync(join(world.repo, '.signalbox'));
  writeFileSync(join(world.repo, '.signalbox/config.yaml'), 'commits: merge\nco-author: assisted-by\n');
  await made();
  expect((await world.sb(['land', 'both', '--into', main])).code).toBe(0);
  expect(world.git('log', '-1', '--format=%s', main)).toBe('Merge both');
  expect(world.git('log', '-1', '--format=%(trailers:key=Assisted-by)', `${main}^2`).trim()).toBe(
    'Assisted-by: scripted:scripted',
  );
  world.git('update-ref', `refs/heads/${main}`, 'elsewhere');
  const said = await world.sb(['land', 'both', '--into', main, '--commits', 'one-per-task', '--co-author', 'none']);
  expect(said.code, said.stderr).toBe(0);
  expect(world.git('log', '--merges', '--format=%s', main)).toBe('');
  expect(world.git('log', '-1', '--format=%B', main)).not.toMatch(/-by:/i);
});

describe('land -e', () => {
  it('takes the words of the person, signed as well [HIST-10]', async () => {
    signWithSsh();
    await made();
    const log = world.path('seen');
    const env = editor(`cat "$1" >>'${log}'; sed -i '1s/.*/Word it myself/' "$1"`);
    const { code, stdout, stderr } = await world.sb(['land', 'both', '--into', main, '-e'], { env });
    expect(code, stdout + stderr).toBe(0);
    expect(world.git('log', '-2', '--format=%s %G?', main)).toBe('Word it myself G\nWord it myself G');
    expect(readFileSync(log, 'utf8')).toMatch(
      /^Add file a\n[^]*# Commit 1 of 2: the work of "one"\.\n# Lines that begin/,
    );
    expect(world.git('log', '-1', '--format=%B', main)).not.toContain('#');
  });

  it('is cancelled by an empty message and by an editor that fails [HIST-10]', async () => {
    await made();
    const before = world.git('for-each-ref');
    const empty = await world.sb(['land', 'both', '--into', main, '-e'], { env: editor(': >"$1"') });
    expect([empty.code, empty.stderr]).toEqual([
      1,
      expect.stringMatching(/the message is empty: the landing is cancelled/),
    ]);
    const failed = await world.sb(['land', 'both', '--into', main, '-e'], { env: editor('exit 3') });
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/editor .* failed: the landing is cancelled/),
    ]);
    expect(world.git('for-each-ref')).toBe(before);
    expect((await world.only()).run.landing).toBeNull();
  });
});
