// Objects that are created aside and enter a bare repository of ours complete and durable. An object that was only
// written may be torn by a power cut, and a torn object would block the same one for ever. Objects that are not
// released vanish with their directory.

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { diskFault, syncDirectory } from '../../std/files.ts';

export interface Quarantine {
  /**
   * The environment for git: it reads objects of the repository and of the quarantine, and writes to the quarantine.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a commit of its text. Returns its id. */
  commit(text: string): Promise<string>;
  /** Moves what was created since the last call into the repository. */
  release(): Promise<void>;
}

export interface QuarantinePlace {
  readonly bare: string;
  readonly scratch: string;
  /** A commit of the repository, which tells the hash in use. */
  readonly like: string;
}

export async function openQuarantine({ bare, scratch, like }: QuarantinePlace): Promise<Quarantine> {
  const objects = join(scratch, 'objects');
  const ours = join(bare, 'objects');
  try {
    await mkdir(join(objects, 'info'), { recursive: true });
    await writeFile(join(objects, 'info', 'alternates'), `${ours}\n`);
  } catch (error) {
    throw diskFault(error, objects);
  }
  return {
    env: { GIT_DIR: bare, GIT_OBJECT_DIRECTORY: objects },
    commit: (text) => writeObject(objects, `commit`, Buffer.from(text), like),
    release: () => release(objects, ours),
  };
}

/** Nothing here has to be durable before it is released. */
export const notDurable = { 'core.fsync': 'none' } as const;

async function writeObject(objects: string, kind: string, content: Buffer, like: string): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(whole)
    .digest('hex');
  const folder = join(objects, id.slice(0, 2));
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, id.slice(2)), await promisify(deflate)(whole), { mode: 0o444 });
  } catch (error) {
    throw diskFault(error, folder);
  }
  return id;
}

async function release(from: string, to: string): Promise<void> {
  try {
    const folders = (await readdir(from)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    await inParallel(folders, async (folder) => {
      await mkdir(join(to, folder), { recursive: true });
      for (const name of await readdir(join(from, folder))) {
        if (!/^[0-9a-f]{38,}$/.test(name)) continue;
        await sync(join(from, folder, name));
        await rename(join(from, folder, name), join(to, folder, name));
      }
      await syncDirectory(join(to, folder));
    });
    await syncDirectory(to);
  } catch (error) {
    throw diskFault(error, to);
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs at one time share what the disk has to write. */
const parallelMax = 8;

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: parallelMax }, worker));
}
