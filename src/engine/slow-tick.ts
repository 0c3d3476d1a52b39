// Notices ticks that take too long.

import type { Ports } from '../ports/engine-ports.ts';

/** Reports a tick that takes too long while it is still going on, such as on a disk that hangs. */
export function watchTick(ports: Ports, limitMs: number, onSlow: () => void): { end(): void } {
  const begun = ports.clock.now();
  const cancel = ports.clock.wake(begun + limitMs, () => {
    onSlow();
    ports.log.warn('tick takes too long', { limitMs });
  });
  return { end: cancel };
}
