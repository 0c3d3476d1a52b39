// Which repositories' tools the user trusts: a file for each repository in Signalbox's own home, which no sandbox shows and no
// repository can write. It names the hash of the content that was shown; other content is not trusted.

import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { errnoOf, writeAtomic } from '../../std/files.ts';
import { ownDirectory, readOwnFile } from '../../std/own-directory.ts';

export interface Trust {
  /** The repository's git directory, which its worktrees share. */
  readonly repository: string;
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface TrustStore {
  /** null = this repository was never trusted. */
  find(repository: string): Trust | null;
  store(trust: Trust): Promise<void>;
  /** False: it was not trusted. */
  remove(repository: string): Promise<boolean>;
  list(): Promise<readonly Trust[]>;
}

export function openTrust(home: string): TrustStore {
  const directory = join(home, 'trust');
  const pathOf = (repository: string): string =>
    join(directory, `${createHash('sha256').update(repository).digest('hex').slice(0, 32)}.json`);
  const readFrom = (path: string): Trust | null => {
    const found = readOwnFile(directory, path);
    if (found.kind === 'none') return null;
    if (found.kind === 'read') return trustIn(found.bytes);
    throw new Fault('read_only', `${found.path} ${found.flaw}: what it says about trust is not used; remove it`);
  };
  return {
    find(repository) {
      const trust = readFrom(pathOf(repository));
      return trust?.repository === repository ? trust : null;
    },
    async store(trust) {
      await ownDirectory(home);
      await ownDirectory(directory);
      await writeAtomic(pathOf(trust.repository), `${JSON.stringify(trust)}\n`);
    },
    async remove(repository) {
      if (readFrom(pathOf(repository)) === null) return false;
      await rm(pathOf(repository), { force: true });
      return true;
    },
    async list() {
      const names = await namesIn(directory);
      return names.flatMap((name) => readFrom(join(directory, name)) ?? []);
    },
  };
}

/** null = the file is damaged: nothing is trusted by it. */
function trustIn(bytes: Buffer): Trust | null {
  try {
    const { repository, digest, at } = JSON.parse(bytes.toString('utf8')) as Partial<Trust>;
    if (typeof repository !== 'string' || typeof digest !== 'string' || typeof at !== 'number') return null;
    return { repository, digest, at };
  } catch {
    return null;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => /^[0-9a-f]{32}\.json$/.test(name)).sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
