// `signalbox daemon`: the daemon itself, in this process. Hidden: the other verbs start it.

import { closeSync, openSync, writeSync } from 'node:fs';
import { Fault } from '../../../std/fault.ts';
import { exits, type Verb } from '../../client/context.ts';
import { writeReport } from '../../client/start-daemon.ts';

/** `report`: write one report to stdout for the starting process, then close stdout. */
export const daemon: Verb<{ readonly report?: boolean }> = async ({ lent }, _args, { report }) => {
  const tell = (fault: Fault | null): void => {
    if (report !== true) return;
    try {
      writeSync(1, writeReport(fault));
    } catch {
      // The starting process is gone already.
    }
    closeSync(1);
    // Occupies file descriptor 1, so that no file opened later becomes stdout.
    openSync('/dev/null', 'w');
  };
  try {
    await lent.daemon(() => tell(null));
    return exits.ok;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    tell(error);
    return exits.daemon;
  }
};
