// What depends on a commit alone is read once: it can never be another. Kept in memory only, and not without end.

/** What was read before for the same names, which are all that it depends on. A failure is not remembered. */
export type Remembered<T> = (names: readonly string[], read: () => Promise<T>) => Promise<T>;

export function createMemory<T>(): Remembered<T> {
  const known = new Map<string, { readonly value: T }>();
  return async (names, read) => {
    const key = names.join('\0');
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = await read();
    known.set(key, { value });
    const [oldest] = known.keys();
    if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest);
    return value;
  };
}

const rememberedMax = 500;
