// The queue of a run's branch: whose work comes next, what must pass on each tree that the branch is to have, and what can
// become of each.

import type { StoredArtifact } from '../attempt/artifact.ts';
import type { Attempt } from '../core/attempt.ts';
import type { EvidenceItem } from '../core/events.ts';
import type { AttemptId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import type { CheckSpec } from '../core/spec.ts';

/** What became of one work of those that were to be integrated. Of one that is not named nothing is known yet. */
export type IntegrateResult<Id extends string = AttemptId> = { readonly attemptId: Id } & (
  | {
      readonly kind: 'integrated';
      /** By which the branch got it, with its tree; and what was proved of the tree that the branch came to. */
      readonly commit: string;
      readonly tree: string;
      readonly items: readonly EvidenceItem[];
    }
  | {
      readonly kind: 'conflict';
      /** At most so many; all are `pathsTotal`. */
      readonly paths: readonly string[];
      readonly pathsTotal: number;
      readonly with: readonly Id[];
      /** All of it is stored. */
      readonly stored?: StoredArtifact;
    }
  | {
      readonly kind: 'failed';
      readonly items: readonly EvidenceItem[];
      readonly with: Id | null;
      readonly stored?: StoredArtifact;
    }
  /** It was not to be integrated any more, and has not. */
  | { readonly kind: 'withdrawn' }
);

/** By priority, then in the order in which they were good. What a task needs has been integrated before it began. */
export function integrationQueue(run: Run): readonly Attempt[] {
  const priority = ({ taskId }: Attempt): number => taskOf(run, taskId).spec.priority;
  return [...run.integration.queue.values()].sort((a, b) => priority(b) - priority(a));
}

/** How many are tried together. */
export const batchMax = 64;

/** What has to hold wherever the branch comes to: what the plan says, else the checks of all work that is on it. */
export function integrationChecks(run: Run): readonly CheckSpec[] {
  return run.spec?.integration?.checks ?? [...run.integration.checks.values()];
}

/** What has to hold as well from where this work is on it. Before, its checks may look for what only it brings. */
export function checksWith(run: Run, { taskId }: Attempt): readonly CheckSpec[] {
  return run.spec?.integration?.checks === undefined ? taskOf(run, taskId).spec.checks : [];
}

export function addChecks(to: Map<string, CheckSpec>, checks: readonly CheckSpec[]): void {
  for (const check of checks) {
    const key = JSON.stringify(check.argv);
    if (!to.has(key)) to.set(key, check);
  }
}
