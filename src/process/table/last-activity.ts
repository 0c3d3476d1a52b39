// When the directory of a launch last changed. The follower of its output notes it; measuring can then skip a launch
// that did nothing.

const heard = new Map<string, number>();

/** Of the launch with this directory. */
export function noteActivity(path: string): void {
  heard.set(path, performance.now());
}

/** On the clock of `performance`; 0 = never, as far as is known. */
export function lastActive(path: string): number {
  return heard.get(path) ?? 0;
}

const followers = new Map<string, () => void>();

/** Called by the follower of a launch's output, to learn that output is expected soon. */
export function onHaste(path: string, wake: () => void): void {
  followers.set(path, wake);
}

/** The agent got input: its answer is expected soon. */
export function hasten(path: string): void {
  followers.get(path)?.();
}

/** Nobody follows it any more. */
export function forgetActivity(path: string): void {
  heard.delete(path);
  followers.delete(path);
}
