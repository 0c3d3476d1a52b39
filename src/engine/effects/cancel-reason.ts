// Why an effect under way is ended: Signalbox leaves, or what it is done for is not wanted any more. The signal's reason
// says which.

import { Fault, isFault } from '../../std/fault.ts';

export function brokenOff(): Fault {
  return new Fault('stopped', 'broken off, because its task is to stop');
}

export function isBrokenOff(signal: AbortSignal): boolean {
  return signal.aborted && isFault(signal.reason, 'stopped');
}
