// What several launches printed, as one hash: that of their transcripts one after the other, whole, compressed or not.

import { createHash } from 'node:crypto';
import { isFault } from '../../std/fault.ts';
import { type LaunchDir, readStatus } from './launch-dir.ts';
import { readTranscript } from './transcript-file.ts';

/** null where it is not known: one of them came to no known end, so that its output may lack something, or is gone. */
export async function transcriptHash(dirs: readonly LaunchDir[]): Promise<string | null> {
  const all = createHash('sha256');
  for (const dir of dirs) {
    if (readStatus(dir) === null) return null;
    try {
      for await (const chunk of readTranscript(dir)) all.update(chunk);
    } catch (error) {
      if (isFault(error, 'not_found')) return null;
      throw error;
    }
  }
  return dirs.length === 0 ? null : all.digest('hex');
}
