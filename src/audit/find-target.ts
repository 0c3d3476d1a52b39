// Resolves the argument of `verify`: a run of this home, or a commit and the integration that brought it. Reads the journal
// and repositories directly, never asks a daemon.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { broughtBy, type RepositoryPlace, readCommit } from '../git/commands/commit-object.ts';
import { resolveCommit } from '../git/commands/git.ts';
import { attemptKey } from '../git/integrate/integration-commit.ts';
import type { RunEvent } from '../model/core/events.ts';
import { isRunId, type RunId } from '../model/core/ids.ts';
import { readEvent } from '../model/format.ts';
import { trailerPrefix } from '../model/integrate/trailer.ts';
import type { Journal } from '../ports/journal.ts';
import { Fault, isFault } from '../std/fault.ts';
import { errnoOf } from '../std/files.ts';
import { findNote } from './landed-history.ts';

export type Target =
  | { readonly kind: 'run'; readonly runId: RunId }
  /** `commit`: the integration; `asked`: what the word names. Both are in `place`. */
  | { readonly kind: 'commit'; readonly asked: string; readonly commit: string; readonly place: RepositoryPlace }
  /** A commit that a landing made, or that says so; with the note on it. */
  | { readonly kind: 'landed'; readonly commit: string; readonly place: RepositoryPlace; readonly note: string | null };

export interface Places {
  readonly journal: Pick<Journal, 'heads' | 'head' | 'read'>;
  /** The directory of Signalbox's own repositories. */
  readonly projects: string;
  /** The user's current directory. */
  readonly cwd: string;
}

export async function findTarget(word: string, places: Places, signal: AbortSignal): Promise<Target> {
  const runId = await findRun(places.journal, word);
  if (runId !== null) return { kind: 'run', runId };
  const found = await findCommit(word, places, signal);
  if (found !== null) return found;
  throw new Fault('not_found', `"${word}" is neither a run in the journal nor a commit of the current repository`);
}

/** How many runs a name is searched in. */
const namesMax = 200;

/** By id, or the newest run of that name. */
async function findRun(journal: Places['journal'], word: string): Promise<RunId | null> {
  if (isRunId(word)) return (await journal.head(word)) === null ? null : word;
  const heads = await journal.heads({ prefix: 'run_' });
  for (const { stream } of heads.slice(-namesMax).reverse()) {
    if ((await nameOf(journal, stream)) === word) return stream as RunId;
  }
  return null;
}

async function nameOf(journal: Places['journal'], stream: string): Promise<string | null> {
  try {
    const [stored] = await journal.read(stream, 0, 1);
    const event = stored === undefined ? null : readEvent<RunEvent>(stored, stored.at);
    return event?.type === 'run.created' ? event.run.name : null;
  } catch (error) {
    // A damaged run can still be named by its id.
    if (isFault(error, 'journal_corrupt') || isFault(error, 'journal_newer')) return null;
    throw error;
  }
}

async function findCommit(word: string, { projects, cwd }: Places, signal: AbortSignal): Promise<Target | null> {
  const here = { cwd };
  const named = await resolveCommit(word, here, signal).catch(() => null);
  const ours = (await foldersOf(projects)).map((name) => ({ env: { GIT_DIR: join(projects, name) } }));
  // A ref name is resolved only in the user's repository; an id means the same everywhere.
  const id = named ?? (/^[0-9a-f]{7,64}$/.test(word) ? word : null);
  if (id === null) return null;
  let known = named !== null;
  let claiming: Target | null = null;
  for (const place of [here, ...ours]) {
    const asked = await resolveCommit(id, place, signal).catch(() => null);
    if (asked === null) continue;
    known = true;
    const note = await findNote(place, asked, signal);
    if (note !== null) return { kind: 'landed', commit: asked, place, note };
    const commit = await integrationOf(place, asked, signal);
    if (commit !== null) return { kind: 'commit', asked, commit, place };
    if (await claimsWork(place, asked, signal)) claiming ??= { kind: 'landed', commit: asked, place, note };
  }
  if (!known || claiming !== null) return claiming;
  const where = 'no integration of Signalbox that this repository or the home has brought it';
  throw new Fault('not_found', `commit ${id.slice(0, 12)} is known, but ${where}`);
}

/** The commit itself, or the merge that brought it in. */
async function integrationOf(place: RepositoryPlace, id: string, signal: AbortSignal): Promise<string | null> {
  const mark = `${trailerPrefix}Journal`;
  const commit = await readCommit(place, id, signal);
  if (commit?.trailers.some(({ key }) => key === mark) === true) return id;
  return broughtBy(place, id, mark, signal);
}

/** A landed commit without its note still names an attempt. */
async function claimsWork(place: RepositoryPlace, id: string, signal: AbortSignal): Promise<boolean> {
  const commit = await readCommit(place, id, signal);
  return commit?.trailers.some(({ key }) => key === attemptKey) === true;
}

async function foldersOf(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
