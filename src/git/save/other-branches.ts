// Imports commits that an agent made beside its HEAD, on branches or as a stash, to refs of ours, so that nothing is
// lost with the workspace. They count for nothing else. Names and ids come from the agent and are checked.

import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { durable, git, resolveCommit } from '../commands/git.ts';
import { readRef, writeRef } from '../commands/refs.ts';
import { type AgentRef, flawOfGitDir, readRefs } from './agent-git-dir.ts';
import { fetchFrom, type ImportPlace } from './import-commits.ts';

export interface Others {
  readonly notes: readonly string[];
  /** What exists only in the workspace. */
  readonly left: readonly string[];
}

/** `under`: the prefix of refs for these. */
export async function importOthers(
  place: ImportPlace,
  { head, under }: { readonly head: string | null; readonly under: string },
  signal: AbortSignal,
): Promise<Others> {
  const gitDir = join(place.workspace, '.git');
  // Then its HEAD was refused too, and a note says why.
  if ((await flawOfGitDir(gitDir, join(place.bare, 'objects'))) !== null) return nothing;
  const found = (await readRefs(gitDir)).filter(({ id }) => id !== head && id !== place.base);
  const wanted = found.filter(({ id }) => id.length === place.base.length).slice(0, othersMax);
  if (wanted.length === 0) return nothing;
  try {
    await fetchFrom(join(gitDir, 'objects'), [...new Set(wanted.map(({ id }) => id))], place, signal);
    const kept: string[] = [];
    for (const [at, ref] of wanted.entries()) {
      if (!(await isNews(place, ref.id, head, signal))) continue;
      const name = `${under}/${nameOf(ref, at)}`;
      await writeRef(place.bare, name, { from: await readRef(place.bare, name, signal), to: ref.id }, signal);
      kept.push(`${JSON.stringify(ref.name)} at ${name}`);
    }
    return { notes: kept.length === 0 ? [] : [`commits beside its HEAD are kept: ${kept.join(', ')}`], left: [] };
  } catch (error) {
    if (!isFault(error, 'git_failed') && !isFault(error, 'timed_out')) throw error;
    const notes = [`commits beside the agent's HEAD were not imported: ${error.message}`];
    return { notes, left: ['.git'] };
  }
}

const othersMax = 100;
const nothing: Others = { notes: [], left: [] };

async function isNews(place: ImportPlace, id: string, head: string | null, signal: AbortSignal): Promise<boolean> {
  const env = { GIT_DIR: place.bare };
  if ((await resolveCommit(id, { env }, signal)) !== id) return false;
  const known = head === null ? [place.base] : [place.base, head];
  const { stdout } = await git(['rev-list', '--max-count=1', id, '--not', ...known], { env, config: durable, signal });
  return stdout !== '';
}

/** Its own name where that is plain, else a number. */
function nameOf({ name }: AgentRef, at: number): string {
  const short = name.replace(/^refs\/(heads\/)?/, '').replaceAll('/', '-');
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,80}$/.test(short) ? short : `branch-${at + 1}`;
}
