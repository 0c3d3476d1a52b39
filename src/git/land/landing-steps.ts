// The steps of a run's branch: each integration, the attempt whose work it brought, and the commits that the agent made itself.
// Reads only.

import { usualIdentity } from '../commands/create-commit.ts';
import { git, isCommitId } from '../commands/git.ts';
import { listingMaxBytes, records } from '../commands/tree-index.ts';
import { attemptKey } from '../integrate/integration-commit.ts';

/** One or more integrations in a row of the same task. */
export interface Step {
  /** Where the run's branch is after it. */
  readonly commit: string;
  readonly tree: string;
  /** The integrations, the oldest first. */
  readonly integrations: readonly Integration[];
}

export interface Integration {
  readonly commit: string;
  readonly subject: string;
  /** Seconds since the epoch. */
  readonly at: number;
  /** `Key: value` lines, as they are in the commit. */
  readonly trailers: readonly string[];
  /** Commits that the agent made itself, the oldest first. */
  readonly own: readonly OwnCommit[];
}

export interface OwnCommit {
  readonly commit: string;
  readonly tree: string;
  /** null: it has none, or several. */
  readonly parent: string | null;
  /** `Name <address> seconds zone`. */
  readonly author: string;
  readonly message: string;
  /** Signalbox committed what the agent had left uncommitted. */
  readonly isSaved: boolean;
}

/** From the base to the head, the oldest first. */
export async function readSteps(
  bare: string,
  { base, head }: { readonly base: string; readonly head: string },
  signal: AbortSignal,
): Promise<Step[]> {
  const line = await readCommits(bare, ['--first-parent', `${base}..${head}`], signal);
  const steps: Step[] = [];
  let last = '';
  for (const each of line) {
    const [, work] = each.parents;
    // Without a second parent it is no integration of ours.
    const range = [`${each.parents[0] ?? ''}`, base].filter(isCommitId).map((id) => `^${id}`);
    const brought = work === undefined ? [each] : await readCommits(bare, ['--topo-order', work, ...range], signal);
    const { commit, tree, at } = each;
    const trailers = trailersOf(each.message);
    const integration = { commit, at, trailers, subject: subjectOf(each.message), own: brought.map(ownCommit) };
    const task = firstWordOf(trailers, 'Signalbox-Task');
    const before = steps.at(-1);
    if (before !== undefined && task !== '' && task === last) {
      steps[steps.length - 1] = { commit, tree, integrations: [...before.integrations, integration] };
    } else steps.push({ commit, tree, integrations: [integration] });
    last = task;
  }
  return steps;
}

export function attemptOf({ trailers }: Pick<Integration, 'trailers'>): string {
  return firstWordOf(trailers, attemptKey);
}

export function firstWordOf(trailers: readonly string[], key: string): string {
  return valueOf(trailers, key).split(' ')[0] ?? '';
}

export function valueOf(trailers: readonly string[], key: string): string {
  return trailers.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2) ?? '';
}

interface Found {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly at: number;
  readonly author: string;
  readonly address: string;
  readonly message: string;
}

async function readCommits(bare: string, which: readonly string[], signal: AbortSignal): Promise<Found[]> {
  const fields = '%H%n%T%n%P%n%ct%n%an <%ae> %ad%n%ce%n%B%x00';
  const args = ['rev-list', '--reverse', '--no-commit-header', '--date=raw', `--format=${fields}`, ...which, '--'];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal, stdoutMaxBytes: listingMaxBytes });
  return records(stdout).flatMap((record) => {
    const [commit = '', tree = '', parents = '', at = '', author = '', address = '', ...message] = record
      .replace(/^\n/, '')
      .split('\n');
    if (!isCommitId(commit)) return [];
    const ids = parents.split(' ').filter(isCommitId);
    return [{ commit, tree, parents: ids, at: Number(at), author, address, message: message.join('\n') }];
  });
}

function ownCommit({ commit, tree, parents, author, address, message }: Found): OwnCommit {
  const isSaved = address === usualIdentity.email;
  return { commit, tree, parent: parents.length === 1 ? (parents[0] ?? null) : null, author, message, isSaved };
}

function subjectOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

function trailersOf(message: string): string[] {
  const last =
    message
      .trimEnd()
      .split(/\n{2,}/)
      .at(-1) ?? '';
  return last.split('\n').filter((line) => /^Signalbox-[A-Za-z-]+: /.test(line));
}
