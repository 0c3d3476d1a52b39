// Brings the agent's own commits into our bare repository. git never opens the agent's git directory: a directory of
// ours serves its objects, so no configuration, hook, ref or commit-graph of the agent's takes part. What comes over
// is hashed and checked anew on our side.

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../std/fault.ts';
import { flawOfGitDir, readHead } from './agent-git-dir.ts';
import { copyShallow } from './checkout.ts';
import { durable, git, resolveCommit } from './git.ts';
import { makeGitDir } from './own-git-dir.ts';
import { fetchOnly } from './project.ts';

export interface ImportPlace {
  readonly bare: string;
  readonly base: string;
  readonly workspace: string;
  readonly scratch: string;
}

export interface Imported {
  /** The agent's HEAD, which descends from the base and is ours now; null where that cannot be. */
  readonly head: string | null;
  readonly notes: readonly string[];
}

export async function importCommits(place: ImportPlace, signal: AbortSignal): Promise<Imported> {
  const gitDir = join(place.workspace, '.git');
  const flaw = await flawOfGitDir(gitDir, join(place.bare, 'objects'));
  if (flaw !== null) return refused(flaw);
  const head = await readHead(gitDir);
  if (head === null) return refused('its HEAD names no commit');
  if (head === place.base) return { head, notes: [] };
  try {
    await fetchFrom(join(gitDir, 'objects'), [head], place, signal);
  } catch (error) {
    // The files can still be saved; what an agent did to its objects must not prevent that.
    if (!isFault(error, 'git_failed') && !isFault(error, 'timed_out')) throw error;
    return refused(error.message);
  }
  const env = { GIT_DIR: place.bare };
  if ((await resolveCommit(head, { env }, signal)) !== head) return refused('its HEAD is not a commit');
  const related = await git(['merge-base', '--is-ancestor', place.base, head], { env, signal, accept: [0, 1] });
  return related.status === 0
    ? { head, notes: [] }
    : refused('its HEAD does not descend from the commit it began with');
}

export async function fetchFrom(
  objects: string,
  ids: readonly string[],
  place: ImportPlace,
  signal: AbortSignal,
): Promise<void> {
  const served = await mkdtemp(join(place.scratch, 'served-'));
  await makeGitDir({ path: served, like: place.base, config: servedConfig, borrow: objects }, signal);
  await copyShallow(place.bare, served);
  const [command = '', ...rest] = fetchOnly;
  await git([command, `--negotiation-tip=${place.base}`, ...rest, served, ...ids], {
    env: { GIT_DIR: place.bare },
    config: { ...durable, 'protocol.version': '2', 'fetch.fsckObjects': 'true' },
    timeoutMs: importTimeoutMs,
    signal,
  });
}

const importTimeoutMs = 5 * 60_000;

// Files beside the objects that git would believe.
const servedConfig = `[core]
	commitGraph = false
	multiPackIndex = false
[pack]
	useBitmaps = false
`;

function refused(why: string): Imported {
  return { head: null, notes: [`the agent's commits were not imported, only its files: ${why}`] };
}
