// Signalbox's own key, by which it is known that a commit was landed by it. The private half never leaves this file, is
// readable by its owner only and is made when it is first needed; beside it lies what people need to check a signature.
// A key that cannot be used is a Fault with what to do: another one is never made in its place.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { readIfThere, writeAtomic } from '../std/files.ts';
import { ownDirectory, readOwnFile } from '../std/own-directory.ts';
import { usualIdentity } from './commit.ts';
import { publicLine, signText } from './ssh-signature.ts';

export interface Signing {
  /** Makes sure that there is a key. Before the first signature, and again where that failed. */
  open(): Promise<void>;
  /** An armoured signature, the same for the same text. */
  sign(text: string): string;
  /** null where nothing was ever signed. Makes nothing. */
  publicKey(): KeyObject | null;
}

/** `directory` belongs to whoever holds the lock of the home. */
export function openSigning(directory: string): Signing {
  let key: KeyObject | null = null;
  return {
    async open() {
      key ??= await openKey(directory);
    },
    sign: (text) => signText(must(key, 'the signing key is open'), Buffer.from(text)),
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

async function openKey(directory: string): Promise<KeyObject> {
  await ownDirectory(directory);
  const files = signingFiles(directory);
  const known = readKey(directory);
  if (known === null) await refuseSecondKey(files);
  const key = known ?? generateKeyPairSync('ed25519').privateKey;
  // First of all: what the other files say is worth nothing without it, and they are made again from it.
  if (known === null) await writeAtomic(files.privateKey, key.export({ format: 'pem', type: 'pkcs8' }));
  const { email } = usualIdentity;
  await writeUnlessSo(files.publicKey, `${publicLine(key, email)}\n`);
  await writeUnlessSo(files.allowedSigners, `${email} namespaces="git" ${publicLine(key, email)}\n`);
  return key;
}

function readKey(directory: string): KeyObject | null {
  const { privateKey: path } = signingFiles(directory);
  const found = readOwnFile(directory, path);
  if (found.kind === 'none') return null;
  if (found.kind === 'unsafe') {
    const mend = found.open ? `: \`chmod ${found.path === path ? 600 : 700} ${found.path}\` mends it` : '';
    throw new Fault('key_unusable', `${found.path} ${found.flaw}, so the signing key in it is not used${mend}`);
  }
  try {
    const key = createPrivateKey(found.text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Told below, without what is in the file.
  }
  throw new Fault(
    'key_unusable',
    `${path} is not a signing key any more: restore it from a backup, or move the whole directory away to go on with ` +
      'a new key (what was signed with this one is then known by the old allowed_signers only)',
  );
}

/** Its other half is there: a new key would disown all that was signed. */
async function refuseSecondKey({ privateKey, publicKey }: ReturnType<typeof signingFiles>): Promise<void> {
  if ((await readIfThere(publicKey)) === null) return;
  throw new Fault(
    'key_unusable',
    `${privateKey} is gone, but ${publicKey} is there: restore it from a backup, or move the whole directory away to ` +
      'go on with a new key',
  );
}

async function writeUnlessSo(path: string, text: string): Promise<void> {
  if ((await readIfThere(path)) !== text) await writeAtomic(path, text);
}
