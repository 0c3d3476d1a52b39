// Which task goes next: fair between runs (the one that holds fewest slots, then the older), and inside a run
// by priority and order. One pick at a time; the caller folds it in before it asks again. What stands in the way of others is
// noted on the host, for people.

import { freeSlots, type Host, heldBy } from './host.ts';
import type { RunId, TaskId } from './ids.ts';
import { nextReady } from './queues.ts';
import { fullOnHost } from './ready.ts';
import type { Run } from './run.ts';

export interface Pick {
  readonly runId: RunId;
  readonly taskId: TaskId;
}

export function pickNext(host: Host, runs: readonly Run[]): Pick | null {
  if (freeSlots(host) === 0 || host.scarce !== null) return null;
  host.full = fullOnHost(host, runs);
  let best: (Pick & { held: number }) | null = null;
  for (const run of runs) {
    if (run.spec === null || run.state !== 'running') continue;
    const task = nextReady(run, host.full);
    if (task === null || run.live.size >= run.spec.limits.parallelMax) continue;
    const held = heldBy(host, run.spec.id);
    if (best === null || held < best.held || (held === best.held && run.spec.id < best.runId)) {
      best = { runId: run.spec.id, taskId: task.spec.id, held };
    }
  }
  return best === null ? null : { runId: best.runId, taskId: best.taskId };
}
