// Turns an error of SQLite or of the file system into a Fault. It is never given an error that means a bug: those
// crash.

import { constants } from 'node:os';
import { AssertionFailed } from '../../std/assert.ts';
import { Fault, type FaultCode, isFault } from '../../std/fault.ts';

/** The result codes of SQLite that mean something to us. */
const sqlite = {
  perm: 3,
  busy: 5,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

const { ENOSPC, EDQUOT, EROFS, EACCES, EPERM, ENOENT } = constants.errno;

export function storeFault(error: unknown, doing: string): Fault | AssertionFailed {
  if (isFault(error) || error instanceof AssertionFailed) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Fault(codeOf(error), `${doing}: ${message}`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return numberOf(error, 'errcode') === sqlite.busy;
}

function codeOf(error: unknown): FaultCode {
  // SQLite's errors carry the system's number, Node's carry it negative.
  const errno = numberOf(error, 'systemErrno') ?? -(numberOf(error, 'errno') ?? 0);
  if (errno === ENOSPC || errno === EDQUOT) return 'disk_full';
  if (errno === EROFS || errno === EACCES || errno === EPERM) return 'read_only';
  switch (numberOf(error, 'errcode')) {
    case sqlite.full:
      return 'disk_full';
    case sqlite.readOnly:
    case sqlite.perm:
      return 'read_only';
    case sqlite.corrupt:
    case sqlite.notADatabase:
    // The writer keeps every constraint by itself: one is violated only where a head was lost or put back.
    case sqlite.constraint:
      return 'journal_corrupt';
    case sqlite.cantOpen:
    case null:
      return errno === ENOENT ? 'not_found' : 'store_failed';
    default:
      return 'store_failed';
  }
}

/** Extended result codes keep the plain one in their low byte. */
function numberOf(error: unknown, key: 'errcode' | 'systemErrno' | 'errno'): number | null {
  if (!(error instanceof Error)) return null;
  const value: unknown = Reflect.get(error, key);
  if (typeof value !== 'number') return null;
  return key === 'errcode' ? value & 0xff : value;
}
