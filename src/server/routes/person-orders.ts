// Sends commands of people to the engine, and checks that the agents they would start can run here.

import type { Engine } from '../../engine/engine.ts';
import type { Command } from '../../model/core/command.ts';
import type { RunId, TaskId } from '../../model/core/ids.ts';
import { Fault } from '../../std/fault.ts';
import { Refused } from '../http/http.ts';
import type { Served } from './route-context.ts';

export async function sendOrder(engine: Engine, runId: RunId, asked: Command): Promise<void> {
  const outcome = await engine.send(runId, asked);
  if (outcome.kind === 'accepted' || outcome.refusal.kind === 'stale') return;
  if (outcome.refusal.kind === 'unknown') throw new Fault('not_found', outcome.refusal.reason);
  throw new Refused(outcome.refusal.reason);
}

/** Refuses to reopen tasks whose agents cannot run here. `taskId`: also checks the tasks skipped because of it. */
export async function requireFitFor(
  { engine, requireFit }: Served,
  runId: RunId,
  taskId: TaskId | null,
): Promise<void> {
  const harnesses = await engine.lookRun(runId, (run) =>
    Array.from(run?.tasks.values() ?? [])
      .filter(({ spec, outcome }) => spec.id === taskId || outcome?.kind === 'skipped' || taskId === null)
      .filter(({ outcome }) => outcome !== null && outcome.kind !== 'succeeded')
      .map(({ spec }) => spec.harness),
  );
  for (const harness of new Set(harnesses)) await requireFit(harness);
}

/** Refuses to interrupt an agent that has no order for it: a signal would end more than its turn. */
export async function requireInterruptible(
  { engine, canInterrupt }: Served,
  runId: RunId,
  taskId: TaskId,
): Promise<void> {
  const harness = await engine.lookRun(runId, (run) => run?.tasks.get(taskId)?.spec.harness);
  if (harness === undefined || canInterrupt(harness)) return;
  throw new Refused(`agents of "${harness}" cannot be interrupted: signalbox stop ends them, and keeps their work`);
}
