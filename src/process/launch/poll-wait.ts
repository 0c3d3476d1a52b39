// Waits for changes of the file system and the process table, which do not call back.

/** Rejects with the signal's reason. `arm` gets what ends the pause early. */
export function pause(ms: number, signal?: AbortSignal, arm?: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const wake = (): void => {
      clearTimeout(timer);
      forget?.();
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const forget = signal && onAbort(signal, () => (clearTimeout(timer), reject(signal.reason)));
    arm?.(wake);
  });
}

/** Asks again, at first often, until the answer is not null or the time is over (then null). */
export async function ask<T>(
  question: () => Promise<T | null>,
  { withinMs, pauseMaxMs, signal }: { withinMs: number; pauseMaxMs: number; signal?: AbortSignal },
): Promise<T | null> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
    signal?.throwIfAborted();
    const answer = await question();
    if (answer !== null || performance.now() >= deadline) return answer;
    await pause(pauseMs, signal);
  }
}

const waiters = new WeakMap<AbortSignal, Set<() => void>>();

// One listener however many wait: fifty watches of one signal would draw Node's leak warning, and adding a listener at
// every poll costs more than the poll.
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = waiters.get(signal);
  if (callbacks === undefined) {
    const created = new Set<() => void>();
    signal.addEventListener('abort', () => created.forEach((call) => call()), { once: true });
    waiters.set(signal, created);
    callbacks = created;
  }
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}
