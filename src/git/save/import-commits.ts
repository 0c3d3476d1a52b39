// Imports the agent's own commits into our bare repository. git never opens the agent's git directory: a directory of
// ours serves its objects, so no configuration, hook, ref or commit-graph of the agent takes part. Every object is
// hashed and checked again on our side.

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { durable, git, runGit, settingArguments } from '../commands/git.ts';
import { makeGitDir } from '../commands/own-git-dir.ts';
import { listingMaxBytes } from '../commands/tree-index.ts';
import { copyShallow } from '../workspace/checkout.ts';
import { flawOfGitDir, readHead } from './agent-git-dir.ts';

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
  const { isCommit, descends } = await relation(place, head, signal);
  if (!isCommit) return refused('its HEAD is not a commit');
  return descends ? { head, notes: [] } : refused('its HEAD does not descend from the commit it began with');
}

/** One command answers both: commits that descend from the base have it as their boundary. */
async function relation(
  { bare, base }: ImportPlace,
  head: string,
  signal: AbortSignal,
): Promise<{ isCommit: boolean; descends: boolean }> {
  const asked = await git(['rev-list', '--boundary', '--end-of-options', head, `^${base}`], {
    env: { GIT_DIR: bare },
    signal,
    accept: [0, 128],
    stdoutMaxBytes: listingMaxBytes,
  });
  const lines = asked.stdout.split('\n');
  // A tag is followed to its commit. Nothing at all is told of what the base has already.
  const isCommit = asked.status === 0 && (lines[0] === head || asked.stdout === '');
  return { isCommit, descends: lines.includes(`-${base}`) };
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
  await runGit(['sh', '-c', transfer, 'sh', served, place.bare], 'git pack-objects | git index-pack', {
    input: [...ids, `^${place.base}`].map((line) => `${line}\n`).join(''),
    timeoutMs: importTimeoutMs,
    signal,
  });
}

/**
 * What `git fetch` does between two directories of one machine, with half as many processes. `--strict` refuses malformed
 * objects, and those that name an object which is neither sent nor ours. A truncated pack is refused too, so the status of the
 * first command is not needed.
 */
const transfer = `
GIT_DIR="$1" git ${settingArguments().join(' ')} pack-objects --quiet --revs --thin --stdout --delta-base-offset --threads=1 |
GIT_DIR="$2" git ${settingArguments(durable).join(' ')} index-pack --stdin --fix-thin --strict --threads=1
`;

const importTimeoutMs = 5 * 60_000;

// Files beside the objects that git would trust.
const servedConfig = `[core]
	commitGraph = false
	multiPackIndex = false
[pack]
	useBitmaps = false
`;

function refused(why: string): Imported {
  return { head: null, notes: [`the agent's commits were not imported, only its files: ${why}`] };
}
