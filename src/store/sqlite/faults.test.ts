// Which fault an error of SQLite or of the system becomes.

import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { AssertionFailed } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { storeFault } from './faults.ts';

const error = (fields: object): Error => Object.assign(new Error('told'), fields);
const { ENOSPC, EROFS, EACCES, ENOENT, EIO } = constants.errno;

const cases: readonly [string, object, string][] = [
  ['SQLITE_FULL', { errcode: 13 }, 'disk_full'],
  ['an I/O error for want of room', { errcode: 778, systemErrno: ENOSPC }, 'disk_full'],
  ['SQLITE_READONLY, extended', { errcode: 1032 }, 'read_only'],
  ['a file system mounted read-only', { errcode: 14, systemErrno: EROFS }, 'read_only'],
  ['a refusal by the file system', { code: 'EACCES', errno: -EACCES }, 'read_only'],
  ['SQLITE_CORRUPT', { errcode: 11 }, 'journal_corrupt'],
  ['SQLITE_NOTADB', { errcode: 26 }, 'journal_corrupt'],
  ['a missing file', { errcode: 14, systemErrno: ENOENT }, 'not_found'],
  ['a failing disk', { errcode: 10, systemErrno: EIO }, 'store_failed'],
  ['anything else', {}, 'store_failed'],
];

for (const [what, fields, code] of cases) {
  test(`${what} is ${code} and keeps its cause`, () => {
    const cause = error(fields);
    expect(storeFault(cause, 'journal x')).toMatchObject({ code, message: 'journal x: told', cause });
  });
}

test('a fault stays as it is, and a failed assertion stays a bug', () => {
  const fault = new Fault('bad_request', 'no');
  expect(storeFault(fault, 'x')).toBe(fault);
  const bug = new AssertionFailed('bug');
  expect(storeFault(bug, 'x')).toBe(bug);
});
