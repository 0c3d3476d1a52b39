// Copies of sessions that people began by hand, for the tasks that continue them: in a file for each run that only its owner can read.

import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdoptedSession, sessionBytesMax } from '../model/core/adopted-session.ts';
import { Fault } from '../std/fault.ts';
import { errnoOf, writeAtomic } from '../std/files.ts';
import { ownDirectory } from '../std/own-directory.ts';

export interface AdoptedSessions {
  /** Throws a Fault where the file cannot be read, or is no session. */
  store(runId: string, given: { readonly session: string; readonly path: string }): Promise<AdoptedSession>;
  read(runId: string): Promise<Buffer>;
}

export function openAdopted(home: string): AdoptedSessions {
  const directory = join(home, 'adopted');
  const pathOf = (runId: string): string => join(directory, `${runId}.jsonl`);
  return {
    async store(runId, { session, path }) {
      const bytes = wholeLines(await contentOf(path));
      await ownDirectory(home);
      await ownDirectory(directory);
      await writeAtomic(pathOf(runId), bytes);
      return { session, source: path, bytes: bytes.length };
    },
    async read(runId) {
      try {
        return await readFile(pathOf(runId));
      } catch (cause) {
        const why = `${pathOf(runId)} cannot be read`;
        throw new Fault('agent_unusable', `the adopted session is gone: ${why}; adopt it again`, { cause });
      }
    },
  };
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new Fault('bad_request', `${path} is no file`);
      if (stats.size > sessionBytesMax) throw new Fault('bad_request', `${path} has ${stats.size} bytes: too long`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault('bad_request', `the session ${path} cannot be read: ${errnoOf(cause) ?? String(cause)}`, { cause });
  }
}

/** Its program may be writing the last line just now. */
function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
}
