// Verifies stored artifacts: the name of each is its hash.

import type { ArtifactId } from '../model/core/ids.ts';
import { isFault } from '../std/fault.ts';
import type { Report } from './audit-report.ts';
import type { StoredRecord } from './run-record.ts';

/** Returns the bytes, or throws a Fault that says what is wrong. */
export type ReadArtifact = (id: ArtifactId) => Promise<Uint8Array>;

export async function auditArtifacts(
  stored: readonly StoredRecord[],
  read: ReadArtifact,
  report: Report,
): Promise<void> {
  const seen = new Set<ArtifactId>();
  for (const { artifactId, kind, bytes, task } of stored) {
    if (seen.has(artifactId)) continue;
    seen.add(artifactId);
    const what = `${kind} of "${task}"`;
    try {
      const found = await read(artifactId);
      if (found.length === bytes) report.verified.push({ what, detail: `${artifactId}, ${bytes} bytes, unchanged` });
      else
        report.defects.push({ what, detail: `${artifactId} has ${found.length} bytes, not ${bytes}`, means: changed });
    } catch (error) {
      if (!isFault(error, 'artifact_corrupt') && !isFault(error, 'not_found')) throw error;
      report.defects.push({ what, detail: error.message, means: changed });
    }
  }
}

const changed = 'The file was changed or removed after it was stored: restore it from a backup.';
