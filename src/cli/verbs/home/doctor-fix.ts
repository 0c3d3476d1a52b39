// The part of doctor that mends: tells what it could do, or does it and says what it did.

import type { Finding } from '../../../doctor/finding.ts';
import { findRepairs } from '../../../doctor/repairs.ts';
import { diskFault } from '../../../std/files.ts';
import type { Place } from '../../client/context.ts';

/** What was done, a sentence each. */
export async function repairAll(place: Place): Promise<readonly string[]> {
  const done: string[] = [];
  for (const { path, flaw, act } of await findRepairs(place)) {
    try {
      const word = await act();
      if (word !== null) done.push(`${path} ${flaw}: ${word}.`);
    } catch (error) {
      throw diskFault(error, path);
    }
  }
  return done;
}

/** What is left to mend. Nothing of it keeps a run from working. */
export async function repairFindings(place: Place): Promise<readonly Finding[]> {
  const repairs = await findRepairs(place);
  const [first] = repairs;
  if (first === undefined) return [];
  const more = repairs.length === 1 ? '' : `, and ${repairs.length - 1} more such things`;
  const says = `${first.path} ${first.flaw}${more}.`;
  return [{ name: 'leftovers', vital: false, state: 'weaker', says, mend: '`signalbox doctor --fix` mends it.' }];
}
