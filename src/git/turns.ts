// One at a time for each key, in the order of asking, within this process.

export type TakeTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const over = turn.catch(() => undefined);
    last.set(key, over);
    await over;
    if (last.get(key) === over) last.delete(key);
    return turn;
  };
}
