// Which task goes next: fair between runs (the one that holds fewest slots, then the older), and inside a run what was
// parked before what is new, then by priority and order. One pick at a time; the caller folds it in before it asks again. What
// stands in the way of others is noted on the host, for people.

import type { Attempt } from '../attempt/attempt.ts';
import type { Command } from '../command.ts';
import { restingIn } from '../crew/resting.ts';
import { freeSlots, type Host, heldBy } from '../host.ts';
import type { RunId } from '../ids.ts';
import { taskOf } from '../lookup.ts';
import { mayGoOn } from '../people/asking.ts';
import type { Run } from '../run.ts';
import { type Next, nextParked, nextReady } from './queues.ts';
import { fullOnHost } from './ready.ts';

export interface Pick {
  readonly runId: RunId;
  readonly command: Extract<Command, { type: 'start' | 'goOn' | 'outOfQuota' | 'giveUp' }>;
}

export function pickNext(host: Host, runs: readonly Run[], now: number, hostName: string): Pick | null {
  if (freeSlots(host) === 0 || host.scarce !== null) return giveUpOldest(runs, wanted(runs));
  host.full = fullOnHost(host, runs);
  const scene = { host, runs, now };
  let best: { runId: RunId; next: Next; held: number } | null = null;
  for (const run of runs) {
    if (run.spec === null || run.state !== 'running') continue;
    if (run.live.size - run.parked.size >= run.spec.limits.parallelMax) {
      const given = giveUpOldest([run], wanted([run]));
      if (given !== null) return given;
      continue;
    }
    const next = nextParked(run, scene) ?? nextReady(run, scene);
    if (next === null) continue;
    const held = heldBy(host, run.spec.id);
    if (best === null || held < best.held || (held === best.held && run.spec.id < best.runId)) {
      best = { runId: run.spec.id, next, held };
    }
  }
  return best === null ? null : { runId: best.runId, command: commandOf(best.next, hostName) };
}

/** How many could use a slot: tasks that are ready, and attempts that were told something while they had none. */
function wanted(runs: readonly Run[]): number {
  let count = 0;
  for (const run of runs) {
    if (run.state !== 'running') continue;
    for (const heap of run.ready.values()) count += heap.size;
    for (const attempt of run.parked.values()) {
      if (attempt.parked !== null && mayGoOn(run, taskOf(run, attempt.taskId), attempt.parked.why)) count += 1;
    }
  }
  return count;
}

/** Of the agents that rest with a process the one that rests longest makes room, as long as more is wanted than is coming free. */
function giveUpOldest(runs: readonly Run[], count: number): Pick | null {
  if (count === 0) return null;
  let coming = 0;
  let oldest: { readonly run: Run; readonly attempt: Attempt } | null = null;
  for (const run of runs) {
    for (const { stop } of run.live.values()) if (stop?.reason === 'parked') coming += 1;
    const [attempt] = run.state === 'running' ? restingIn(run) : [];
    if (attempt !== undefined && (oldest === null || attempt.idleSince < oldest.attempt.idleSince))
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
