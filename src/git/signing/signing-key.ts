// Signalbox's own key, which proves that Signalbox integrated a commit or recorded an event. The private half never
// leaves this file, is readable by its owner only and is created when it is first needed; beside it are the files for
// checking a signature. A key that cannot be used is a Fault that says what to do: it is never replaced by a new one.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf, writeAtomicSync } from '../../std/files.ts';
import { ownDirectorySync, readOwnFile } from '../../std/own-directory.ts';
import { usualIdentity } from '../commands/create-commit.ts';
import { namespaces, publicLine, sealText, signText } from './ssh-signature.ts';

export interface Signing {
  /** Makes sure that there is a key. Call it before the first signature, and again if it failed. */
  open(): void;
  /** An armoured signature of a commit, the same for the same text. */
  sign(text: string): string;
  /** The same of a note. */
  signNote(text: string): string;
  /** A seal of a text, the same for the same text. Opens the key if it is not open yet. */
  seal(text: string): string;
  /** null: nothing was ever signed. Creates nothing. */
  publicKey(): KeyObject | null;
}

/** `directory` belongs to the holder of the home's lock. */
export function openSigning(directory: string): Signing {
  let key: KeyObject | null = null;
  return {
    open() {
      key ??= openKey(directory);
    },
    sign: (text) => signText(must(key, 'the signing key is open'), Buffer.from(text)),
    signNote: (text) => signText(must(key, 'the signing key is open'), Buffer.from(text), 'note'),
    seal(text) {
      key ??= openKey(directory);
      return sealText(key, text);
    },
    publicKey() {
      const found = readKey(directory);
      return found === null ? null : createPublicKey(found);
    },
  };
}

/** The names of its files. */
export function signingFiles(directory: string) {
  return {
    privateKey: join(directory, 'key.pem'),
    publicKey: join(directory, 'key.pub'),
    allowedSigners: join(directory, 'allowed_signers'),
  } as const;
}

/** Synchronous, because a seal is needed while events are stored, and so that two first callers create one key. */
function openKey(directory: string): KeyObject {
  ownDirectorySync(directory);
  const files = signingFiles(directory);
  const known = readKey(directory);
  if (known === null) refuseSecondKey(files);
  const key = known ?? generateKeyPairSync('ed25519').privateKey;
  // First, because the other files are worthless without it and can be made again from it.
  if (known === null) writeAtomicSync(files.privateKey, key.export({ format: 'pem', type: 'pkcs8' }));
  const { email } = usualIdentity;
  writeUnlessSo(files.publicKey, `${publicLine(key, email)}\n`);
  const allowed = Object.values(namespaces).join(',');
  writeUnlessSo(files.allowedSigners, `${email} namespaces="${allowed}" ${publicLine(key, email)}\n`);
  return key;
}

function readKey(directory: string): KeyObject | null {
  const { privateKey: path } = signingFiles(directory);
  const found = readOwnFile(directory, path);
  if (found.kind === 'none') return null;
  if (found.kind === 'unsafe') {
    const fix = found.open ? `: \`chmod ${found.path === path ? 600 : 700} ${found.path}\` fixes it` : '';
    throw new Fault('key_unusable', `${found.path} ${found.flaw}, so the signing key in it is not used${fix}`);
  }
  try {
    const key = createPrivateKey(found.bytes);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below, without the content of the file.
  }
  throw new Fault(
    'key_unusable',
    `${path} is damaged and no signing key any more: restore it from a backup, or move its directory away to go on with ` +
      'a new key (what was signed with this one is then known by the old allowed_signers only)',
  );
}

/** The public half is there: a new key would invalidate everything that was signed. */
function refuseSecondKey({ privateKey, publicKey }: ReturnType<typeof signingFiles>): void {
  if (readIfThere(publicKey) === null) return;
  throw new Fault(
    'key_unusable',
    `${privateKey} is missing, but ${publicKey} exists: restore it from a backup, or move its directory away to ` +
      'go on with a new key',
  );
}

function writeUnlessSo(path: string, text: string): void {
  if (readIfThere(path) !== text) writeAtomicSync(path, text);
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, path);
  }
}
