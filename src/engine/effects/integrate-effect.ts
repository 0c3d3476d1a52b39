// The effect that integrates verified work: everything in the run's integration queue, in its order.

import { breakOffReason } from '../../model/attempt/stopping.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import type { Command } from '../../model/core/command.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run } from '../../model/core/run.ts';
import { conflictOf, conflictValue } from '../../model/integrate/conflict.ts';
import {
  batchMax,
  checksWith,
  type IntegrateResult,
  integrationChecks,
  integrationQueue,
} from '../../model/integrate/integration-queue.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { IntegrateWork } from '../../ports/integration-port.ts';
import { must } from '../../std/assert.ts';
import { defined } from '../../std/defined.ts';
import { provenanceOf } from './provenance.ts';

interface Context {
  readonly ports: Ports;
  readonly run: Run;
  readonly signal: AbortSignal;
}

export async function integrate({ ports, run, signal }: Context): Promise<Command> {
  const { id: runId, setup: usualSetup } = must(run.spec, 'a run that works is created');
  const attempts = integrationQueue(run).slice(0, batchMax);
  const {
    integration: { head },
  } = run;
  // Read everything at once: after an await the run may show what is not stored yet.
  const works = attempts.map((attempt) => workOf(run, attempt));
  const order = {
    runId,
    head,
    checks: integrationChecks(run),
    failuresSince: Math.max(...attempts.map(({ taskId }) => taskOf(run, taskId).tries.forgivenAt)),
    // Checks run agents' code: where one of the agents had a sandbox, the checks get one.
    sandboxed: attempts.some(({ taskId }) => taskOf(run, taskId).spec.sandbox === 'workspace'),
    ...defined({ usualSetup }),
  };
  const trailers = await Promise.all(attempts.map((attempt) => provenanceOf(ports, run, attempt)));
  const told = works.map((work, i): IntegrateWork => ({ ...work, trailers: trailers[i] ?? [] }));
  const results = await ports.integrations.integrate({ ...order, works: told }, signal);
  // Every returned id was given in the order or stands in a commit of ours.
  const stored = await storeConflicts(ports, run, results as readonly IntegrateResult[]);
  return { type: 'integrated', from: head, results: stored };
}

/** A conflict is stored as an artifact before an event names it: the agent that fixes it gets all of it. */
async function storeConflicts(ports: Ports, run: Run, results: readonly IntegrateResult[]): Promise<IntegrateResult[]> {
  const told: IntegrateResult[] = [];
  let {
    integration: { head },
  } = run;
  for (const result of results) {
    if (result.kind === 'integrated') head = result.commit;
    const attempt = run.integration.queue.get(result.attemptId);
    const isConflict = result.kind === 'conflict' || (result.kind === 'failed' && result.with !== null);
    if (!isConflict || attempt === undefined) {
      told.push(result);
      continue;
    }
    const conflict = { ...conflictOf(run, attempt, result), head };
    const value = conflictValue(run, taskOf(run, attempt.taskId), conflict);
    const { id: artifactId, bytes } = await ports.artifacts.put('conflict', value);
    told.push({ ...result, stored: { artifactId, kind: 'conflict', bytes } });
  }
  return told;
}

function workOf(run: Run, attempt: Attempt): Omit<IntegrateWork, 'trailers'> {
  const {
    id: attemptId,
    origin: { base },
    startedAt: at,
    workspace,
  } = attempt;
  const { name: title } = taskOf(run, attempt.taskId).spec;
  const wanted = breakOffReason(run, attempt) === null;
  const checks = checksWith(run, attempt);
  return { attemptId, commit: workspace.commit, base, wanted, title, at, checks };
}
