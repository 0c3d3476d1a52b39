// Why a running effect is cancelled: Signalbox shuts down, or the result is no longer wanted. The signal's reason tells
// them apart.

import { Fault, isFault } from '../../std/fault.ts';

export function brokenOff(): Fault {
  return new Fault('stopped', 'cancelled, because its task is being stopped');
}

export function isBrokenOff(signal: AbortSignal): boolean {
  return signal.aborted && isFault(signal.reason, 'stopped');
}
