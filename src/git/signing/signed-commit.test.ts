// Which key signed a commit, judged by the commit's own bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signedObject } from '../../../test/signed-object.ts';
import { verifyCommit } from './signed-commit.ts';
import { openSigning } from './signing-key.ts';

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-signed-'));
  directory = join(home, 'signing');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const bytes = (text: string): Buffer => Buffer.from(text);
const keyOf = (from = directory) => {
  const key = openSigning(from).publicKey();
  if (key === null) throw new Error('no key');
  return key;
};

it('a good signature is distinguished from none, a changed commit and another key without any program [PROV-3]', async () => {
  const signing = openSigning(directory);
  const commit = 'tree 1\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nTitle: \u00e9\n\n gpgsig no\n';
  const signed = signedObject(commit, signing);
  const key = keyOf();
  expect(verifyCommit(signed, key)).toBe('good');
  expect(verifyCommit(bytes(commit), key)).toBe('unsigned');
  expect(verifyCommit(bytes(signed.toString().replace('Title', 'title')), key)).toBe('bad');
  expect(verifyCommit(bytes(signed.toString().replace('author A', 'author B')), key)).toBe('bad');
  expect(verifyCommit(bytes(signed.toString().replace('BEGIN SSH', 'BEGIN PGP')), key)).toBe('bad');
  const other = join(home, 'other');
  expect(verifyCommit(signedObject(commit, openSigning(other)), key)).toBe('foreign');
  expect(verifyCommit(signed, keyOf(other))).toBe('foreign');
});

it('any text in place of a signature gives an answer and no crash [PROV-3]', async () => {
  const signing = openSigning(directory);
  const commit = 'tree 1\ncommitter A <a@b> 1 +0000\n\nTitle\n';
  const signed = signedObject(commit, signing).toString();
  const key = keyOf();
  for (let at = 0; at < signed.length; at += 3) {
    for (const changed of [signed.slice(0, at), signed.slice(0, at) + signed.slice(at + 1)]) {
      // Some characters of the armour can be changed without effect.
      expect(['good', 'unsigned', 'foreign', 'bad']).toContain(verifyCommit(bytes(changed), key));
      if (!changed.startsWith(signed.slice(0, signed.indexOf('gpgsig')))) {
        expect(verifyCommit(bytes(changed), key)).not.toBe('good');
      }
    }
  }
});
