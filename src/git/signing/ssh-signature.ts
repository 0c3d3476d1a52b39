// Signatures as `ssh-keygen -Y sign` makes them (SSHSIG, Ed25519, sha512), and public keys in OpenSSH's form. A seal is
// the bare signature without the parts that are the same for every signature of a key. Pure: the same key and text give
// the same signature. It never reads a key file.

import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** `ssh-ed25519 AAAA… comment`, as a line of an `authorized_keys` or `.pub` file. */
export function publicLine(key: KeyObject, comment: string): string {
  return `${keyType} ${keyBlob(key).toString('base64')} ${comment}`;
}

/** As `ssh-keygen -l` names it. Accepts both halves of a key. */
export function fingerprintOf(key: KeyObject): string {
  return `SHA256:${createHash('sha256').update(keyBlob(key)).digest('base64').replace(/=+$/, '')}`;
}

/**
 * The purpose of a signature, which is signed too: a signature of a commit is invalid for an event, whatever their texts are.
 */
export const namespaces = { commit: 'git', seal: 'signalbox-seal', note: 'signalbox-note' } as const;

type Namespace = (typeof namespaces)[keyof typeof namespaces];

export function signText(key: KeyObject, text: Uint8Array, of: 'commit' | 'note' = 'commit'): string {
  return armour(key, namespaces[of], sign(null, signedBytes(namespaces[of], text), key));
}

/** The 64 bytes of a signature in base64. */
export function sealText(key: KeyObject, text: string): string {
  return sign(null, signedBytes(namespaces.seal, Buffer.from(text)), key).toString('base64');
}

export function sealFits(key: KeyObject, text: string, seal: string): boolean {
  const signature = Buffer.from(seal, 'base64');
  // A seal has exactly one spelling: another base64 text of the same bytes does not count.
  if (signature.toString('base64') !== seal) return false;
  return verify(null, signedBytes(namespaces.seal, Buffer.from(text)), key, signature);
}

/** A seal as a file that `ssh-keygen -Y verify` takes. */
export function armouredSeal(key: KeyObject, seal: string): string {
  return armour(key, namespaces.seal, Buffer.from(seal, 'base64'));
}

function armour(key: KeyObject, namespace: Namespace, signature: Buffer): string {
  const blob = Buffer.concat([
    Buffer.from(magic),
    uint32(version),
    field(keyBlob(key)),
    field(namespace),
    field(''),
    field(hashName),
    field(Buffer.concat([field(keyType), field(signature)])),
  ]);
  return [header, ...(blob.toString('base64').match(/.{1,70}/g) ?? []), footer, ''].join('\n');
}

/** `foreign`: by another key; its signature was not checked. */
export type SignatureVerdict = 'good' | 'foreign' | 'bad';

export function verifyText(
  key: KeyObject,
  text: Uint8Array,
  armoured: string,
  of: 'commit' | 'note' = 'commit',
): SignatureVerdict {
  const parts = readSignature(armoured, namespaces[of]);
  if (parts === null) return 'bad';
  if (!parts.key.equals(keyBlob(key))) return 'foreign';
  return verify(null, signedBytes(namespaces[of], text), key, parts.signature) ? 'good' : 'bad';
}

const keyType = 'ssh-ed25519';
const magic = 'SSHSIG';
const version = 1;
const hashName = 'sha512';
const header = '-----BEGIN SSH SIGNATURE-----';
const footer = '-----END SSH SIGNATURE-----';

function signedBytes(namespace: Namespace, text: Uint8Array): Buffer {
  const digest = createHash(hashName).update(text).digest();
  return Buffer.concat([Buffer.from(magic), field(namespace), field(''), field(hashName), field(digest)]);
}

function keyBlob(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([field(keyType), field(Buffer.from(x, 'base64url'))]);
}

/** null: not a signature of the kind that is made here. */
function readSignature(
  armoured: string,
  namespace: Namespace,
): { readonly key: Buffer; readonly signature: Buffer } | null {
  const lines = armoured.trim().split('\n');
  if (lines[0] !== header || lines.at(-1) !== footer) return null;
  const blob = Buffer.from(lines.slice(1, -1).join(''), 'base64');
  const start = magic.length + 4;
  if (blob.length < start || blob.toString('latin1', 0, magic.length) !== magic) return null;
  if (blob.readUInt32BE(magic.length) !== version) return null;
  const [key, space, , hash, signed] = fields(blob.subarray(start)) ?? [];
  if (key === undefined || signed === undefined || space?.toString() !== namespace) return null;
  const [type, signature] = fields(signed) ?? [];
  // Another kind of key or hash is not ours: the key alone tells signers apart.
  if (signature === undefined) return null;
  const known = type?.toString() === keyType && hash?.toString() === hashName;
  return { key, signature: known ? signature : Buffer.alloc(0) };
}

/** Each with its length before it; null where the lengths do not add up. */
function fields(bytes: Buffer): Buffer[] | null {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return null;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
