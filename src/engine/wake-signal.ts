// What the engine's loop sleeps on. A ring is a hint that there is something to do; a ring before the loop sleeps is not lost.

import type { Clock } from '../std/clock.ts';

export interface Bell {
  ring(): void;
  /** Resolves at the next ring (or at once if one came before), at `at`, or when the signal fires. */
  wait(clock: Clock, at: number | null, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let awake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      awake?.();
    },
    async wait(clock, at, signal) {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const cancel = at === null ? noop : clock.wake(at, resolve);
          awake = () => {
            cancel();
            resolve();
          };
        });
      }
      rung = false;
      awake = null;
    },
  };
}

function noop(): void {}
