// An assertion states what must always be true. A failed one is a bug in Signalbox, never a condition of the world: it crashes,
// and the journal survives the crash.

export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}

/** The value, which cannot be missing here. */
export function must<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new AssertionFailed(message);
  return value;
}

/** Placed after a switch over a closed union; the type checker proves it unreachable. */
export function unreachable(value: never): never {
  throw new AssertionFailed(`unreachable: ${JSON.stringify(value)}`);
}
