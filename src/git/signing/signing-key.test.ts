// The key of a home: made once and whole, kept to its owner, and never replaced by another.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSigning, signingFiles } from './signing-key.ts';
import { sealFits, verifyText } from './ssh-signature.ts';

let home: string;
let directory: string;
let files: ReturnType<typeof signingFiles>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-signing-'));
  directory = join(home, 'signing');
  files = signingFiles(directory);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const signs = (text: string): string => {
  const signing = openSigning(directory);
  signing.open();
  return signing.sign(text);
};
const bytes = (text: string): Buffer => Buffer.from(text);
const keyOf = (from = directory) => {
  const key = openSigning(from).publicKey();
  if (key === null) throw new Error('no key');
  return key;
};

it('the key is made when first needed, for its owner only, and stays the same [PROV-10]', () => {
  const signing = openSigning(directory);
  expect(signing.publicKey()).toBeNull();
  signing.open();
  const signature = signing.sign('text');
  expect(statSync(files.privateKey).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  // Signing the same text again gives the same signature: a repeated integration makes the same commit.
  expect(signs('text')).toBe(signature);
  expect(verifyText(keyOf(), bytes('text'), signature)).toBe('good');
  expect(verifyText(keyOf(), bytes('texts'), signature)).toBe('bad');
});

it('a seal opens the key, and makes it if there is none [SEAL-6]', () => {
  const seal = openSigning(directory).seal('text');
  expect(statSync(files.privateKey).mode & 0o777).toBe(0o600);
  expect(sealFits(keyOf(), 'text', seal)).toBe(true);
  expect(openSigning(directory).seal('text')).toBe(seal);
  chmodSync(files.privateKey, 0o644);
  expect(() => openSigning(directory).seal('text')).toThrow(/can be used by others than you/);
});

it('a crash while the key is made leaves nothing that counts, and missing files beside a whole key are made again [PROV-10]', () => {
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(`${files.privateKey}.1-1.tmp`, '-----BEGIN PRIV', { mode: 0o600 });
  const signature = signs('text');
  const publicLine = readFileSync(files.publicKey, 'utf8');
  rmSync(files.publicKey);
  rmSync(files.allowedSigners);
  expect(signs('text')).toBe(signature);
  expect(readFileSync(files.publicKey, 'utf8')).toBe(publicLine);
  expect(readFileSync(files.allowedSigners, 'utf8')).toBe(
    `signalbox@localhost namespaces="git,signalbox-seal,signalbox-note" ${publicLine}`,
  );
});

it('a key that is damaged, open to others or gone is refused with what to do [PROV-2]', () => {
  const signature = signs('text');
  const text = readFileSync(files.privateKey, 'utf8');
  const refusal = (): string => {
    try {
      return `signed: ${signs('text')}`;
    } catch (error) {
      expect(error).toMatchObject({ code: 'key_unusable' });
      return (error as Error).message;
    }
  };

  writeFileSync(files.privateKey, text.slice(0, 60));
  expect(refusal()).toMatch(/is damaged and no signing key any more: restore it from a backup, or move/);
  writeFileSync(files.privateKey, text);
  chmodSync(files.privateKey, 0o644);
  expect(refusal()).toBe(
    `${files.privateKey} can be used by others than you, so the signing key in it is not used: ` +
      `\`chmod 600 ${files.privateKey}\` fixes it`,
  );
  rmSync(files.privateKey);
  const waiting = openSigning(directory);
  expect(() => waiting.open()).toThrow(/is missing, but .* exists: restore it from a backup/);
  writeFileSync(files.privateKey, text, { mode: 0o600 });
  waiting.open();
  expect(waiting.sign('text')).toBe(signature);
});
