// The values of the variables that a user passes on to the agents of a run (`run --env`). They may be secrets, so they are in a
// file for each run that only its owner can read. The journal has only their names.

import { join } from 'node:path';
import { Fault } from '../std/fault.ts';
import { writeAtomic } from '../std/files.ts';
import { ownDirectory, readOwnFile } from '../std/own-directory.ts';

export interface RunVariables {
  /** Replaces the file of the run. */
  store(runId: string, values: Readonly<Record<string, string>>): Promise<void>;
  /** Throws a Fault that says why an agent of this run cannot have them. */
  read(runId: string): Readonly<Record<string, string>>;
}

export function openRunVariables(home: string): RunVariables {
  const directory = join(home, 'variables');
  const path = (runId: string): string => join(directory, `${runId}.json`);
  return {
    async store(runId, values) {
      await ownDirectory(home);
      await ownDirectory(directory);
      await writeAtomic(path(runId), `${JSON.stringify(values)}\n`);
    },
    read(runId) {
      const found = readOwnFile(directory, path(runId));
      if (found.kind === 'read') return JSON.parse(found.bytes.toString('utf8')) as Record<string, string>;
      const why = found.kind === 'none' ? `${path(runId)} is gone` : `${found.path} ${found.flaw}`;
      throw new Fault(
        'agent_unusable',
        `the variables passed on with --env cannot be read: ${why}; start the run again`,
      );
    },
  };
}
