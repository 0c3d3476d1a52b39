// Verifies the signature of a commit as git does: a header of the commit, over everything else in it. Works on the
// object's bytes and needs neither git nor ssh-keygen.

import type { KeyObject } from 'node:crypto';
import { verifyText } from './ssh-signature.ts';

/** `foreign`: by another key. `bad`: by this key, but for something else, or not readable. */
export type CommitVerdict = 'good' | 'unsigned' | 'foreign' | 'bad';

/** `object` is what `git cat-file commit` gives. */
export function verifyCommit(object: Uint8Array, publicKey: KeyObject): CommitVerdict {
  const { payload, signature } = splitSignature(Buffer.from(object));
  return signature === null ? 'unsigned' : verifyText(publicKey, payload, signature);
}

export function splitSignature(commit: Buffer): { readonly payload: Buffer; readonly signature: string | null } {
  // git signs each kind of object id under a name of its own.
  const name = /^tree [0-9a-f]{64}\n/.test(commit.toString('latin1', 0, 70)) ? 'gpgsig-sha256' : 'gpgsig';
  const end = commit.indexOf('\n\n') + 1;
  const kept: string[] = [];
  const signature: string[] = [];
  let inside = false;
  // latin1 keeps every byte.
  for (const line of commit.toString('latin1', 0, end).split('\n').slice(0, -1)) {
    const starts = line.startsWith(`${name} `);
    inside = starts || (inside && line.startsWith(' '));
    if (inside) signature.push(starts ? line.slice(name.length + 1) : line.slice(1));
    else kept.push(`${line}\n`);
  }
  const payload = Buffer.concat([Buffer.from(kept.join(''), 'latin1'), commit.subarray(end)]);
  return { payload, signature: signature.length === 0 ? null : signature.join('\n') };
}
