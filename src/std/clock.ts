// Time comes in through this port, so that the simulator can own it.

export interface Clock {
  /** Milliseconds since the epoch. May jump in either direction. */
  now(): number;
  /** Calls back once at or after `at`; the returned function cancels. */
  wake(at: number, callback: () => void): () => void;
}

/** Longer waits overflow the timer and would fire at once. */
const timerMaxMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  wake(at, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, at - Date.now()), timerMaxMs));
    return () => clearTimeout(timer);
  },
};
