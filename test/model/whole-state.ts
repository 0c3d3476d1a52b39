// All of a run or host as text, indices and queues included: two texts are equal where nothing has changed.

export function wholeState(state: object): string {
  const seen = new Map<object, number>();
  return JSON.stringify(state, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return `#${known}`;
    seen.set(value, seen.size);
    if (value instanceof Map || value instanceof Set) return [...value];
    return 'inOrder' in value && typeof value.inOrder === 'function'
      ? [...(value.inOrder() as Iterable<unknown>)]
      : value;
  });
}
