// One owner per file, enforced by the kernel: an open exclusive transaction on a tiny database of its own. It ends with
// the process, however that dies. Nothing else in the owner's process may open the lock file: closing any descriptor of
// it would drop the lock (POSIX).

import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Fault } from '../../std/fault.ts';
import { isBusy, storeFault } from './faults.ts';

export interface OwnerLock {
  release(): void;
}

/** Two daemons that start together hold the file for an instant: without a wait both would give up. */
const waitMs = 500;

/** Takes the lock, or throws: Fault `daemon_running` when another owner holds it. */
export function takeOwnerLock(path: string): OwnerLock {
  let db: InstanceType<typeof DatabaseSync> | null = null;
  try {
    // SQLite reports a folder that it may not write as a file that is not there.
    accessSync(dirname(path), constants.W_OK);
    db = new DatabaseSync(path, { timeout: waitMs });
    // Nothing is ever written, so no journal file is needed; never WAL, whose locks are not exclusive.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (!isBusy(error)) throw storeFault(error, `cannot take the lock ${path}`);
    throw new Fault('daemon_running', `another Signalbox daemon holds ${path}`, { cause: error });
  }
  const held = db;
  return {
    release() {
      if (held.isOpen) held.close();
    },
  };
}
