// Two commits of a bare repository of ours merged without a checkout. git decides as it would in one, but for what the
// options below say; no program that a repository names is ever run.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../std/fault.ts';
import { diskFault } from '../std/files.ts';
import { durable, git } from './git.ts';
import { listingMaxBytes, records, type TreeOptions } from './tree-index.ts';

export interface MergeOrder {
  readonly bare: string;
  readonly scratch: string;
  readonly ours: string;
  readonly theirs: string;
}

export type Merged =
  | { readonly kind: 'merged'; readonly tree: string }
  /** Names as latin1. */
  | { readonly kind: 'conflict'; readonly names: readonly string[] };

export async function mergeCommits(order: MergeOrder, signal: AbortSignal): Promise<Merged> {
  const options = await layOutAttributes(order, signal);
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', order.ours, order.theirs];
  const { stdout, status } = await git(args, { ...options, config: rules, accept: [0, 1, usageStatus] });
  if (status === usageStatus) throw await tooOld(signal);
  const [tree = '', ...names] = records(stdout);
  if (tree === '') throw new Fault('git_failed', 'git merge-tree gave no tree');
  return status === 0 ? { kind: 'merged', tree } : { kind: 'conflict', names: realNames(names, order) };
}

/** Where a file and a directory of one name meet, git lists the file with the commit's id behind its name. */
function realNames(names: readonly string[], { ours, theirs }: MergeOrder): string[] {
  const suffix = new RegExp(`~(${ours}|${theirs})(_\\d+)?$`);
  return [...new Set(names.map((name) => name.replace(suffix, '')))].filter((name) => name !== '').sort();
}

const rules = {
  ...durable,
  // An edit follows its file to where the other side moved it, as in any merge a person makes ...
  'merge.renames': 'true',
  // ... looked for in so many files at most: beyond that it is a conflict, not a computation without end.
  'merge.renameLimit': '1000',
  // A new file stays where its author put it: git would guess that it moves along with its directory, which may be out of
  // the paths its author may write.
  'merge.directoryRenames': 'false',
  'merge.renormalize': 'false',
};

/** What git ends with when it does not know an option. */
const usageStatus = 129;

/**
 * In a bare repository the attributes of a tree are not looked at, and `merge=union` would be a conflict. So git gets a
 * work tree with the attribute files of our side, as a checkout of it would have them. What they name is built into git
 * or nothing: a driver is a setting, and the bare repository, which no agent can write, has none.
 */
async function layOutAttributes({ bare, scratch, ours }: MergeOrder, signal: AbortSignal): Promise<TreeOptions> {
  const workTree = join(scratch, 'attributes');
  await mkdir(workTree).catch((error: unknown) => {
    throw diskFault(error, workTree);
  });
  const env = { GIT_DIR: bare, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: join(scratch, 'attributes.index') };
  const options: TreeOptions = {
    cwd: workTree,
    env,
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  };
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', ours], options);
  const found = records(stdout).filter((entry) => /^100(644|755) .*[\t/]\.gitattributes$/s.test(entry));
  if (found.length === 0) return options;
  const input = Buffer.from(found.map((entry) => `${entry}\0`).join(''), 'latin1');
  await git(['update-index', '-z', '--index-info'], { ...options, input });
  await git(['checkout-index', '--all', '--force'], options);
  return options;
}

async function tooOld(signal: AbortSignal): Promise<Fault> {
  const { stdout } = await git(['version'], { signal });
  return new Fault('git_failed', `merging needs git 2.38 or newer; this is ${stdout.trim()}`);
}
