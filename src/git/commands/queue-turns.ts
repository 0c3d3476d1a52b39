// One at a time for each key. Waiting callers go in the order in which the journal says they asked, not in the order in
// which they arrived here.

export type QueueTurns = <T>(key: string, at: number, work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

interface Waiting {
  readonly at: number;
  readonly begin: () => void;
}

export function createQueueTurns(): QueueTurns {
  const lines = new Map<string, Waiting[]>();
  const next = (key: string): void => {
    const line = lines.get(key) ?? [];
    const [first] = line.toSorted((a, b) => a.at - b.at);
    if (first === undefined) return void lines.delete(key);
    line.splice(line.indexOf(first), 1);
    first.begin();
  };
  return async (key, at, work, signal) => {
    const line = lines.get(key);
    if (line === undefined) lines.set(key, []);
    else await turnIn(line, at, signal);
    try {
      return await work();
    } finally {
      next(key);
    }
  };
}

/** A waiting caller that is aborted leaves at once. */
function turnIn(line: Waiting[], at: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      line.splice(line.indexOf(waiting), 1);
      reject(signal.reason as Error);
    };
    const begin = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const waiting = { at, begin };
    line.push(waiting);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
