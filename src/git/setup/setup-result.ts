// What a setup made in a workspace, and whether another workspace can use it: only if git ignores all of it, and no
// program or link in it contains the path of the workspace, as those of a virtual environment do.

import { join } from 'node:path';
import { trustedPath } from '../../process/confine.ts';
import { lastLine } from '../commands/failure-line.ts';
import { git } from '../commands/git.ts';
import { makeGitDir } from '../commands/own-git-dir.ts';
import { runChild } from '../commands/run-process.ts';
import { listingMaxBytes, records, shownName, type TreeOptions } from '../commands/tree-index.ts';
import { copyIndex } from '../workspace/checkout.ts';

export interface SetupResult {
  /** The topmost ignored files and directories that it made. */
  readonly names: readonly string[];
  /** Why it can be used only here, in words that follow "because"; null: it can be used elsewhere. */
  readonly bound: string | null;
}

export interface ResultPlace {
  readonly workspace: string;
  readonly base: string;
  /** Our index of what was checked out. */
  readonly index: string;
  readonly scratch: string;
  /** What was there before and is ignored too, as latin1 names. */
  readonly included: readonly string[];
}

export async function resultOf(place: ResultPlace, signal: AbortSignal): Promise<SetupResult> {
  const { workspace, base, scratch, included } = place;
  const gitDir = join(scratch, 'result.git');
  await makeGitDir({ path: gitDir, like: base }, signal);
  const index = join(scratch, 'result.index');
  await copyIndex(place.index, index);
  const options: TreeOptions = {
    cwd: workspace,
    env: { GIT_DIR: gitDir, GIT_WORK_TREE: workspace, GIT_INDEX_FILE: index },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  };
  const list = async (...flags: string[]): Promise<string[]> =>
    records((await git(['ls-files', '-z', ...flags], options)).stdout);
  const others = ['--others', '--directory', '--no-empty-directory', '--exclude-standard'];
  const ignored = (await list(...others, '--ignored')).map((name) => name.replace(/\/$/, ''));
  const there = new Set(included);
  const made = ignored.filter((name) => !there.has(name));
  const names = made.map((name) => Buffer.from(name, 'latin1').toString('utf8'));
  const [changed] = [...(await list('--modified')), ...(await list(...others))];
  if (changed !== undefined)
    return { names, bound: `it made or changed ${shownName(changed)}, which git does not ignore` };
  const mixed = included.find((file) => made.some((name) => file.startsWith(`${name}/`)));
  if (mixed !== undefined)
    return { names, bound: `it is mixed with ${shownName(mixed)}, which was copied from the user` };
  if (made.some((name, at) => Buffer.from(names[at] ?? '').toString('latin1') !== name)) {
    return { names, bound: 'it made a name that is not text' };
  }
  return { names, bound: names.length === 0 ? null : await whyTied(workspace, names, signal) };
}

/** Programs and links that contain the workspace's path. Compiled files contain it too, and work all the same. */
async function whyTied(workspace: string, names: readonly string[], signal: AbortSignal): Promise<string | null> {
  let out = '';
  let said = '';
  const onOutput = (chunk: Buffer, stream: 'stdout' | 'stderr'): boolean => {
    if (stream === 'stdout') out = (out + chunk.toString('utf8')).slice(0, outKept);
    else said = (said + chunk.toString('utf8')).slice(-outKept);
    return true;
  };
  const literal = workspace.replaceAll(/[\\*?[\]]/g, '\\$&');
  const links = ['-type', 'l', '-lname', `${literal}*`, '-print'];
  const kinds = ['(', '-perm', '-100', '-o', '-name', 'pyvenv.cfg', '-o', '-name', '*.pth', ')'];
  const files = ['-type', 'f', ...kinds, '-exec', 'grep', '-lIF', '-e', workspace, '{}', '+'];
  const from = names.map((name) => `./${name}`);
  const argv = ['find', ...from, '(', ...links, ')', '-o', '(', ...files, ')'];
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  const end = await runChild({ argv, cwd: workspace, env, timeoutMs: searchTimeoutMs, graceMs: 0, onOutput }, signal);
  // find fails when grep finds nothing; unreadable files show in its error output.
  if (end.kind !== 'exited' || said !== '') return `it cannot be searched: ${lastLine(said) || end.kind}`;
  const [first = ''] = out.split('\n');
  return first === '' ? null : `${JSON.stringify(first)} names the workspace by its path`;
}

const searchTimeoutMs = 5 * 60_000;
const outKept = 4096;
