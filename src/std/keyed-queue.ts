// Runs one piece of work at a time for each key, in the order of the calls, within this process.

/** An aborted signal ends the waiting at once; work that has started is waited for. */
export type TakeTurns = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work, signal) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = (signal === undefined ? before : unlessAborted(before, signal)).then(work);
    const over = before.then(() => turn).catch(() => undefined);
    last.set(key, over);
    void over.then(() => {
      if (last.get(key) === over) last.delete(key);
    });
    return turn;
  };
}

function unlessAborted(wait: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    void wait.then(() => {
      signal.removeEventListener('abort', leave);
      if (signal.aborted) leave();
      else resolve();
    });
  });
}
