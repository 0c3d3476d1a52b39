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
  /** The content of our lock file, unique to this move. */
  readonly mark: string;
  /** For tests: called at each step. */
  readonly passing: (step: string) => void;
}

export type Moved<Refusal> = { readonly kind: 'moved' } | { readonly kind: 'unfit'; readonly why: string } | Refusal;

/** `swap` moves the branch; null: it did; else the reason why not. */
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
    // git examines everything before it changes anything: what it refuses now it would refuse later.
    await mustAsUser(['read-tree', '-m', '-u', '--dry-run', from, to], options);
    signal.throwIfAborted();
    const refused = await swap();
    if (refused !== null) return refused;
    isOurs = true;
    passing('swapped');
    // From here on the move is completed, even if it is aborted.
    await mustAsUser(['read-tree', '-m', '-u', from, to], optionsOf(move, whole()));
    passing('files moved');
    await takeIndex(move);
    return { kind: 'moved' };
  } finally {
    if (!isOurs) await unlock(move);
  }
}

/** Completes an interrupted move. A file that is neither as before nor as after was changed by the user, and is left alone. */
export async function completeMove(move: CheckoutMove): Promise<boolean> {
  const lock = lockOf(move);
  if ((await readIfThere(lock)) !== move.mark) return false;
  const options = optionsOf(move, whole());
  const atOld = await unlike(move, move.from, options);
  const atNew = await unlike(move, move.to, options);
  const { removed } = await changedNames(move.bare, move.from, move.to, whole());
  const behind: string[] = [];
  for (const name of atNew) {
    // A file that the old commit lacks was not there before: an incomplete one was written by git.
    const gone = (await kindOf(move.checkout.path, name)) === 'nothing';
    if (gone || !atOld.has(name)) behind.push(name);
  }
  for (const name of removed) if (!atOld.has(name)) await removeFile(move.checkout.path, name);
  const input = Buffer.from(behind.map((name) => `${name}\0`).join(''), 'latin1');
  await mustAsUser(['checkout-index', '--force', '--index', '-z', '--stdin'], { ...options, input });
  await takeIndex(move);
  return true;
}

/** Removes what a move left that was interrupted before the branch moved. */
export async function forgetMove(move: CheckoutMove): Promise<void> {
  if ((await readIfThere(lockOf(move))) === move.mark) await unlock(move);
}

/** Which files of a commit differ in the checkout. Leaves our index at that commit. */
async function unlike(move: CheckoutMove, commit: string, options: UserGitOptions): Promise<ReadonlySet<string>> {
  await rm(ownIndex(move), { force: true });
  await mustAsUser(['read-tree', commit], options);
  // Its exit status reports files that are not up to date, which is no failure.
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
      throw new Fault(
        'too_busy',
        `${path} exists: another git command is running, or left it behind; remove it if none is running`,
        { cause: error },
      );
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
