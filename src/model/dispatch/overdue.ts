// Agents whose wait has timed out. They continue at that time even if no slot is free: they gave up their slot only for as long
// as they wanted to wait. Bounded; see docs/decisions/001-timed-waits.md.

import { mayGoOn } from '../asks/asks-alone.ts';
import type { Attempt } from '../core/attempt.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { waitIsOver } from '../core/timing.ts';
import { admissionOf, type Scene, wayFor } from '../parking/admit.ts';
import { fullOnHost, isFull } from '../ready/ready-queues.ts';
import { rootOf } from '../spending/account-of.ts';
import type { Next } from './next-ready.ts';

/** Including overdue agents, at most this many times the agents that a limit allows are at work. */
const overCommit = 2;

/** The first agent whose wait has timed out, whatever else is at work. Scarce memory lets it wait. */
export function nextOverdue(run: Run, scene: Scene): Next | null {
  const { host, runs, now } = scene;
  if (run.parked.size === 0 || host.scarce !== null) return null;
  for (const attempt of run.parked.values()) {
    if (!isOverdue(attempt, now) || attempt.state !== 'resting' || attempt.parking.parked === null) continue;
    const task = taskOf(run, attempt.taskId);
    const { harness } = task.spec;
    if (!mayGoOn(run, task, attempt.parking.parked.why) || host.held.size >= overCommit * host.slots) continue;
    if (hasAll(run, overCommit) || isFull(run, harness, overCommit)) continue;
    if (fullOnHost(host, runs, overCommit).has(harness)) continue;
    const way = wayFor(scene, task.spec, rootOf(run, task));
    const admission = way.kind === 'open' ? admissionOf(run, task, way, now) : null;
    if (admission !== null) return { kind: 'goOn', attempt, admission };
  }
  return null;
}

/** Its wait had a time limit, which has passed. */
function isOverdue({ parking: { parked } }: Attempt, now: number): boolean {
  if (parked === null || parked.until === undefined) return false;
  return waitIsOver(now, parked.at, parked.until - parked.at);
}

/** The run uses all its slots, or `times` as many. */
export function hasAll({ spec, live, parked }: Run, times = 1): boolean {
  return spec !== null && live.size - parked.size >= times * spec.limits.parallelMax;
}
