// Artifacts as files: immutable, named by the hash of their bytes, each complete or absent. A file whose hash is wrong
// is never returned. Who made an artifact, from what and on which commit is in the journal, not here.

import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArtifactKind, artifactMax } from '../../model/attempt/artifact-kinds.ts';
import type { ArtifactId } from '../../model/core/ids.ts';
import type { Json } from '../../model/core/json.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf, syncDirectory, writeAtomic } from '../../std/files.ts';
import { ownDirectory } from '../../std/own-directory.ts';
import { canonicalJson } from './canonical-json.ts';

export interface Artifact {
  readonly kind: ArtifactKind;
  readonly value: Json;
}

export interface StoredArtifact {
  readonly id: ArtifactId;
  readonly bytes: number;
}

export interface Artifacts {
  /** Durable when this resolves. Storing the same content again gives the same artifact. */
  put(kind: ArtifactKind, value: Json): Promise<StoredArtifact>;
  /** Its bytes as they are stored; a Fault where they are missing or not what they were. */
  bytes(id: ArtifactId): Promise<Buffer>;
  get(id: ArtifactId): Promise<Artifact>;
  /** Artifacts whose hash begins with this: at least two digits. */
  find(beginning: string): Promise<readonly ArtifactId[]>;
  path(id: ArtifactId): string;
}

/** The kind belongs to what is hashed: one value of two kinds is two artifacts. */
export function encodeArtifact(kind: ArtifactKind, value: Json): StoredArtifact & { readonly data: Buffer } {
  const data = Buffer.from(`${canonicalJson({ kind, value })}\n`);
  return { id: idOf(data), bytes: data.length, data };
}

export function openArtifacts(root: string): Artifacts {
  const path = (id: ArtifactId): string => join(directoryOf(root, id), `${hexOf(id)}.json`);
  const unfinished = join(root, 'unfinished');
  let ready: Promise<void> | null = null;
  /** Removes incomplete files that a crash left. */
  const clear = async (): Promise<void> => {
    await rm(unfinished, { recursive: true, force: true });
    await ownDirectory(unfinished);
  };
  const prepare = async (): Promise<void> => {
    ready ??= clear();
    try {
      await ready;
    } catch (error) {
      ready = null;
      throw diskFault(error, root);
    }
  };
  const durable = new Set<string>();
  const makeDirectory = async (directory: string): Promise<void> => {
    if (durable.has(directory)) return;
    await ownDirectory(directory);
    await syncDirectory(root);
    durable.add(directory);
  };
  const bytes = async (id: ArtifactId): Promise<Buffer> => {
    const found = await read(path(id));
    if (found === null) throw new Fault('not_found', `artifact ${id} is missing: there is no file ${path(id)}`);
    if (idOf(found) === id) return found;
    throw new Fault('artifact_corrupt', `artifact ${id} is damaged: the content of ${path(id)} has changed`);
  };
  return {
    path,
    bytes,
    async put(kind, value) {
      const { id, bytes: size, data } = encodeArtifact(kind, value);
      if (size > artifactMax) {
        throw new Fault('bad_request', `this ${kind} has ${size} bytes: an artifact may have at most ${artifactMax}`);
      }
      await prepare();
      const directory = directoryOf(root, id);
      await makeDirectory(directory);
      const found = await read(path(id));
      // Its writer may have died before the name was durable.
      if (found?.equals(data) === true) await syncDirectory(directory);
      // A damaged file is replaced: its right content is at hand.
      else await writeAtomic(path(id), data, { mode: 0o400, by: unfinished });
      return { id, bytes: size };
    },
    async find(beginning) {
      const names = await namesIn(join(root, beginning.slice(0, 2)));
      const hashes = names.flatMap((name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []);
      return hashes.filter((hex) => hex.startsWith(beginning)).map((hex): ArtifactId => `artifact_${hex}`);
    },
    async get(id) {
      return JSON.parse((await bytes(id)).toString()) as Artifact;
    },
  };
}

/** null: there is no such file. */
async function read(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, path);
  }
}

/** None where there is no such directory. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw diskFault(error, directory);
  }
}

function idOf(data: Buffer): ArtifactId {
  return `artifact_${createHash('sha256').update(data).digest('hex')}`;
}

function hexOf(id: ArtifactId): string {
  const hex = /^artifact_([0-9a-f]{64})$/.exec(id)?.[1];
  if (hex === undefined) throw new Fault('bad_request', `${id} is not the id of an artifact`);
  return hex;
}

/** 256 directories, so that none of them gets large. */
function directoryOf(root: string, id: ArtifactId): string {
  return join(root, hexOf(id).slice(0, 2));
}
