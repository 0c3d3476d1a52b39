// The integration queue of a run's branch: its order, the checks that must pass on each tree of the branch, and the possible
// results.

import type { StoredArtifact } from '../attempt/artifact.ts';
import type { Attempt } from '../core/attempt.ts';
import type { EvidenceItem } from '../core/events.ts';
import type { AttemptId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import type { CheckSpec } from '../core/spec.ts';
import type { Overlap } from './integration-state.ts';

/** The result of integrating one attempt's work. For an attempt without a result nothing is known yet. */
export type IntegrateResult<Id extends string = AttemptId> = { readonly attemptId: Id } & (
  | {
      readonly kind: 'integrated';
      /** The commit that integrated it, with its tree, and the evidence about the final tree of the branch. */
      readonly commit: string;
      readonly tree: string;
      readonly items: readonly EvidenceItem[];
      /** Other runs that change the same lines; left out = none was found. */
      readonly overlaps?: readonly Overlap[];
    }
  | {
      readonly kind: 'conflict';
      /** At most so many; `pathsTotal` counts all. */
      readonly paths: readonly string[];
      readonly pathsTotal: number;
      readonly with: readonly Id[];
      /** The whole conflict is stored. */
      readonly stored?: StoredArtifact;
    }
  | {
      readonly kind: 'failed';
      readonly items: readonly EvidenceItem[];
      readonly with: Id | null;
      readonly stored?: StoredArtifact;
    }
  /** It was no longer wanted, and was not integrated. */
  | { readonly kind: 'withdrawn' }
);

/** By priority, then in the order in which they were verified. The needs of a task were integrated before it began. */
export function integrationQueue(run: Run): readonly Attempt[] {
  const priority = ({ taskId }: Attempt): number => taskOf(run, taskId).spec.priority;
  return [...run.integration.queue.values()].sort((a, b) => priority(b) - priority(a));
}

/** How many are tried together. */
export const batchMax = 64;

/** Checks that every tree of the branch must pass: those of the plan, else the checks of all integrated work. */
export function integrationChecks(run: Run): readonly CheckSpec[] {
  return run.spec?.integration?.checks ?? [...run.integration.checks.values()];
}

/** Further checks once this work is integrated. Before, they may need files that only this work brings. */
export function checksWith(run: Run, { taskId }: Attempt): readonly CheckSpec[] {
  return run.spec?.integration?.checks === undefined ? taskOf(run, taskId).spec.checks : [];
}

export function addChecks(to: Map<string, CheckSpec>, checks: readonly CheckSpec[]): void {
  for (const check of checks) {
    const key = JSON.stringify(check.argv);
    if (!to.has(key)) to.set(key, check);
  }
}
