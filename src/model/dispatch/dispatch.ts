// Which task starts or continues next: first agents whose wait has timed out (overdue.ts). Then fairly between runs (the run
// with the fewest slots, then the older one), and inside a run parked attempts before new tasks, then by priority and order.
// One pick at a time; the caller folds it before it asks again. Choosing changes nothing: tasks to set aside are returned with
// the pick.

import { mayGoOn } from '../asks/asks-alone.ts';
import { restingIn } from '../children/resting.ts';
import type { Attempt } from '../core/attempt.ts';
import type { Command } from '../core/command.ts';
import type { RunId, TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { freeSlots, type Host, heldBy } from '../host/host.ts';
import type { Scene } from '../parking/admit.ts';
import type { Aside } from '../ready/interlock.ts';
import { isFull } from '../ready/ready-queues.ts';
import { type Next, nextParked, nextReady } from './next-ready.ts';
import { hasAll, nextOverdue } from './overdue.ts';

export interface Pick {
  readonly runId: RunId;
  readonly command: Extract<Command, { type: 'start' | 'goOn' | 'outOfQuota' | 'giveUp' }>;
}

export interface Choice {
  readonly pick: Pick | null;
  /** Ready tasks that need no further look until something changes for them. */
  readonly aside: readonly (Aside & { readonly run: Run })[];
}

export function chooseNext(scene: Scene, hostName: string): Choice {
  const { host, runs } = scene;
  for (const run of runs) {
    const next = run.spec === null || run.state !== 'running' ? null : nextOverdue(run, scene);
    if (run.spec !== null && next !== null) return alone({ runId: run.spec.id, command: commandOf(next, hostName) });
  }
  const given = makeRoom(scene);
  if (given !== null || freeSlots(host) === 0) return alone(given);
  const aside: (Aside & { readonly run: Run })[] = [];
  let best: { runId: RunId; next: Next; held: number } | null = null;
  for (const run of runs) {
    if (run.spec === null || run.state !== 'running' || hasAll(run)) continue;
    let next = nextParked(run, scene);
    if (next === null && host.scarce === null) {
      const ready = nextReady(run, scene);
      for (const each of ready.aside) aside.push({ run, ...each });
      next = ready.next;
    }
    if (next === null) continue;
    const held = heldBy(host, run.spec.id);
    if (best === null || held < best.held || (held === best.held && run.spec.id < best.runId)) {
      best = { runId: run.spec.id, next, held };
    }
  }
  return { pick: best === null ? null : { runId: best.runId, command: commandOf(best.next, hostName) }, aside };
}

function alone(pick: Pick | null): Choice {
  return { pick, aside: [] };
}

function isCrowded(host: Host): boolean {
  return freeSlots(host) === 0 || host.scarce !== null;
}

/** Frees a slot that an agent at rest with a process holds while others could start: on the host, in a run, or of a harness. */
function makeRoom({ host, runs, full: fullHere }: Scene): Pick | null {
  // If memory is scarce, one agent makes room even if no task is ready; how much that frees is seen when its process has ended.
  if (isCrowded(host)) return giveUpOldest(runs, null, host.scarce === null ? 0 : 1);
  for (const harness of fullHere) {
    const given = giveUpOldest(runs, harness);
    if (given !== null) return given;
  }
  for (const run of runs) {
    const full = Object.keys(run.spec?.limits.harnessMax ?? {}).filter((harness) => isFull(run, harness));
    for (const harness of hasAll(run) ? [null] : full) {
      const given = giveUpOldest([run], harness);
      if (given !== null) return given;
    }
  }
  return null;
}

/** How many could use a slot: ready tasks, and parked attempts that may continue. */
function wanted(runs: readonly Run[], isMeant: (run: Run, taskId: TaskId) => boolean): number {
  let count = 0;
  for (const run of runs) {
    if (run.state !== 'running') continue;
    for (const heap of run.ready.queues.values()) {
      const top = heap.peek();
      // All tasks in one queue have the same harness.
      if (top !== undefined && isMeant(run, top.task.spec.id)) count += heap.size;
    }
    for (const {
      taskId,
      parking: { parked },
    } of run.parked.values()) {
      if (parked !== null && isMeant(run, taskId) && mayGoOn(run, taskOf(run, taskId), parked.why)) count += 1;
    }
  }
  return count;
}

/**
 * The agent that has rested longest with a process makes room, while more slots are wanted than are coming free. `harness`:
 * only agents of this one; `least`: at least so many slots are wanted.
 */
function giveUpOldest(runs: readonly Run[], harness: string | null, least = 0): Pick | null {
  const isMeant = (run: Run, taskId: TaskId): boolean =>
    harness === null || taskOf(run, taskId).spec.harness === harness;
  const count = Math.max(least, wanted(runs, isMeant));
  if (count === 0) return null;
  let coming = 0;
  let oldest: { readonly run: Run; readonly attempt: Attempt } | null = null;
  for (const run of runs) {
    for (const { stop, taskId } of run.live.values())
      if (stop?.reason === 'parked' && isMeant(run, taskId)) coming += 1;
    const resting = run.state === 'running' ? restingIn(run) : [];
    const attempt = resting.find(({ taskId }) => isMeant(run, taskId));
    if (attempt !== undefined && (oldest === null || attempt.turn.idleSince < oldest.attempt.turn.idleSince))
      oldest = { run, attempt };
  }
  if (oldest === null || coming >= count || oldest.run.spec === null) return null;
  return { runId: oldest.run.spec.id, command: { type: 'giveUp', attemptId: oldest.attempt.id } };
}

function commandOf(next: Next, host: string): Pick['command'] {
  switch (next.kind) {
    case 'start':
      return { type: 'start', taskId: next.task.spec.id, host, ...next.admission };
    case 'goOn':
      return { type: 'goOn', attemptId: next.attempt.id, host, ...next.admission };
    case 'refuse':
      return { type: 'outOfQuota', taskId: next.task.spec.id, detail: next.detail };
  }
}
