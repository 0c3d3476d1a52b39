// The setup of a check's checkout: what the repository's `.signalbox/setup` makes of exactly the tree that is checked. The kept
// result that workspaces share is used if the setup's inputs are the same. Otherwise the setup runs on the checked tree, and
// its result is kept for that tree alone: the tree holds unverified work, and whatever else the setup reads of it (scripts of
// packages, say) is not in the shared key.

import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createMemory } from '../commands/memoize-by-commit.ts';
import { findSetup, type SetupContext, setUp } from '../setup/setup.ts';
import { discardSetup, noneSpared, setupPlace, takeSetup } from '../setup/setup-cache.ts';
import { setupKey } from '../setup/setup-key.ts';

/** What a tree's setup depends on, as far as that is known; null: the tree has none. */
export interface CheckSetup {
  /** Identifies the same setup. */
  readonly file: string;
  /** A shell command; left out = the setup file is run. */
  readonly command?: string;
  /** The key of setup, lockfiles and ignore files; null: there is no lockfile. */
  readonly key: string | null;
}

/** `usual`: the command for a tree without a setup file. */
export async function findCheckSetup(
  bare: string,
  tree: string,
  usual: string | undefined,
  signal: AbortSignal,
): Promise<CheckSetup | null> {
  return setups([bare, tree, usual ?? ''], async () => {
    const { setup } = await findSetup(bare, tree, usual, signal);
    if (setup === null) return null;
    const key = await setupKey(bare, tree, setup.id, signal);
    return { file: setup.id, key, ...(setup.command === null ? {} : { command: setup.command }) };
  });
}

/** Whether a tree's setup has inputs that none of the others has: such a merge was never set up before. */
export async function isNewSetup(
  bare: string,
  tree: string,
  others: readonly string[],
  usual: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const own = await findCheckSetup(bare, tree, usual, signal);
  for (const other of others) {
    const setup = await findCheckSetup(bare, other, usual, signal);
    if (setup?.file === own?.file && setup?.key === own?.key) return false;
  }
  return true;
}

const setups = createMemory<CheckSetup | null>();

export interface CheckoutToSetUp {
  readonly bare: string;
  readonly commit: string;
  readonly tree: string;
  readonly checkout: string;
  /** Our own index of the checkout. */
  readonly index: string;
  readonly scratch: string;
  readonly sandboxed: boolean;
}

/** Throws the Fault `setup_failed` where the setup fails: that says nothing about the check. */
export async function setUpCheckout(
  context: SetupContext,
  { file, key, command }: CheckSetup,
  { bare, commit, tree, checkout: workspace, index, scratch: parent, sandboxed }: CheckoutToSetUp,
  signal: AbortSignal,
): Promise<void> {
  const { layout, unkept } = context;
  const project = basename(bare);
  const shared = key === null ? null : setupPlace(layout, project, key);
  if (shared !== null && (await takeSetup({ place: shared, workspace, spared: noneSpared }, signal)) !== null) return;
  const scratch = join(parent, 'setup');
  await mkdir(scratch);
  const own = setupPlace(layout, project, ofTree(file, key, tree));
  const place = unkept.has(own) ? null : own;
  const about = {
    bare,
    base: commit,
    workspace,
    index,
    scratch,
    included: [],
    port: null,
    command: command ?? null,
    sandboxed,
  };
  const { origin } = await setUp(context, { ...about, place, mayKeep: true, spared: noneSpared }, signal);
  if (origin !== null) await removeOldest(context, project);
}

const treePrefix = 'tree-';

function ofTree(file: string, key: string | null, tree: string): string {
  const text = JSON.stringify([process.platform, process.arch, file, key, tree]);
  return treePrefix + createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Each may be as large as a workspace, and most trees are checked once. */
const treeResultsMax = 4;

async function removeOldest({ layout }: SetupContext, project: string): Promise<void> {
  const names = await readdir(join(layout.setups, project)).catch((): string[] => []);
  const found: { place: string; used: number }[] = [];
  for (const name of names.filter((each) => each.startsWith(treePrefix))) {
    const place = setupPlace(layout, project, name);
    const used = (await lstat(place).catch(() => null))?.mtimeMs;
    if (used !== undefined) found.push({ place, used });
  }
  found.sort((one, other) => other.used - one.used);
  for (const { place } of found.slice(treeResultsMax)) await discardSetup(layout, place);
}
