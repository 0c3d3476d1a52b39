// Creates a commit in a bare repository of ours. The same work gives the same commit: it contains no current time.

import { assert } from '../../std/assert.ts';
import { durable, git } from './git.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export const usualIdentity: Identity = { name: 'Signalbox', email: 'signalbox@localhost' };

export interface CommitOrder {
  readonly bare: string;
  readonly parent: string;
  readonly tree: string;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly message: string;
}

/** The parent itself where nothing has changed. */
export async function makeCommit(order: CommitOrder, identity: Identity, signal: AbortSignal): Promise<string> {
  const { bare, parent, tree } = order;
  const before = await git(['rev-parse', '--verify', `${parent}^{tree}`], { env: { GIT_DIR: bare }, signal });
  return before.stdout.trim() === tree ? parent : commitTree(order, identity, signal);
}

export async function commitTree(
  { bare, tree, at, message, parent }: CommitOrder,
  { name, email }: Identity,
  signal: AbortSignal,
): Promise<string> {
  const date = `${at} +0000`;
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  const committer = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date };
  const made = await git(['commit-tree', tree, '-p', parent, '-F', '-'], {
    env: { GIT_DIR: bare, ...author, ...committer },
    config: durable,
    input: message,
    signal,
  });
  return made.stdout.trim();
}

/** The message of a commit of an attempt. Time and title come from the journal, never from the clock. */
export function wordsOf({
  attemptId,
  title,
  at,
}: {
  readonly attemptId: string;
  readonly title: string;
  readonly at: number;
}): { at: number; message: string } {
  assert(Number.isSafeInteger(at) && at >= 0, `time of attempt ${attemptId}: ${at}`);
  const subject = title.replaceAll('\0', ' ').trim() || `Work of ${attemptId}`;
  return { at: Math.floor(at / 1000), message: `${subject}\n\nSignalbox-Attempt: ${attemptId}\n` };
}
