// Moves a user's checkout together with its branch, under the lock of its index. The branch moves first: where it
// cannot, no file was touched, and once it has, the files follow, also after a crash. The content of our lock file says
// that we were at work there, so that the next try completes it.

import { copyFile, open, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf, readIfThere } from '../../std/files.ts';
import { mustAsUser, type UserGitOptions } from '../commands/git-as-user.ts';
import { changedNames, flawOfMove, kindOf, type Move, pathBelow } from './checkout-state.ts';

export interface CheckoutMove extends Move {
  /** What is in our lock; of this move alone. */
  readonly mark: string;
  /** For tests: told of each step. */
  readonly passing: (step: string) => void;
}

export type Moved<Refusal> = { readonly kind: 'moved' } | { readonly kind: 'unfit'; readonly why: string } | Refusal;

/** `swap` moves the branch; what it gives instead of null is why it did not. */
export async function moveCheckout<Refusal extends { readonly kind: string }>(
  move: CheckoutMove,
  swap: () => Promise<Refusal | null>,
  signal: AbortSignal,
): Promise<Moved<Refusal>> {
  const { checkout, from, to, passing } = move;
  await lockIndex(move);
  let isOurs = false;
  try {
    passing('locked');
    const flaw = await flawOfMove(move, signal);
    if (flaw !== null) return { kind: 'unfit', why: flaw };
    const options = optionsOf(move, signal);
    await copyFile(join(checkout.gitDir, 'index'), ownIndex(move));
    // It looks at everything before it touches anything: what it refuses now it would refuse then.
    await mustAsUser(['read-tree', '-m', '-u', '--dry-run', from, to], options);
    signal.throwIfAborted();
    const refused = await swap();
    if (refused !== null) return refused;
    isOurs = true;
    passing('swapped');
    // From here on it is completed, whoever wants to stop.
    await mustAsUser(['read-tree', '-m', '-u', from, to], optionsOf(move, whole()));
    passing('files moved');
    await takeIndex(move);
    return { kind: 'moved' };
  } finally {
    if (!isOurs) await unlock(move);
  }
}

/** Completes what a move that was broken off has begun. What is neither as before nor as after is somebody's, and left alone. */
export async function completeMove(move: CheckoutMove): Promise<boolean> {
  const lock = lockOf(move);
  if ((await readIfThere(lock)) !== move.mark) return false;
  const options = optionsOf(move, whole());
  const atOld = await unlike(move, move.from, options);
  const atNew = await unlike(move, move.to, options);
  const { removed } = await changedNames(move.bare, move.from, move.to, whole());
  const behind: string[] = [];
  for (const name of atNew) {
    // What the old commit does not have was not there when it began: a half of it is git's own.
    const gone = (await kindOf(move.checkout.path, name)) === 'nothing';
    if (gone || !atOld.has(name)) behind.push(name);
  }
  for (const name of removed) if (!atOld.has(name)) await removeFile(move.checkout.path, name);
  const input = Buffer.from(behind.map((name) => `${name}\0`).join(''), 'latin1');
  await mustAsUser(['checkout-index', '--force', '--index', '-z', '--stdin'], { ...options, input });
  await takeIndex(move);
  return true;
}

/** Takes away what one that was broken off before the branch was moved has left. */
export async function forgetMove(move: CheckoutMove): Promise<void> {
  if ((await readIfThere(lockOf(move))) === move.mark) await unlock(move);
}

/** What of a commit is otherwise in the checkout. Leaves our index as that commit has it. */
async function unlike(move: CheckoutMove, commit: string, options: UserGitOptions): Promise<ReadonlySet<string>> {
  await rm(ownIndex(move), { force: true });
  await mustAsUser(['read-tree', commit], options);
  // Says what is not up to date by its status, which is no failure.
  await mustAsUser(['update-index', '-q', '--really-refresh'], options).catch(() => '');
  const changed = await mustAsUser(['diff-files', '--name-only', '-z', '--ignore-submodules'], options);
  return new Set(changed.split('\0').filter((name) => name !== ''));
}

/** With the directories that it leaves empty, as git does. */
async function removeFile(top: string, name: string): Promise<void> {
  if ((await kindOf(top, name)) !== 'file') return;
  await unlink(pathBelow(top, name));
  for (let above = dirname(name); above !== '.'; above = dirname(above)) {
    const emptied = await rmdir(pathBelow(top, above)).then(
      () => true,
      () => false,
    );
    if (!emptied) return;
  }
}

async function lockIndex(move: CheckoutMove): Promise<void> {
  const path = lockOf(move);
  try {
    const file = await open(path, 'wx').catch(async (error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
      if ((await readIfThere(path)) === move.mark) return null;
      throw new Fault('too_busy', `${path} is there: another git command is at work, or has left it`, { cause: error });
    });
    if (file === null) return;
    try {
      await file.writeFile(move.mark);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw diskFault(error, path);
  }
}

async function takeIndex(move: CheckoutMove): Promise<void> {
  await rename(ownIndex(move), join(move.checkout.gitDir, 'index'));
  move.passing('index moved');
  await unlink(lockOf(move));
}

async function unlock(move: CheckoutMove): Promise<void> {
  await rm(ownIndex(move), { force: true });
  await rm(lockOf(move), { force: true });
}

function lockOf({ checkout }: CheckoutMove): string {
  return join(checkout.gitDir, 'index.lock');
}

function ownIndex({ checkout }: CheckoutMove): string {
  return join(checkout.gitDir, 'index.signalbox');
}

function optionsOf(move: CheckoutMove, signal: AbortSignal): UserGitOptions {
  return { cwd: move.checkout.path, user: move.user, signal, env: { GIT_INDEX_FILE: ownIndex(move) } };
}

function whole(): AbortSignal {
  return new AbortController().signal;
}
