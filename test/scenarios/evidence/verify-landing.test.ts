// Commits that landed in a person's own branch are theirs; what is known of them is in notes, by which they can be verified.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Verification } from '../../../src/cli/client/context.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { detached, runEnd } from '../spending/limits-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** Two tasks landed in `target`, which has a commit that the run has not. */
async function landed(): Promise<string> {
  world.git('branch', 'target');
  const scripts = ['a', 'b'].map((name) =>
    world.script([{ write: { path: `${name}.txt`, text: `${name}\n` } }, { say: `Added file ${name}.` }]),
  );
  const { id } = await detached(world, [
    'one',
    'two',
    '--needs-chain',
    ...scripts.flatMap((path) => ['--script', path]),
    '--check',
    'test -f a.txt',
  ]);
  await runEnd(world, id);
  const base = world.git('rev-parse', 'HEAD');
  writeFileSync(join(world.repo, 'c.txt'), 'c\n');
  world.git('checkout', '-q', 'target');
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'Meanwhile');
  world.git('checkout', '-q', '--detach', base);
  const { code, stderr } = await world.sb(['land', id, '--into', 'target']);
  expect(code, stderr).toBe(0);
  return id;
}

async function verified(word: string): Promise<{ code: number | null; said: string[]; found: Verification }> {
  const { code, stdout, stderr } = await world.sb(['verify', word, '--json']);
  if (stdout === '') throw new Error(stderr);
  const found = JSON.parse(stdout) as Verification;
  const commit = world.git('rev-parse', '--short=12', 'target');
  return {
    code,
    found,
    said: found.verified.filter(({ what }) => what === `commit ${commit}`).map(({ detail }) => detail),
  };
}

it('a landed commit is verified by its note, and git alone checks the note [PROV-9] [HIST-8]', async () => {
  const id = await landed();
  const { code, said, found } = await verified('target');
  expect(code, JSON.stringify(found.defects)).toBe(0);
  expect(said[0]).toMatch(/^its note is signed by this Signalbox/);
  expect(said[1]).toMatch(/^all 4 trailers match the journal/);
  expect(said[2]).toBe('is part of landing 1 in target, as in the journal');
  expect(said[3]).toMatch(/^branch checks passed: test-f-a-txt on tree/);
  expect((await verified('target~1')).code).toBe(0);
  const run = await verified(id);
  expect(run.code, JSON.stringify(run.found.defects)).toBe(0);
  expect(run.said[0]).toBe('is where landing 1 moved target, as in the journal');

  const note = world.git('notes', '--ref=signalbox', 'show', 'target');
  const [text = ''] = note.split('\n-----BEGIN');
  writeFileSync(world.path('note.sig'), `${note.slice(note.indexOf('-----BEGIN'))}\n`);
  const signers = join(world.home, 'signing', 'allowed_signers');
  const args = [
    '-Y',
    'verify',
    '-f',
    signers,
    '-I',
    'signalbox@localhost',
    '-n',
    'signalbox-note',
    '-s',
    world.path('note.sig'),
  ];
  expect(execFileSync('ssh-keygen', args, { input: text, encoding: 'utf8' })).toMatch(
    /^Good "signalbox-note" signature/,
  );
});

it('a changed note, one of another commit, and a missing one are each reported [PROV-9]', async () => {
  await landed();
  const note = world.git('notes', '--ref=signalbox', 'show', 'target');
  world.git('notes', '--ref=signalbox', 'add', '-f', '-m', note.replace('into target', 'into other'), 'target');
  const changed = await verified('target');
  expect(changed.code).toBe(1);
  expect(JSON.stringify(changed.found.defects)).toMatch(/its note has an invalid signature.*the journal has/);

  world.git('notes', '--ref=signalbox', 'add', '-f', '-m', note, 'target');
  world.git('checkout', '-q', 'target');
  world.git('-c', 'notes.rewriteRef=refs/notes/signalbox', 'commit', '-q', '--amend', '-m', 'Mine now');
  const copied = await verified('target');
  expect(copied.code, JSON.stringify(copied.found.defects)).toBe(0);
  expect(copied.found.unchecked).toMatchObject([
    { detail: expect.stringMatching(/^is a copy of commit .* rewritten since/) },
  ]);

  world.git('notes', '--ref=signalbox', 'remove', 'target');
  world.git('commit', '-q', '--amend', '-m', 'Mine\n\nSignalbox-Attempt: attempt_x-1');
  const bare = await verified('target');
  expect([bare.code, bare.found.defects]).toMatchObject([1, [{ detail: 'has no note at refs/notes/signalbox' }]]);
});

it('why finds the task of a line in landed history, and says so where the commit was rewritten [HIST-9]', async () => {
  await landed();
  world.git('checkout', '-q', 'target');
  const found = await world.sb(['why', 'a.txt:1']);
  expect(found.code, found.stderr).toBe(0);
  expect(found.stdout).toMatch(/^task +one /m);
  expect((await world.sb(['why', 'b.txt:1'])).stdout).toMatch(/^task +two /m);
  const message = world.git('log', '-1', '--format=%B');
  world.git('commit', '-q', '--amend', '-m', `Again\n\n${message.split('\n\n').at(-1)}`);
  const gone = await world.sb(['why', 'b.txt:1']);
  expect(gone.code).toBe(1);
  expect(gone.stderr).toMatch(
    /work of task "two" in run "[^"]+" that landed as other commits, so it was probably rebased/,
  );
});
