// Which files of a cleared tree have to be made again, told without a look at those that nobody can have touched. Where a
// move gives a later change time to what is moved, a file is as we made it unless it was touched itself, or lies below a
// directory that was touched and may thus be another one of that name. Only these are looked at.

import { lstatSync, readdirSync } from 'node:fs';
import type { IndexFile } from '../commands/index-file.ts';
import { pathOf } from '../commands/tree-index.ts';

/** As latin1 names; null: so many are in question that git finds them faster. `touched`: before the tree was cleared. */
export function filesToRemake(tree: string, index: IndexFile, touched: readonly string[]): string[] | null {
  const { names } = index;
  const suspects = new Set(goneFromTop(tree, names));
  for (const name of touched) {
    if (name === '.git' || name.startsWith('.git/')) continue;
    const at = firstFrom(names, name);
    if (names[at] === name) suspects.add(at);
    const prefix = `${name}/`;
    for (let n = firstFrom(names, prefix); names[n]?.startsWith(prefix) === true; n += 1) suspects.add(n);
    if (suspects.size > suspectsMax) return null;
  }
  const lost = [...suspects].filter((n) => {
    const found = lstatSync(pathOf(tree, names[n] ?? ''), { bigint: true, throwIfNoEntry: false });
    return found === undefined || !index.isMadeOf(n, found);
  });
  return lost.map((n) => names[n] ?? '');
}

/** Looking at one takes some microseconds, in which the daemon does nothing else. */
const suspectsMax = 4_000;

/** Entries of which the first part of the name is gone. The top itself is always touched, and cannot be another. */
function goneFromTop(tree: string, names: readonly string[]): number[] {
  const there = new Set(readdirSync(tree, { encoding: 'latin1' }));
  const gone: number[] = [];
  for (const [n, name] of names.entries()) {
    const slash = name.indexOf('/');
    if (!there.has(slash < 0 ? name : name.slice(0, slash))) gone.push(n);
  }
  return gone;
}

/** The number of the first name that is not before this one. */
function firstFrom(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
