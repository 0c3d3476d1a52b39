// What goes next, by priority and by time. Heaps keep entries of tasks that moved on since; they are dropped here.

import type { Heap } from './heap.ts';
import { blockerOf, letWait } from './interlock.ts';
import { inOrder, startable } from './ready.ts';
import type { DelayedEntry, ReadyEntry, Run, Task } from './run.ts';

/** The ready task that goes next, or null. Those whose paths somebody holds are put aside on the way. */
export function nextReady(run: Run, full: ReadonlySet<string>): Task | null {
  let best: ReadyEntry | null = null;
  for (const heap of startable(run, full)) {
    const top = nextOf(run, heap);
    if (top !== null && (best === null || inOrder(top, best) < 0)) best = top;
  }
  return best?.task ?? null;
}

function nextOf(run: Run, heap: Heap<ReadyEntry>): ReadyEntry | null {
  for (;;) {
    const top = heap.peek();
    if (top === undefined) return null;
    const blocker = top.task.state === 'ready' ? blockerOf(run, top) : null;
    if (top.task.state === 'ready' && blocker === null) return top;
    heap.pop();
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
