// The agent's stdin, as a file that only grows. A record has a fixed offset in it, so writing it again after a crash
// changes nothing, and a partial one is completed.

import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { assert } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import type { LaunchDir } from './launch-dir.ts';

/**
 * Makes `in` hold `record` at byte `offset` exactly once. Returns the offset after it. In place: a few calls on a file in
 * memory, for which trips through the thread pool would take ten times as long.
 */
export async function writeInput(dir: LaunchDir, offset: number, record: string): Promise<number> {
  const bytes = Buffer.from(record);
  assert(bytes.length > 0 && Number.isSafeInteger(offset) && offset >= 0, `launch ${dir.id}: write at ${offset}`);
  try {
    const file = openSync(dir.in, 'r+');
    try {
      const { size } = fstatSync(file);
      assert(size >= offset, `launch ${dir.id}: a record for ${offset} after a gap, the input ends at ${size}`);
      const there = Buffer.alloc(Math.min(size - offset, bytes.length));
      readSync(file, there, 0, there.length, offset);
      assert(bytes.subarray(0, there.length).equals(there), `launch ${dir.id}: another record is at ${offset}`);
      // At its position: two writers of the same record write the same bytes to the same place.
      for (let at = there.length; at < bytes.length; ) {
        at += writeSync(file, bytes, at, bytes.length - at, offset + at);
      }
      return offset + bytes.length;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw new Fault('not_found', `launch ${dir.id} has no input`, { cause: error });
    throw diskFault(error, dir.in);
  }
}
