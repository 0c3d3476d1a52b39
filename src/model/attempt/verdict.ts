// The verdict on an attempt: first on the work, by what process and agent reported, then on its evidence.

import type { Attempt } from '../core/attempt.ts';
import type { EvidenceItem, Verdict } from '../core/events.ts';
import { type FailureReason, isFailure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import type { Turn } from '../session/agent-fact.ts';
import { type Printed, printedBy } from '../session/check-output.ts';
import { outputProblems } from './typed-output.ts';

/** Whether the task needs evidence: it has checks to run, or paths to stay within. */
export function needsProof({ checks, writes, keeps }: TaskSpec): boolean {
  return keeps && (checks.length > 0 || writes !== null);
}

/** The name of the evidence that a task stayed within its write-set; no check can have this name. */
export const writeSetProof = 'write set';

/** Every check needs passing evidence; missing evidence counts as a failed check. */
export function evidenceVerdict({ checks, writes }: TaskSpec, items: readonly EvidenceItem[]): Verdict {
  const inside = items.find(({ check }) => check === writeSetProof);
  if (writes !== null && inside?.passed !== true) {
    return failed('out-of-scope', inside?.detail ?? 'nobody looked which paths it changed');
  }
  for (const check of checks) {
    // Two checks may share a name: neither is proved by the other's evidence.
    const named = items.filter((each) => each.check === check.name);
    const wanted = checks.filter(({ name }) => name === check.name).length;
    const item = named.find(({ passed }) => !passed) ?? named[wanted - 1];
    if (item?.passed === true) continue;
    const why = item === undefined ? 'was not run' : item.detail;
    return failed('check-failed', `check "${check.name}": ${why}`, printedBy(item));
  }
  return { kind: 'ok' };
}

/** The verdict by what process and agent reported. Our own reasons to stop come first, then the agent's report. */
export function workVerdict(run: Run, attempt: Attempt, turn: Turn | null, status: number | null): Verdict {
  if (attempt.stop !== null && isFailure(attempt.stop.reason))
    return stopVerdict(attempt.stop, attempt.launches.stalls);
  if (turn?.kind === 'ok') {
    const problems = outputProblems(run, attempt, attempt.result.output);
    return problems.length === 0 ? { kind: 'ok' } : failed('invalid-output', `its output: ${problems.join('; ')}`);
  }
  if (turn?.kind === 'failed') return { kind: 'failed', failure: turn.failure };
  if (status === null) return failed('lost', `contact was lost ${attempt.launches.count} times`);
  return failed('crash', `the agent ended with status ${status} and without a result`);
}

export function stopVerdict({ reason, detail }: NonNullable<Attempt['stop']>, stalls = 0): Verdict {
  if (!isFailure(reason)) return { kind: 'ok' };
  const again = reason === 'stall' && stalls > 1 ? `; it had been started again ${stalls - 1} times` : '';
  return failed(reason, detail + again);
}

function failed(reason: FailureReason, detail: string, printed: Printed = {}): Verdict {
  return { kind: 'failed', failure: { reason, detail, ...printed } };
}
