// A commit of ours in a bare repository of ours. The same for the same work: nothing of here and now is in it.

import { durable, git } from './git.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface CommitOrder {
  readonly bare: string;
  readonly parent: string;
  readonly tree: string;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly message: string;
}

/** The parent itself where nothing has changed. */
export async function makeCommit(
  { bare, parent, tree, at, message }: CommitOrder,
  { name, email }: Identity,
  signal: AbortSignal,
): Promise<string> {
  const env = { GIT_DIR: bare };
  const before = await git(['rev-parse', '--verify', `${parent}^{tree}`], { env, signal });
  if (before.stdout.trim() === tree) return parent;
  const date = `${at} +0000`;
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  const committer = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date };
  const made = await git(['commit-tree', tree, '-p', parent, '-F', '-'], {
    env: { ...env, ...author, ...committer },
    config: durable,
    input: message,
    signal,
  });
  return made.stdout.trim();
}
