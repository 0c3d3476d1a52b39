// Finds with git which commit last changed a line, which work it or its note names, and which merges brought it here. Only the journal can say whether one
// of them is an integration of Signalbox, because anybody can write a commit message.

import { plainLine } from '../../std/plain-text.ts';
import { Declined } from './client.ts';
import type { Place } from './context.ts';
import { userGit } from './user-git.ts';

export interface Blamed {
  readonly commit: string;
  readonly summary: string;
  /** The line itself, and where it was in that commit. */
  readonly text: string;
  readonly line: number;
}

export interface Claim {
  readonly commit: string;
  readonly attemptId: string;
}

/** `at`: git arguments that select the repository. */
export interface BlameOrder {
  readonly at: readonly string[];
  readonly rev: string;
  readonly path: string;
  readonly line: number;
}

/** `rev`: a commit id. */
export async function blame(place: Place, { at, rev, path, line }: BlameOrder): Promise<Blamed> {
  const args = ['blame', '--porcelain', '-L', `${line},${line}`, rev, '--', path];
  const { status, stdout, stderr } = await userGit(place, [...at, ...args]);
  if (status !== 0 && stderr.includes('no such path')) {
    throw new Declined(`${path} is not in ${rev.slice(0, 7)}: choose another revision with --rev, or a run with --run`);
  }
  if (status !== 0) throw new Declined(`git blame failed for ${path}:${line}: ${plainLine(stderr)}`);
  const [head = '', ...rest] = stdout.split('\n');
  const [commit = '', before = ''] = head.split(' ');
  const summary = rest.find((each) => each.startsWith('summary '))?.slice('summary '.length) ?? '';
  const text = rest.find((each) => each.startsWith('\t'))?.slice(1) ?? '';
  return { commit, summary, text, line: Number(before) };
}

/** Signalbox's own merges are two deep; users may nest more. */
const depthMax = 20;

/** Commits that claim to have integrated this commit: itself, then the merges that brought it in, nearest first. */
export async function claimsFor(place: Place, at: readonly string[], rev: string, commit: string): Promise<Claim[]> {
  const way: string[] = [];
  for (let from = rev, depth = 0; depth < depthMax; depth++) {
    const merge = await entryOf(place, at, from, commit);
    if (merge === null) break;
    way.unshift(merge.commit);
    from = merge.through;
  }
  const claims = await Promise.all([commit, ...way].map((each) => claimOf(place, at, each)));
  return claims.filter((claim) => claim !== null);
}

/** The merge that brought a commit onto the first-parent line, and the parent it came through; null = it is on the line itself. */
async function entryOf(
  place: Place,
  at: readonly string[],
  tip: string,
  commit: string,
): Promise<{ readonly commit: string; readonly through: string } | null> {
  const has = async (each: string | undefined): Promise<boolean> =>
    each !== undefined && (await userGit(place, [...at, 'merge-base', '--is-ancestor', commit, each])).status === 0;
  // Newest first, so a binary search finds the first commit that contains it.
  const line = await linesOf(place, [...at, 'rev-list', '--first-parent', `${commit}..${tip}`]);
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await has(line[middle])) low = middle + 1;
    else high = middle;
  }
  const entry = line[low - 1];
  if (entry === undefined) return null;
  const [first, ...others] = await parentsOf(place, at, entry);
  if (first === commit) return null;
  for (const through of others) if (await has(through)) return { commit: entry, through };
  return null;
}

async function claimOf(place: Place, at: readonly string[], commit: string): Promise<Claim | null> {
  const format = '%(trailers:key=Signalbox-Attempt)%n%N';
  const { stdout } = await userGit(place, [
    ...at,
    'show',
    '-s',
    '--notes=refs/notes/signalbox',
    `--format=${format}`,
    commit,
  ]);
  const attemptId = /^Signalbox-Attempt: (attempt_[0-9a-z]+-\d+)$/m.exec(stdout)?.[1];
  return attemptId === undefined ? null : { commit, attemptId };
}

/** Whether a commit is one of those that a landing brought: each commit names its parents, so its last one covers them all. */
export async function isOfLanding(
  place: Place,
  at: readonly string[],
  commit: string,
  { from, commit: last }: { readonly from: string | null; readonly commit: string },
): Promise<boolean> {
  const has = async (one: string, other: string): Promise<boolean> =>
    (await userGit(place, [...at, 'merge-base', '--is-ancestor', one, other])).status === 0;
  return (await has(commit, last)) && (from === null || !(await has(commit, from)));
}

async function parentsOf(place: Place, at: readonly string[], commit: string): Promise<string[]> {
  const [line = ''] = await linesOf(place, [...at, 'rev-list', '--parents', '-n', '1', commit]);
  return line.split(' ').slice(1);
}

async function linesOf(place: Place, args: readonly string[]): Promise<string[]> {
  const { status, stdout, stderr } = await userGit(place, args);
  if (status !== 0) throw new Declined(`git could not read the history: ${plainLine(stderr)}`);
  return stdout.split('\n').filter((line) => line !== '');
}
