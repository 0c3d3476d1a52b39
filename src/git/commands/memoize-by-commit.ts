// Caches what depends on a commit alone, which never changes. In memory only, and bounded.

/** The value that was read before for the same key. A failure is not cached. */
export type Remembered<T> = (names: readonly string[], read: () => Promise<T>) => Promise<T>;

/** Concurrent callers share one read: the tasks of a plan begin together. */
export function createMemory<T>(): Remembered<T> {
  const known = new Map<string, Promise<T>>();
  return async (names, read) => {
    const key = names.join('\0');
    const found = known.get(key);
    // The first caller may fail for a reason of its own, such as being cancelled.
    if (found !== undefined) return found.catch(read);
    const reading = read();
    known.set(key, reading);
    const [oldest] = known.keys();
    if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest);
    try {
      return await reading;
    } catch (error) {
      if (known.get(key) === reading) known.delete(key);
      throw error;
    }
  };
}

const rememberedMax = 500;
