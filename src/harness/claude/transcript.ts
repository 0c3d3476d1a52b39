// Claude Code's session file: where it is, and which records it holds. After a crash it decides which records were delivered:
// one that was read in the middle of a turn would otherwise be delivered twice.

import { join } from 'node:path';
import type { RecordId } from '../../model/core/ids.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { objectIn, parseObject } from '../stream-json/untrusted-json.ts';
import { configDirectory } from './given-tools.ts';

/** Below the agent's home. `cwd` is where the agent was first launched, without symbolic links. */
export function transcriptPath(session: string, cwd: string): string {
  return join(configDirectory, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);
}

/**
 * A record was delivered if the file has it as a message of the user, or as a queued one that was put into a tool round; then
 * all records before it were delivered too: the CLI keeps the order, and of several that it joins in one entry it names only
 * the last.
 */
export function deliveredIn(transcript: Iterable<string>, sent: readonly RecordId[]): ReadonlySet<RecordId> {
  const places = new Map(sent.map((id, place) => [derivedUuid(id), place]));
  let last = -1;
  for (const line of transcript) {
    const entry = parseObject(line);
    const place = entry === null ? undefined : places.get(uuidTakenUp(entry) ?? '');
    if (place !== undefined) last = Math.max(last, place);
  }
  return new Set(sent.slice(0, last + 1));
}

function uuidTakenUp(entry: Readonly<Record<string, unknown>>): string | null {
  const attachment = objectIn(entry['attachment']);
  const uuid =
    entry['type'] === 'user'
      ? entry['uuid']
      : attachment['type'] === 'queued_command'
        ? attachment['source_uuid']
        : null;
  return typeof uuid === 'string' ? uuid : null;
}
