// What a failure means: whether another attempt may cure it, and whether there was one at all.

import type { TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

/** Reasons for which another attempt may end differently. Written down here a second time, on purpose. */
const curable = new Set(
  (
    'crash timeout stall invalid-output context-overflow max-output rate-limit quota unavailable out-of-memory disk ' +
    'setup-failed check-failed out-of-scope conflict spawn-refused lost'
  ).split(' '),
);

/** A task that does not wait for an exhausted account would only meet it again. */
export function isCurable({ spec }: TaskView, reason: string): boolean {
  return curable.has(reason) && !(reason === 'quota' && spec.onQuota === 'stop');
}

/** It does not wait for an exhausted account: it ends before it has begun. */
export function checkOutOfQuota(view: View, { id, spec }: TaskView): void {
  const { harness = '', onQuota } = spec;
  const lines = [...view.hosts.values()].map(({ lines }) => lines.get(harness)?.limit);
  if (onQuota !== 'stop' || !(lines.includes('quota') || view.usedUpNow.has(harness))) {
    blame(view, 3, `${id} failed for an account that is used up, and it was to wait or there is none`);
  }
}

/** Whether a person says what follows. */
export function isAskedAbout({ spec }: TaskView, reason: string | undefined): boolean {
  return spec.onFailure === 'ask' || (reason === 'conflict' && spec.onConflict === 'ask');
}

/** How its last attempt failed. */
export function failureOf(task: TaskView): string | null {
  return task.attempt?.verdict?.failure?.reason ?? null;
}
