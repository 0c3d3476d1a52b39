// Reads a session's usage for people, in the background: soon, and again a little later while the agent has not written its
// newest request. Journals nothing.

import type { Clock } from '../../std/clock.ts';

/** Between two looks; then twice as long, up to the most. */
const pauseMs = 250;
const pauseMaxMs = 2_000;

export interface Glances {
  start(codec: string): void;
  /** Resolves when no look is running; none follows. */
  end(): Promise<void>;
}

/** Looks in the background until `look` has seen everything; at most one look at a time, with the newest state. */
export function createGlances(clock: Clock, look: (codec: string) => Promise<boolean>): Glances {
  let wanted: string | null = null;
  let underway: Promise<void> | null = null;
  let wake: () => void = () => undefined;
  let ended = false;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.wake(clock.now() + ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  const goOn = async (): Promise<void> => {
    let delayMs = pauseMs;
    let codec = '';
    while (!ended) {
      if (wanted !== null) [codec, wanted, delayMs] = [wanted, null, pauseMs];
      const isWhole = await look(codec);
      if (wanted !== null) continue;
      if (isWhole || delayMs > pauseMaxMs) return;
      await pause(delayMs);
      delayMs *= 2;
    }
  };
  return {
    start(codec) {
      wanted = codec;
      if (underway === null && !ended) {
        // For people only: the reading that counts meets the same error and reports it.
        underway = goOn()
          .catch(() => undefined)
          .finally(() => {
            underway = null;
          });
      } else wake();
    },
    async end() {
      ended = true;
      wake();
      await underway;
    },
  };
}
