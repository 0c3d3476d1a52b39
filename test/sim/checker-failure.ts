// Why attempts fail, as the judge sees it.

import type { TaskView } from './checker-scene.ts';

/** Reasons for which another attempt may end differently. Written down here a second time, on purpose. */
export const curable = new Set(
  (
    'crash timeout stall invalid-output context-overflow max-output rate-limit quota unavailable out-of-memory disk ' +
    'setup-failed check-failed out-of-scope conflict spawn-refused lost'
  ).split(' '),
);

/** How its last attempt failed. */
export function failureOf(task: TaskView): string | null {
  return task.attempt?.verdict?.failure?.reason ?? null;
}
