// Integrated work can be checked afterwards, without a daemon; and every change of it is reported.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Verification } from '../../../src/cli/client/context.ts';
import { openSigning, signingFiles } from '../../../src/git/signing/signing-key.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { signedObject } from '../../signed-object.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask, runEnd, submit, taskNamed } from '../spending/limits-world.ts';
import { questionsOf } from '../world/inbox-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { rewriteJournal } from './rewrite-journal.ts';

type Task = CreateRunInput['tasks'][number];

const slow = { timeoutMs: 60_000 };
/** Without OpenSSH git itself cannot check such a signature. */
const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

const openWorld = shareDaemon();
let world: World;
let run: RunView;
/** The commit by which the second task's work came, its work, and its text. */
let integration: string;
let work: string;
let text: string;
let home: string;
let homes = 0;

beforeAll(async () => {
  world = openWorld();
  await world.up();
  const scripted = (name: string, more: Partial<Task> = {}): Task => ({
    name,
    prompt: `write ${name}`,
    settings: {
      script: JSON.stringify([{ write: { path: `${name}.txt`, text: `${name}\n` } }, { say: `wrote ${name}` }]),
    },
    ...more,
  });
  const checks = [{ name: 'there', argv: ['test', '-f', 'one.txt'] }];
  const { id } = await submit(
    world,
    [
      { name: 'release', prompt: 'gate', kind: 'gate', gate: { message: 'Ship it?' } },
      scripted('one', { needs: ['release'] }),
      scripted('two', { needs: ['one'], checks }),
    ],
    'the-run',
  );
  const question = await until(async () => (await questionsOf(world))[0], { ...slow, what: 'the question' });
  await ask(world, 'POST', `/asks/${question.id}`, { approved: true, by: 'ann' });
  run = await runEnd(world, id);
  expect(run.outcome).toBe('succeeded');
  await world.sb(['down']);
  const { gitDir = '' } = taskNamed(run, 'two').attempt ?? {};
  world.git('fetch', '-q', gitDir, `refs/signalbox-run/${id}:refs/heads/integrated`);
  integration = world.git('rev-parse', 'integrated');
  work = world.git('rev-parse', 'integrated^2');
  text = `${world.git('cat-file', 'commit', integration)}\n`;
});
afterAll(() => world.close());

/** Each has a home of its own to spoil. */
beforeEach(() => {
  homes += 1;
  home = world.path(`home-${homes}`);
  cpSync(world.home, home, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.sock') });
});

async function verify(word: string): Promise<Verification & { readonly code: number | null }> {
  const { code, stdout, stderr } = await world.sb(['verify', word, '--json'], { env: { SIGNALBOX_HOME: home } });
  expect(stdout, stderr).not.toBe('');
  return { ...(JSON.parse(stdout) as Verification), code };
}

const details = (found: readonly { readonly what: string; readonly detail: string }[]): string =>
  found.map(({ what, detail }) => `${what}: ${detail}`).join('\n');

function sql<T>(use: (db: InstanceType<typeof DatabaseSync>) => T): T {
  const db = new DatabaseSync(join(home, 'journal.db'));
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** A commit of the user's repository, made by hand. */
function stored(object: string | Uint8Array): string {
  writeFileSync(world.path('object'), object);
  return world.git('hash-object', '-t', 'commit', '-w', world.path('object'));
}

const unsigned = (): string => text.replace(/^gpgsig .*\n( .*\n)*/m, '');

describe('an integrated commit', () => {
  it('carries trailers and a signature that git alone can check [PROV-1] [PROV-4]', () => {
    const trailers = world.git('log', '-1', '--format=%(trailers:only)', 'integrated');
    const two = taskNamed(run, 'two');
    expect(trailers).toContain(`Signalbox-Run: ${run.id} the-run\n`);
    expect(trailers).toContain(`Signalbox-Task: ${two.id} two\n`);
    expect(trailers).toContain('Signalbox-Harness: scripted\n');
    expect(trailers).toMatch(/^Signalbox-Prompt: sha256:[0-9a-f]{64}$/m);
    expect(trailers).toMatch(/^Signalbox-Transcript: sha256:[0-9a-f]{64}$/m);
    expect(trailers).toMatch(/^Signalbox-Checks: .*there passed/m);
    expect(trailers).toMatch(/^Signalbox-Approved-By: ann at \d{4}-.*Z \(release\)$/m);
    expect(trailers).toMatch(new RegExp(`^Signalbox-Journal: ${run.id}@\\d+ [0-9a-f]{64}$`, 'm'));
    if (!hasSshKeygen) return;
    const { allowedSigners } = signingFiles(join(world.home, 'signing'));
    const settings = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${allowedSigners}`];
    for (const commit of ['integrated', 'integrated^']) {
      const ended = spawnSync('git', [...settings, 'verify-commit', commit], { cwd: world.repo, encoding: 'utf8' });
      expect(ended.stderr).toMatch(/^Good "git" signature for signalbox@localhost/);
    }
  });

  it('is verified by its id, a ref, or the work it brought, from the current repository [PROV-7] [SEAL-3]', async () => {
    for (const word of [integration, integration.slice(0, 10), 'integrated', work]) {
      const { code, verified, defects } = await verify(word);
      expect(details(defects)).toBe('');
      expect(code).toBe(0);
      const short = integration.slice(0, 12);
      expect(details(verified)).toContain(`commit ${short}: signed by this Signalbox, key SHA256:`);
      expect(details(verified)).toMatch(new RegExp(`commit ${short}: all \\d+ trailers match the journal`));
      expect(details(verified)).toContain(`commit ${short}: is the commit recorded in the journal`);
      expect(details(verified)).toContain(`${run.id}: 2 valid seals, key SHA256:`);
      if (word === work)
        expect(details(verified)).toContain(`commit ${work.slice(0, 12)}: was integrated by commit ${short}`);
    }
  });

  it('is distinguished from an ordinary commit and an unknown name', async () => {
    for (const word of ['HEAD', 'nothing-of-the-kind', 'run_00000000000000000000000000']) {
      const { code, stdout, stderr } = await world.sb(['verify', word], { env: { SIGNALBOX_HOME: home } });
      expect(stdout).toBe('');
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/no integration of Signalbox|is neither a run in the journal/);
    }
  });
});

describe('a run', () => {
  it('is verified whole, by its id and by its name, and nothing is changed [PROV-7]', async () => {
    for (const word of [run.id, 'the-run']) {
      const { code, verified, defects } = await verify(word);
      expect(details(defects)).toBe('');
      expect(code).toBe(0);
      expect(details(verified)).toMatch(new RegExp(`^${run.id}: "the-run": \\d+ events, every hash matches`));
      expect(details(verified).match(/signed by this Signalbox/g)).toHaveLength(2);
      expect(details(verified)).toContain(`refs/signalbox-run/${run.id}: is at ${integration.slice(0, 12)}`);
      expect(details(verified)).toContain('bytes, unchanged');
    }
    const { code, stdout } = await world.sb(['verify', run.id], { env: { SIGNALBOX_HOME: home } });
    expect(stdout).toContain('All checks passed.');
    expect(code).toBe(0);
    expect(existsSync(join(home, 'daemon.json'))).toBe(false);
  });

  it('with a changed event is detected by the hash of that event [PROV-8]', async () => {
    const seq = sql((db) => {
      const row = db.prepare("SELECT pos, seq FROM events WHERE stream = ? AND type LIKE 'ask.answered%'").get(run.id);
      db.prepare("UPDATE events SET data = replace(data, 'ann', 'eve') WHERE pos = ?").run(Number(row?.['pos']));
      return Number(row?.['seq']);
    });
    const { code, defects } = await verify(run.id);
    expect(code).toBe(1);
    expect(defects).toEqual([
      expect.objectContaining({ what: `${run.id} event ${seq}`, detail: `event ${seq} does not match its hash` }),
    ]);
  });

  it('with a journal rewritten so that its hashes agree is detected by what is anchored in git [PROV-8]', async () => {
    rewriteJournal(join(home, 'journal.db'), run.id, (events) =>
      events.map((event) =>
        event.type.startsWith('ask.answered') ? { ...event, data: event.data.replace('ann', 'eve') } : event,
      ),
    );
    const { code, defects } = await verify(run.id);
    expect(code).toBe(1);
    expect(details(defects)).toMatch(
      /has trailer "Signalbox-Approved-By: ann at .*, the journal has "Signalbox-Approved-By: eve at/,
    );
    expect(defects.find(({ detail }) => detail.includes('Signalbox-Journal'))?.means).toMatch(/journal was rewritten/);
  });

  it('with a changed or removed artifact is detected by its name [PROV-8]', async () => {
    const row = sql((db) =>
      db.prepare("SELECT data FROM events WHERE stream = ? AND type LIKE 'artifact.stored%' LIMIT 1").get(run.id),
    );
    const { artifactId } = JSON.parse(String(row?.['data'])) as { artifactId: string };
    const hex = artifactId.replace('artifact_', '');
    const path = join(home, 'artifacts', hex.slice(0, 2), `${hex}.json`);
    chmodSync(path, 0o600);
    writeFileSync(path, readFileSync(path, 'utf8').replace('one', 'eno'));
    const changed = await verify(run.id);
    expect(changed.code).toBe(1);
    expect(details(changed.defects)).toContain(`artifact ${artifactId} is damaged`);
    rmSync(path);
    expect(details((await verify(run.id)).defects)).toContain(`artifact ${artifactId} is missing`);
  });

  it('with a changed transcript is detected by the commit that has its hash [PROV-8]', async () => {
    const launch = taskNamed(run, 'two').attempt?.launches.at(-1) ?? '';
    const path = join(home, 'launches', launch, 'out');
    writeFileSync(path, readFileSync(path, 'utf8').replace('wrote two', 'wrote 2'));
    const { code, defects } = await verify(run.id);
    expect(code).toBe(1);
    expect(defects).toHaveLength(1);
    expect(defects[0]).toMatchObject({ what: `commit ${integration.slice(0, 12)}` });
    expect(defects[0]?.means).toMatch(/The transcript was changed/);
  });

  it('with a moved branch is detected', async () => {
    const { gitDir = '' } = taskNamed(run, 'two').attempt ?? {};
    const bare = gitDir.replace(world.home, home);
    world.git('--git-dir', bare, 'update-ref', `refs/signalbox-run/${run.id}`, `${integration}^`);
    expect(details((await verify(run.id)).defects)).toMatch(
      /^refs\/signalbox-run\/\S+: is at \w+, the journal has it at/,
    );
  });
});

describe('a run whose repository is gone', () => {
  it('is reported commit by commit', async () => {
    rmSync(join(home, 'work', 'projects'), { recursive: true });
    const { code, defects } = await verify(run.id);
    expect(code).toBe(1);
    expect(details(defects).match(/: is missing from the repository of Signalbox/g)).toHaveLength(2);
  });
});

describe('a forged commit', () => {
  it('with the right trailers and no signature is detected [PROV-8]', async () => {
    const { code, defects } = await verify(stored(unsigned()));
    expect(code).toBe(1);
    expect(details(defects)).toMatch(
      /^commit \w+: is not signed\ncommit \w+: the journal has commit \w+ for this work$/,
    );
  });

  it('signed with another key is detected [PROV-8]', async () => {
    const object = signedObject(unsigned(), openSigning(world.path('other-key')));
    const { code, defects } = await verify(stored(object));
    expect(code).toBe(1);
    expect(details(defects)).toMatch(/^commit \w+: is signed with a key other than that of this Signalbox\n/);
  });

  it('changed under its signature is detected, with the line that differs [PROV-8]', async () => {
    const { code, defects } = await verify(stored(text.replace('(release)', '(nothing)')));
    expect(code).toBe(1);
    expect(details(defects)).toMatch(/^commit \w+: has an invalid signature\n/);
    expect(details(defects)).toMatch(/has trailer "Signalbox-Approved-By: ann at \S+ \(nothing\)", the journal has "/);
  });

  it('that was amended is detected, on the terminal as well [PROV-8]', async () => {
    const checkout = world.path(`checkout-${homes}`);
    world.git('worktree', 'add', '-q', '--detach', checkout, 'integrated');
    writeFileSync(join(checkout, 'two.txt'), 'something else\n');
    world.git('-C', checkout, 'commit', '-q', '-a', '--amend', '--no-edit');
    const { code, stdout, stderr } = await world.sb(['verify', 'HEAD'], {
      cwd: checkout,
      env: { SIGNALBOX_HOME: home },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('every hash matches');
    expect(stderr).toMatch(/BAD commit \w+: is not signed\n {4}Signalbox signs what it integrates/);
    expect(stderr).toMatch(
      /BAD commit \w+: has tree \w+, the journal has \w+\n {4}The checked tree is not the tree of this commit/,
    );
  });

  it('of a run that the journal does not have is detected [PROV-8]', async () => {
    const other = run.id.replace(/.{4}$/, '0000');
    const object = signedObject(unsigned().replaceAll(run.id, other), openSigning(join(home, 'signing')));
    const { code, defects, verified } = await verify(stored(object));
    expect(code).toBe(1);
    expect(details(defects)).toMatch(/the journal has no run "run_/);
    expect(details(verified)).toContain('signed by this Signalbox');
  });
});
