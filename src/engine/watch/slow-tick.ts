// Notices a tick that takes too long while it is still going on: a stuck disk is said before it is over.

import type { Ports } from '../../ports/engine-ports.ts';

export function watchTick(ports: Ports, limitMs: number, onSlow: () => void): { end(): void } {
  const begun = ports.clock.now();
  const cancel = ports.clock.wake(begun + limitMs, () => {
    onSlow();
    ports.log.warn('tick takes too long', { limitMs });
  });
  return { end: cancel };
}
