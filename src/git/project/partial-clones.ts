// Partial clones: repositories that fetch missing objects when git needs them. Nothing here makes them do so: missing
// objects are counted, and a commit that is not complete is refused. Objects are copied as files, because a fetch from
// such a repository would make it fetch first.

import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { type GitOptions, git } from '../commands/git.ts';

type Place = Pick<GitOptions, 'cwd' | 'env'>;

export async function isPartial(place: Place, signal: AbortSignal): Promise<boolean> {
  const keys = '^(remote\\..*\\.promisor|extensions\\.partialclone)$';
  return (await git(['config', '--get-regexp', keys], { ...place, signal, accept: [0, 1] })).status === 0;
}

/** Refuses a commit of which a file is missing. */
export async function requireWhole(root: string, commit: string, signal: AbortSignal): Promise<void> {
  const missing = await countMissing({ cwd: root }, commit, signal);
  if (missing === 0) return;
  throw new Fault(
    'not_a_repository',
    `${root} is a partial clone that lacks ${missing} ${missing === 1 ? 'object' : 'objects'} of commit ` +
      `${commit.slice(0, 12)}: run "git fetch --refetch --no-filter" there first`,
  );
}

export async function countMissing(place: Place, commit: string, signal: AbortSignal): Promise<number> {
  const args = ['rev-list', '--objects', '--no-object-names', '--no-walk', '--missing=print', commit];
  const { stdout } = await git(args, { ...place, signal, stdoutMaxBytes: listingMaxBytes });
  return stdout.split('\n').filter((line) => line.startsWith('?')).length;
}

const listingMaxBytes = 256 * 1024 * 1024;

/** Copies every object file of one directory to the other, as a hard link where possible. */
export async function linkObjects(from: string, to: string): Promise<void> {
  try {
    for (const folder of await readdir(from)) {
      if (!/^([0-9a-f]{2}|pack)$/.test(folder)) continue;
      await mkdir(join(to, folder), { recursive: true });
      // An index makes its pack visible, so it comes last.
      const names = (await readdir(join(from, folder))).sort((a, b) => rankOf(a) - rankOf(b));
      for (const name of names) {
        if (name.startsWith('tmp_') || name.endsWith('.lock')) continue;
        await linkFile(join(from, folder, name), join(to, folder, name));
      }
    }
  } catch (error) {
    throw diskFault(error, to);
  }
}

function rankOf(name: string): number {
  return name.endsWith('.idx') ? 1 : 0;
}

async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return;
    if (errno !== 'EXDEV' && errno !== 'EPERM' && errno !== 'EMLINK') throw error;
    await copyFile(from, to);
  }
}
