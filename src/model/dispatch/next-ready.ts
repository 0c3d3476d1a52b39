// Which agent or task takes the next free slot: first what was parked, then by priority. The heaps keep entries of tasks that
// are no longer ready; they are dropped here.

import type { Heap } from '../../std/heap.ts';
import { canTakeSlot, isAsking, mayGoOn } from '../asks/asks-alone.ts';
import { blockerOf } from '../children/blocking.ts';
import type { Attempt } from '../core/attempt.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import type { Admission } from '../parking/admission.ts';
import { admissionOf, admissionOfAsker, type Scene, type Way, wayFor } from '../parking/admit.ts';
import { letWait } from '../ready/interlock.ts';
import { inOrder, isFull, putAside } from '../ready/ready-queues.ts';
import type { ReadyEntry } from '../ready/ready-state.ts';

export type Next =
  | { readonly kind: 'start'; readonly task: Task; readonly admission: Admission }
  | { readonly kind: 'goOn'; readonly attempt: Attempt; readonly admission: Admission }
  | { readonly kind: 'refuse'; readonly task: Task; readonly detail: string };

/** The attempt that was parked first and may go on. */
export function nextParked(run: Run, scene: Scene): Next | null {
  for (const attempt of run.parked.values()) {
    const task = taskOf(run, attempt.taskId);
    const { harness } = task.spec;
    if (attempt.parking.parked === null || !mayGoOn(run, task, attempt.parking.parked.why)) continue;
    if (!canTakeSlot(attempt) || scene.host.full.has(harness) || isFull(run, harness)) continue;
    if (isAsking(attempt)) {
      // Its process is there: memory that is scarce is no reason to keep it waiting.
      const asker = admissionOfAsker(scene, task, attempt);
      if (asker !== null) return { kind: 'goOn', attempt, admission: asker };
      continue;
    }
    if (scene.host.scarce !== null) continue;
    const way = wayFor(scene, task.spec);
    // Who has begun is not refused: that its account is used up was said when it was parked.
    if (way.kind !== 'open') continue;
    const admission = admissionOf(run, task, way, scene.now);
    if (admission !== null) return { kind: 'goOn', attempt, admission };
  }
  return null;
}

/** The ready task that goes next. Those whose paths somebody holds, or that have no budget, are put aside on the way. */
export function nextReady(run: Run, scene: Scene): Next | null {
  let best: { entry: ReadyEntry; next: Next } | null = null;
  for (const heap of run.ready.queues.values()) {
    const top = nextOf(run, heap, scene);
    if (top !== null && (best === null || inOrder(top.entry, best.entry) < 0)) best = top;
  }
  return best?.next ?? null;
}

function nextOf(run: Run, heap: Heap<ReadyEntry>, scene: Scene): { entry: ReadyEntry; next: Next } | null {
  for (;;) {
    const entry = heap.peek();
    if (entry === undefined) return null;
    const { task } = entry;
    if (task.state === 'ready') {
      const way = wayOf(run, task, scene);
      if (way.kind === 'none') return null;
      if (way.kind === 'refused') return { entry, next: { kind: 'refuse', task, detail: way.detail } };
      const blocker = blockerOf(run, entry);
      if (blocker !== null) letWait(run, entry, blocker);
      else {
        const admission = admissionOf(run, task, way, scene.now);
        if (admission !== null) return { entry, next: { kind: 'start', task, admission } };
        putAside(run, entry);
      }
    }
    heap.pop();
  }
}

/** All in one queue have the same. */
function wayOf(run: Run, { spec }: Task, scene: Scene): Way {
  if (scene.host.full.has(spec.harness) || isFull(run, spec.harness)) return { kind: 'none' };
  return wayFor(scene, spec);
}
