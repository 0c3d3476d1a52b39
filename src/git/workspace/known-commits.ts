// Which commits an attempt can refer to: those of its project, and those that its agent has made in the workspace and that are
// not saved yet. An agent's own objects are only looked up, and only if ours have no such commit.

import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { git, isCommitId } from '../commands/git.ts';
import { type Layout, projectOf } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';

/** Of these ids, those that name no commit. Empty if the attempt has no project: then nothing is known. */
export async function unknownCommits(
  layout: Layout,
  attemptId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const bare = await projectOf(layout, attemptId);
  if (bare === null || ids.length === 0) return [];
  const unknown = await missingIn({ GIT_DIR: bare }, [...new Set(ids)], signal);
  const objects = join(layout.workspaces, attemptId, '.git', 'objects');
  if (unknown.length === 0 || !(await hasDirectory(objects))) return unknown;
  try {
    return await missingIn({ GIT_DIR: bare, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }, unknown, signal);
  } catch (error) {
    // Whatever the agent did to its repository: a commit that cannot be read does not exist.
    if (isFault(error, 'git_failed') || isFault(error, 'timed_out')) return unknown;
    throw error;
  }
}

/** An agent's repository may hold a pipe, which keeps git waiting. */
const timeoutMs = 5_000;

async function missingIn(
  env: Readonly<Record<string, string>>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const asked = ids.filter(isCommitId);
  const input = asked.map((id) => `${id}\n`).join('');
  const options = { env, input, signal, timeoutMs };
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], options);
  const found = new Set(stdout.split('\n').flatMap((line) => (line.endsWith(' commit') ? [line.split(' ')[0]] : [])));
  return ids.filter((id) => !found.has(id));
}
