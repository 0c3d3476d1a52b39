// Which attempt or task takes the next free slot: first parked attempts, then ready tasks by priority. Changes nothing: tasks
// that need no further look soon are returned, and the caller sets them aside.

import { canTakeSlot, isAsking, mayGoOn } from '../asks/asks-alone.ts';
import { blockerOf } from '../children/blocking.ts';
import type { Attempt } from '../core/attempt.ts';
import { taskOf } from '../core/lookup.ts';
import { pauseOf } from '../core/pause.ts';
import type { Run, Task } from '../core/run.ts';
import type { Admission } from '../parking/admission.ts';
import { admissionOf, admissionOfAsker, type Scene, type Way, wayFor } from '../parking/admit.ts';
import type { Aside } from '../ready/interlock.ts';
import { inOrder, isFull } from '../ready/ready-queues.ts';
import type { ReadyEntry } from '../ready/ready-state.ts';
import { rootOf } from '../spending/account-of.ts';

export type Next =
  | { readonly kind: 'start'; readonly task: Task; readonly admission: Admission }
  | { readonly kind: 'goOn'; readonly attempt: Attempt; readonly admission: Admission }
  | { readonly kind: 'refuse'; readonly task: Task; readonly detail: string };

/** The attempt that was parked first and may continue. */
export function nextParked(run: Run, scene: Scene): Next | null {
  if (pauseOf(run) !== null) return null;
  for (const attempt of run.parked.values()) {
    const task = taskOf(run, attempt.taskId);
    const { harness } = task.spec;
    if (attempt.parking.parked === null || !mayGoOn(run, task, attempt.parking.parked.why)) continue;
    if (!canTakeSlot(attempt) || scene.full.has(harness) || isFull(run, harness)) continue;
    if (isAsking(attempt)) {
      // Its process exists already: scarce memory is no reason to let it wait.
      const asker = admissionOfAsker(scene, run, task, attempt);
      if (asker !== null) return { kind: 'goOn', attempt, admission: asker };
      continue;
    }
    if (scene.host.scarce !== null) continue;
    const way = wayFor(scene, task.spec, rootOf(run, task));
    // An attempt that has begun is not refused: its exhausted account was reported when it was parked.
    if (way.kind !== 'open') continue;
    const admission = admissionOf(run, task, way, scene.now);
    if (admission !== null) return { kind: 'goOn', attempt, admission };
  }
  return null;
}

/** The ready task that starts next, and the tasks before it that are blocked by held paths or lack a budget. */
export function nextReady(run: Run, scene: Scene): { readonly next: Next | null; readonly aside: readonly Aside[] } {
  const aside: Aside[] = [];
  const view = createView(run);
  for (const { entry, way } of candidates(run, scene)) {
    const { task } = entry;
    if (way.kind === 'refused') return { next: { kind: 'refuse', task, detail: way.detail }, aside };
    const blocker = view.blockerOf(task);
    const admission = blocker === null ? admissionOf(run, task, way, scene.now) : null;
    if (admission !== null) return { next: { kind: 'start', task, admission }, aside };
    aside.push({ entry, blocker });
    if (blocker !== null) view.addWaiting(entry);
  }
  return { next: null, aside };
}

interface Candidate {
  readonly entry: ReadyEntry;
  readonly way: Exclude<Way, { kind: 'none' }>;
}

/** The tasks of all queues that are not blocked, in one order. */
function* candidates(run: Run, scene: Scene): Iterable<Candidate> {
  const walks: { way: Candidate['way']; rest: Iterator<ReadyEntry>; entry: ReadyEntry }[] = [];
  for (const queue of run.ready.queues.values()) {
    const entry = queue.peek();
    const way = entry === undefined ? null : wayOf(run, entry.task, scene);
    if (entry === undefined || way === null || way.kind === 'none') continue;
    const rest = queue.inOrder()[Symbol.iterator]();
    rest.next();
    walks.push({ way, rest, entry });
  }
  while (walks.length > 0) {
    const first = walks.reduce((best, walk) => (inOrder(walk.entry, best.entry) < 0 ? walk : best));
    yield first;
    const { done, value } = first.rest.next();
    if (done === true) walks.splice(walks.indexOf(first), 1);
    else first.entry = value;
  }
}

/** The run as if the tasks found waiting for paths were set aside already. */
function createView(run: Run): { blockerOf(task: Task): Task | null; addWaiting(entry: ReadyEntry): void } {
  let waiting: Run['ready']['waiting'] | null = null;
  let view = run;
  return {
    blockerOf: (task) => blockerOf(view, task),
    addWaiting(entry) {
      if (waiting === null) {
        waiting = new Map(run.ready.waiting);
        view = { ...run, ready: { ...run.ready, waiting } };
      }
      waiting.set(entry.task.spec.id, entry);
    },
  };
}

/** The same for all tasks in one queue. */
function wayOf(run: Run, { spec }: Task, scene: Scene): Way {
  if (scene.full.has(spec.harness) || isFull(run, spec.harness)) return { kind: 'none' };
  return wayFor(scene, spec, null);
}
