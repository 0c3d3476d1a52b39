// Merges two commits in a bare repository of ours without a checkout. git decides as it would in a checkout, except for
// the options below; no program that a repository names is ever run.

import { Fault } from '../../std/fault.ts';
import { git } from './git.ts';
import { notDurable } from './quarantine.ts';
import { records, type TreeOptions } from './tree-index.ts';

export type Merged =
  | { readonly kind: 'merged'; readonly tree: string }
  /** Names as latin1; the tree has marks where they conflict. */
  | { readonly kind: 'conflict'; readonly names: readonly string[]; readonly tree: string };

/** The objects it creates are not durable: write them to a quarantine. */
export async function mergeCommits(ours: string, theirs: string, options: TreeOptions): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const { stdout, status } = await git(args, { ...options, config: rules, accept: [0, 1, usageStatus] });
  if (status === usageStatus) throw await tooOld(options.signal);
  const [tree = '', ...names] = records(stdout);
  if (tree === '') throw new Fault('git_failed', 'git merge-tree printed no tree');
  if (status === 0) return { kind: 'merged', tree };
  return { kind: 'conflict', names: realNames(names, [ours, theirs]), tree };
}

/** Where a file and a directory of one name meet, git lists the file with the commit's id behind its name. */
function realNames(names: readonly string[], sides: readonly string[]): string[] {
  const suffix = new RegExp(`~(${sides.join('|')})(_\\d+)?$`);
  return [...new Set(names.map((name) => name.replace(suffix, '')))].filter((name) => name !== '').sort();
}

const rules = {
  ...notDurable,
  // An edit follows its file to where the other side moved it, as in any merge a person makes ...
  'merge.renames': 'true',
  // ... looked for in so many files at most: beyond that it is a conflict, not a computation without end.
  'merge.renameLimit': '1000',
  // A new file stays where its author put it: git would guess that it moves along with its directory, which may be out of
  // the paths its author may write.
  'merge.directoryRenames': 'false',
  'merge.renormalize': 'false',
};

/** git's exit status for an unknown option. */
const usageStatus = 129;

async function tooOld(signal: AbortSignal): Promise<Fault> {
  const { stdout } = await git(['version'], { signal });
  return new Fault('git_failed', `merging needs git 2.38 or newer; this is ${stdout.trim()}`);
}
