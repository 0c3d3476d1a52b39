// What a run left in workspaces and refs: finding out which of its work is nowhere else, and removing the rest. Removing may be
// repeated after a crash at any point.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { durable, git } from '../commands/git.ts';
import { branchRefOf, type Layout, namesOf, projectOf, requireId } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { readRef } from '../commands/refs.ts';
import { archiveOf } from '../save/archive-leftovers.ts';
import { discardWorkspace } from './discard-workspace.ts';
import type { SpaceContext } from './disk-space.ts';
import { releaseAllPorts } from './port-blocks.ts';
import { whyKept } from './workspace-pool.ts';

export interface RunWork {
  readonly runId: string;
  /** The user's repository. */
  readonly repo: string;
  readonly attempts: readonly AttemptWork[];
}

export interface AttemptWork {
  readonly taskId: string;
  readonly attemptId: string;
  readonly n: number;
  /** By the record, its work is in a branch of the user's. */
  readonly landed: boolean;
}

export interface RunLeft {
  /** Workspaces that may not be removed, and why. */
  readonly busy: readonly { readonly name: string; readonly why: string }[];
  /** Attempts whose work is in no branch of the user's. */
  readonly unlanded: readonly string[];
}

export async function inspectRun({ layout }: SpaceContext, run: RunWork, signal: AbortSignal): Promise<RunLeft> {
  const busy: { name: string; why: string }[] = [];
  const unlanded: string[] = [];
  for (const attempt of run.attempts) {
    const { attemptId } = attempt;
    if (await hasDirectory(join(layout.workspaces, attemptId))) {
      const why = await whyKept(layout, attemptId, signal);
      if (why !== null) busy.push({ name: attemptId, why });
    }
    if (await isOnlyHere(layout, run, attempt, signal)) unlanded.push(attemptId);
  }
  return { busy, unlanded };
}

async function isOnlyHere(
  layout: Layout,
  { runId, repo }: RunWork,
  { taskId, attemptId, n, landed }: AttemptWork,
  signal: AbortSignal,
): Promise<boolean> {
  const bare = await projectOf(layout, attemptId);
  if (bare === null) return false;
  const { ref, baseRef, othersRef } = namesOf(layout, { runId, taskId, attemptId, n });
  if ((await archiveOf(layout, attemptId)) !== null || (await refsBelow(bare, [othersRef], signal)).length > 0)
    return true;
  if (landed) return false;
  const commit = await readRef(bare, ref, signal);
  if (commit === null || commit === (await readRef(bare, baseRef, signal))) return false;
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, 'refs/heads'];
  // A repository without this commit, and one that is gone, answer with an error.
  const { status, stdout } = await git(args, { cwd: repo, signal, accept: [0, 128, 129] }).catch(() => ({
    status: 1,
    stdout: '',
  }));
  return status !== 0 || stdout.trim() === '';
}

/** `keep`: attempts whose refs and archives stay. */
export async function removeRun(
  context: SpaceContext,
  { runId, attempts }: RunWork,
  keep: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { layout, takeTurns } = context;
  const refs = new Map<string, string[]>();
  for (const { taskId, attemptId, n } of attempts) {
    await takeTurns(join(layout.workspaces, requireId(attemptId)), async () => {
      await discardWorkspace(context, attemptId);
      await releaseAllPorts(layout, attemptId);
    });
    const bare = await projectOf(layout, attemptId);
    if (bare === null || keep.has(attemptId)) continue;
    const { ref, othersRef, baseRef } = namesOf(layout, { runId, taskId, attemptId, n });
    refs.set(bare, [...(refs.get(bare) ?? []), ref, othersRef, baseRef]);
    const archive = await archiveOf(layout, attemptId);
    if (archive !== null) await rm(archive, { force: true });
  }
  for (const [bare, prefixes] of refs) {
    // The branch holds the work of all.
    const whole = keep.size > 0 ? [] : [branchRefOf(runId), `refs/signalbox-landing/${requireId(runId)}`];
    await removeRefs(bare, [...prefixes, ...whole], signal);
  }
  // Last: they say where the refs are.
  for (const { attemptId } of attempts) {
    if (!keep.has(attemptId)) await rm(join(layout.attempts, attemptId), { force: true });
  }
}

async function removeRefs(bare: string, prefixes: readonly string[], signal: AbortSignal): Promise<void> {
  const names = await refsBelow(bare, prefixes, signal);
  if (names.length === 0) return;
  const input = names.map((name) => `delete ${name}\n`).join('');
  await git(['update-ref', '--no-deref', '--stdin'], { env: { GIT_DIR: bare }, config: durable, signal, input });
}

async function refsBelow(bare: string, prefixes: readonly string[], signal: AbortSignal): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', ...prefixes];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  return stdout.split('\n').filter((name) => name !== '');
}
