// `signalbox daemon`: the daemon itself, in this process. Hidden: the other verbs start it.

import { closeSync, openSync, writeSync } from 'node:fs';
import { Fault } from '../../../std/fault.ts';
import { exits, type Verb } from '../../client/context.ts';
import { writeReport } from '../../client/start-daemon.ts';

/** `report`: whoever started us reads one report from stdout; then it leads nowhere, so that nobody is waited for. */
export const daemon: Verb<{ readonly report?: boolean }> = async ({ lent }, _args, { report }) => {
  const tell = (fault: Fault | null): void => {
    if (report !== true) return;
    try {
      writeSync(1, writeReport(fault));
    } catch {
      // The starter is gone already.
    }
    closeSync(1);
    // Takes the freed number: nothing that is opened later may become stdout.
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
