// A checkout at one commit, whose git directory is made by hand and borrows its objects from our bare repository. It has the
// tags but no remote, so there is nothing to push to. git runs in it only here, before an agent may write to it.

import { lstatSync } from 'node:fs';
import { copyFile, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { type GitOptions, git } from '../commands/git.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';
import { pathOf, shownName } from '../commands/tree-index.ts';

export interface CheckoutOrder {
  readonly bare: string;
  /** Empty, or with the content that `index` knows. */
  readonly path: string;
  readonly commit: string;
  /** null: detached. */
  readonly branch: string | null;
  readonly config: Readonly<Record<string, string>>;
  /** It holds exactly this commit with its git directory, as we made it before: only the branch differs. */
  readonly asMade?: boolean;
  /** It holds this commit without these files (latin1 names), as `index` knows; null: unknown. */
  readonly missing?: readonly string[] | null;
  /** Where our own index of the tree lies; the checkout gets a copy. Default: the checkout's own. */
  readonly index?: string;
}

export async function checkOut(order: CheckoutOrder, signal: AbortSignal): Promise<void> {
  const gitDir = join(order.path, '.git');
  if (order.asMade === true) return writeRefs(gitDir, order, signal);
  await makeCheckoutGitDir(gitDir, order, signal);
  const theirs = join(gitDir, 'index');
  const index = order.index ?? theirs;
  underWay += 1;
  try {
    const options = {
      cwd: order.path,
      env: { GIT_DIR: gitDir, GIT_WORK_TREE: order.path, GIT_INDEX_FILE: index },
      config: underWay > 1 ? alone : withWorkers,
      signal,
    };
    const { missing = null } = order;
    // Not `git checkout`: it succeeds although files are missing.
    if (missing === null) await git(['read-tree', '--reset', '-u', order.commit], options);
    else await makeMissing(order.path, missing, options);
  } finally {
    underWay -= 1;
  }
  if (index !== theirs) await copyIndex(index, theirs);
}

async function makeMissing(path: string, missing: readonly string[], options: GitOptions): Promise<void> {
  if (missing.length === 0) return;
  const input = Buffer.from(missing.map((name) => `${name}\0`).join(''), 'latin1');
  await git(['checkout-index', '--force', '--index', '-z', '--stdin'], { ...options, input });
  // Before 2.30 it succeeded even if a file could not be written.
  for (const name of missing) {
    if (lstatSync(pathOf(path, name), { throwIfNoEntry: false }) !== undefined) continue;
    throw new Fault('git_failed', `git checkout-index did not write ${shownName(name)}`);
  }
}

/** How many checkouts git makes now. */
let underWay = 0;

/** Making files waits for the disk more than for a processor; for few files the workers take longer to start than to work. */
const withWorkers = {
  'checkout.workers': String(Math.max(8, availableParallelism())),
  'checkout.thresholdForParallelism': '2000',
};
/** Several checkouts at once are parallel enough. */
const alone = { 'checkout.workers': '1' };

/** With its time: git reads files again whose time equals that of the index. */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    const { atime, mtime } = await stat(from);
    await utimes(to, atime, mtime);
  } catch (error) {
    throw diskFault(error, to);
  }
}

async function makeCheckoutGitDir(path: string, order: CheckoutOrder, signal: AbortSignal): Promise<void> {
  const { bare, commit } = order;
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  // git's findings about the file system hold for all checkouts beside each other.
  const config = await configs([dirname(bare), format], async () => {
    await git(['init', '--quiet', '--template=', `--object-format=${format}`, dirname(path)], { signal });
    return readFile(join(path, 'config'), 'utf8');
  });
  try {
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
      await mkdir(join(path, folder), { recursive: true });
    }
    await writeFile(join(path, 'objects', 'info', 'alternates'), `${join(bare, 'objects')}\n`);
    await writeFile(join(path, 'config'), config + configText(order.config));
  } catch (error) {
    throw diskFault(error, path);
  }
  await writeRefs(path, order, signal);
}

const configs = createMemory<string>();

async function writeRefs(path: string, { bare, commit, branch }: CheckoutOrder, signal: AbortSignal): Promise<void> {
  // The tags of our own repository, which gets no new ones after it was made.
  const tags = await tagLists([bare], async () => {
    const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags'];
    return (await git(args, { env: { GIT_DIR: bare }, signal, stdoutMaxBytes: tagsMaxBytes })).stdout;
  });
  const ref = branch === null ? '' : `${commit} refs/heads/${branch}\n`;
  try {
    await writeFile(join(path, 'packed-refs'), ref + tags);
    await writeFile(join(path, 'HEAD'), branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`);
    await copyShallow(bare, path);
  } catch (error) {
    throw diskFault(error, path);
  }
}

const tagLists = createMemory<string>();

const tagsMaxBytes = 64 * 1024 * 1024;

/** A shallow history stays shallow at the same commits. */
export async function copyShallow(from: string, to: string): Promise<void> {
  await copyFile(join(from, 'shallow'), join(to, 'shallow')).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
  });
}

function configText(config: Readonly<Record<string, string>>): string {
  return Object.entries(config)
    .map(([key, value]) => {
      const dot = key.lastIndexOf('.');
      const text = value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
      return `[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = "${text}"\n`;
    })
    .join('');
}
