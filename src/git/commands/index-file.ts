// Reads git's index without starting git, and marks entries as stale. It handles versions 2 and 3 without mandatory
// extensions, which is what git writes by default; any other is left to git. Only we write the file.

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

export interface IndexEntry {
  /** As git prints it: `100644`. */
  readonly mode: string;
  readonly id: string;
  /** As latin1, which keeps every byte. */
  readonly name: string;
}

export interface IndexFile {
  /** In the order of their bytes, as latin1. */
  readonly names: readonly string[];
  /** By name. */
  entries(): readonly IndexEntry[];
  /** Makes git read these files again, by forgetting their times and sizes. */
  doubt(names: ReadonlySet<string>): Promise<void>;
  /** Whether the entry, by its number in `names`, was made from this very file and the file is unchanged since. */
  isMadeOf(n: number, found: BigIntStats): boolean;
}

/** `like`: an id of the repository, which tells the hash in use. null: a form that is not read here. */
export async function readIndexFile(path: string, like: string): Promise<IndexFile | null> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null || bytes.length < headerBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version !== 2 && version !== 3) return null;
  const idBytes = like.length / 2;
  const names: string[] = [];
  const places: number[] = [];
  let at = headerBytes;
  for (let n = 0; n < count; n += 1) {
    const flagsAt = at + statBytes + idBytes;
    if (flagsAt + 2 > bytes.length) return null;
    const flags = bytes.readUInt16BE(flagsAt);
    const nameAt = flagsAt + ((flags & extendedFlag) === 0 ? 2 : 4);
    const end = bytes.indexOf(0, nameAt);
    // During a merge there are several entries of one name.
    if (end < 0 || (flags & stageFlags) !== 0) return null;
    places.push(at);
    names.push(bytes.toString('latin1', nameAt, end));
    // At least one null follows the name, up to a multiple of eight.
    at += (end - at + 8) & ~7;
  }
  if (!isWhole(bytes, at, idBytes)) return null;
  const modeOf = (place: number): string => bytes.readUInt32BE(place + modeAt).toString(8);
  const field = (n: number, offset: number): bigint => BigInt(bytes.readUInt32BE((places[n] ?? 0) + offset));
  return {
    names,
    entries: () =>
      names.map((name, n) => {
        const place = places[n] ?? 0;
        const idAt = place + statBytes;
        return { mode: modeOf(place), id: bytes.toString('hex', idAt, idAt + idBytes), name };
      }),
    async doubt(doubted) {
      let some = false;
      for (const [n, name] of names.entries()) {
        const place = places[n] ?? 0;
        if (!doubted.has(name) || modeOf(place) === linkMode) continue;
        some = true;
        bytes.fill(0, place, place + modeAt);
        bytes.fill(0, place + modeAt + 4, place + statBytes);
      }
      if (!some) return;
      const body = bytes.subarray(0, bytes.length - idBytes);
      const sum = createHash(idBytes === 32 ? 'sha256' : 'sha1')
        .update(body)
        .digest();
      sum.copy(bytes, body.length);
      await writeFile(path, bytes);
    },
    isMadeOf(n, { ctimeNs, mtimeNs, ino, size }) {
      const isAt = (ns: bigint, offset: number): boolean =>
        field(n, offset) === low32(ns / second) && field(n, offset + 4) === ns % second;
      return (
        isAt(ctimeNs, 0) && isAt(mtimeNs, 8) && field(n, inodeAt) === low32(ino) && field(n, sizeAt) === low32(size)
      );
    },
  };
}

const second = 1_000_000_000n;

/** The index has room for this much of a number. */
function low32(value: bigint): bigint {
  return BigInt.asUintN(32, value);
}

/** Of a link to a nested repository. */
export const linkMode = '160000';

const headerBytes = 12;
/** Two times, device, inode, mode, user, group and size. */
const statBytes = 40;
const inodeAt = 20;
const modeAt = 24;
const sizeAt = 36;
const extendedFlag = 0x4000;
const stageFlags = 0x3000;

/** After the entries: optional extensions, whose name begins with a capital letter, and a checksum. */
function isWhole(bytes: Buffer, from: number, idBytes: number): boolean {
  const end = bytes.length - idBytes;
  let at = from;
  while (at + 8 <= end) {
    const first = bytes.readUInt8(at);
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
