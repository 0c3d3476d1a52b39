// What goes next, by priority and by time. Heaps keep entries of tasks that moved on since; they are dropped here.

import { blockerOf, letWait } from './interlock.ts';
import type { DelayedEntry, Run, Task } from './run.ts';

/** The ready task that goes next, or null. Those whose paths somebody holds are put aside on the way. */
export function nextReady(run: Run): Task | null {
  for (;;) {
    const top = run.ready.peek();
    if (top === undefined) return null;
    const blocker = top.task.state === 'ready' ? blockerOf(run, top) : null;
    if (top.task.state === 'ready' && blocker === null) return top.task;
    run.ready.pop();
    if (blocker !== null) letWait(run, top, blocker);
  }
}

/** The delayed task that is due next, or null. */
export function nextDelayed(run: Run): DelayedEntry | null {
  for (;;) {
    const top = run.delayed.peek();
    if (top === undefined) return null;
    const delay = top.task.delay;
    if (top.task.state === 'delayed' && delay !== null && delay.from + delay.ms === top.dueAt) return top;
    run.delayed.pop();
  }
}
