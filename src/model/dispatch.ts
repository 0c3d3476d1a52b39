// Which task goes next: fair between runs (the one that holds fewest slots, then the older), and inside a run what was
// parked before what is new, then by priority and order. One pick at a time; the caller folds it in before it asks again. What
// stands in the way of others is noted on the host, for people.

import type { Command } from './command.ts';
import { freeSlots, type Host, heldBy } from './host.ts';
import type { RunId } from './ids.ts';
import { type Next, nextParked, nextReady } from './queues.ts';
import { fullOnHost } from './ready.ts';
import type { Run } from './run.ts';

export interface Pick {
  readonly runId: RunId;
  readonly command: Extract<Command, { type: 'start' | 'goOn' | 'outOfQuota' }>;
}

export function pickNext(host: Host, runs: readonly Run[], now: number, hostName: string): Pick | null {
  if (freeSlots(host) === 0 || host.scarce !== null) return null;
  host.full = fullOnHost(host, runs);
  const scene = { host, runs, now };
  let best: { runId: RunId; next: Next; held: number } | null = null;
  for (const run of runs) {
    if (run.spec === null || run.state !== 'running') continue;
    if (run.live.size - run.parked.size >= run.spec.limits.parallelMax) continue;
    const next = nextParked(run, scene) ?? nextReady(run, scene);
    if (next === null) continue;
    const held = heldBy(host, run.spec.id);
    if (best === null || held < best.held || (held === best.held && run.spec.id < best.runId)) {
      best = { runId: run.spec.id, next, held };
    }
  }
  return best === null ? null : { runId: best.runId, command: commandOf(best.next, hostName) };
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
