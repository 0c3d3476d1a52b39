// Waits for a condition of the world, with a deadline: the alternative to a sleep that hopes.

import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 5;
const pauseMaxMs = 150;

/** The first answer that is neither null, undefined nor false. */
export async function until<T>(
  fn: () => T | Promise<T>,
  { timeoutMs = 10_000, what }: { timeoutMs?: number; what: string },
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const asked = performance.now();
    const answer = await fn();
    if (answer !== null && answer !== undefined && answer !== false) return answer as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    // A look that is dear, through all processes or by a question to the daemon, takes no more than a twentieth of a core: several
    // tests look at the same time, and what they wait for needs the processor too.
    await delay(Math.min(pauseMaxMs, Math.max(pauseMs, 19 * (performance.now() - asked))));
  }
}
