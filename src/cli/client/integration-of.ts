// The commit by which a line came in, by git alone: who last changed it, and which merges brought that here, the last one
// first. Whether any of them is an integration of ours is for the record to say, because anybody can write a message.

import { plainLine } from '../text/plain-text.ts';
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

/** `at`: arguments that say in which repository. */
export interface BlameOrder {
  readonly at: readonly string[];
  readonly rev: string;
  readonly path: string;
  readonly line: number;
}

/** `rev`: the id of a commit. */
export async function blame(place: Place, { at, rev, path, line }: BlameOrder): Promise<Blamed> {
  const args = ['blame', '--porcelain', '-L', `${line},${line}`, rev, '--', path];
  const { status, stdout, stderr } = await userGit(place, [...at, ...args]);
  if (status !== 0) throw new Declined(`git cannot tell who changed ${path}:${line}: ${plainLine(stderr)}`);
  const [head = '', ...rest] = stdout.split('\n');
  const [commit = '', before = ''] = head.split(' ');
  const summary = rest.find((each) => each.startsWith('summary '))?.slice('summary '.length) ?? '';
  const text = rest.find((each) => each.startsWith('\t'))?.slice(1) ?? '';
  return { commit, summary, text, line: Number(before) };
}

/** Merges can be nested as deep as people like; ours are two deep. */
const depthMax = 20;

/** What says that it integrated this commit: the commit itself, then what brought it in, the nearest to it first. */
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

/** The merge by which a commit came onto a line of first parents, and the side it came from; null where it is on the line. */
async function entryOf(
  place: Place,
  at: readonly string[],
  tip: string,
  commit: string,
): Promise<{ readonly commit: string; readonly through: string } | null> {
  const has = async (each: string | undefined): Promise<boolean> =>
    each !== undefined && (await userGit(place, [...at, 'merge-base', '--is-ancestor', commit, each])).status === 0;
  // The newest first: from some point on they do not have it yet.
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
  const format = '%(trailers:key=Signalbox-Attempt,valueonly)';
  const { stdout } = await userGit(place, [...at, 'show', '-s', `--format=${format}`, commit]);
  const attemptId = /^attempt_[0-9a-z]+-\d+$/m.exec(stdout)?.[0];
  return attemptId === undefined ? null : { commit, attemptId };
}

async function parentsOf(place: Place, at: readonly string[], commit: string): Promise<string[]> {
  const [line = ''] = await linesOf(place, [...at, 'rev-list', '--parents', '-n', '1', commit]);
  return line.split(' ').slice(1);
}

async function linesOf(place: Place, args: readonly string[]): Promise<string[]> {
  const { status, stdout, stderr } = await userGit(place, args);
  if (status !== 0) throw new Declined(`git cannot follow the history: ${plainLine(stderr)}`);
  return stdout.split('\n').filter((line) => line !== '');
}
