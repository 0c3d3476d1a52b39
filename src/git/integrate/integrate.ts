// Integrates works onto the branch of their run: a ref in the project's bare repository that moves forward only, by
// compare-and-swap, to commits that have passed as they are. The same order gives the same commits, so it may be
// repeated after a crash at any point.

import type { IntegrateOrder, IntegrateResult, IntegrateWork } from '../../ports/integration-port.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import { createTurns } from '../../std/keyed-queue.ts';
import { type Identity, usualIdentity } from '../commands/create-commit.ts';
import { isCommitId } from '../commands/git.ts';
import { branchRefOf, type Layout, openLayout, projectOf } from '../commands/layout.ts';
import { type MoveRef, readRef, writeRef } from '../commands/refs.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { createTrial, type Test } from '../land/test-commit.ts';
import { checksAt, integrateBatch } from './integrate-batch.ts';
import { integratedBefore } from './integrated-before.ts';
import type { Sign } from './integration-commit.ts';
import { type OverlapOrder, overlappingRuns } from './overlapping-runs.ts';

export interface IntegrationsOptions {
  /** The root of the workspaces. */
  readonly root: string;
  readonly test: Test;
  /** How the branch is moved: tests interrupt it before and after. */
  readonly move?: MoveRef;
  /** The author of merge commits. */
  readonly identity?: Identity;
  readonly sign?: Sign;
}

export interface Integrations {
  /** The branch of a run, as a ref of the bare repository. */
  ref(runId: string): string;
  integrate(order: IntegrateOrder, signal: AbortSignal): Promise<readonly IntegrateResult[]>;
}

export function createIntegrations(options: IntegrationsOptions): Integrations {
  const takeTurns = createTurns();
  return {
    ref: branchRefOf,
    integrate: async (order, signal) => {
      const ref = branchRefOf(order.runId);
      for (const id of [order.head, ...order.works.flatMap(({ commit, base }) => [commit, base])]) {
        if (!isCommitId(id)) throw new Fault('bad_request', `${JSON.stringify(id)} is not the id of a commit`);
      }
      return takeTurns(ref, () => integrate(options, ref, order, signal), signal);
    },
  };
}

async function integrate(
  options: IntegrationsOptions,
  ref: string,
  order: IntegrateOrder,
  signal: AbortSignal,
): Promise<IntegrateResult[]> {
  signal.throwIfAborted();
  const layout = await openLayout(options.root);
  const bare = await projectOfAll(layout, order.works);
  if (bare === null) return [];
  const from = await readRef(bare, ref, signal);
  if (from !== null && from !== order.head) return tellIntegrated(options, { bare, ref, at: from }, order, signal);
  const { test, move = writeRef, identity = usualIdentity, sign = null } = options;
  const results = await withScratch(layout.scratch, (scratch) =>
    integrateBatch({ bare, scratch, ref, from, test, move, identity, sign }, order, signal),
  );
  return withScratch(layout.scratch, (scratch) => withOverlaps({ bare, scratch, ref }, results, signal));
}

/** The last that was integrated says which other runs change the same lines as the branch does now. */
async function withOverlaps(
  place: Omit<OverlapOrder, 'head'>,
  results: IntegrateResult[],
  signal: AbortSignal,
): Promise<IntegrateResult[]> {
  const last = results.findLast((each) => each.kind === 'integrated');
  if (last?.kind !== 'integrated') return results;
  const overlaps = await overlappingRuns({ ...place, head: last.commit }, signal);
  return overlaps.length === 0 ? results : results.map((each) => (each === last ? { ...last, overlaps } : each));
}

/** All works of a branch belong to one project. */
async function projectOfAll(layout: Layout, works: readonly IntegrateWork[]): Promise<string | null> {
  let bare: string | null = null;
  for (const { attemptId } of works) {
    const found = await projectOf(layout, attemptId);
    if (found === null)
      throw new Fault('git_failed', `attempt ${attemptId} has no saved work, so it cannot be integrated`);
    bare ??= found;
    if (found !== bare) throw new Fault('bad_request', `attempt ${attemptId} belongs to another project: ${found}`);
  }
  return bare;
}

/** After a crash: reports what is on the branch and does nothing more, because the journal has to know of it first. */
async function tellIntegrated(
  { test }: IntegrationsOptions,
  place: { readonly bare: string; readonly ref: string; readonly at: string },
  { head, works, checks, sandboxed, usualSetup, failuresSince = 0 }: IntegrateOrder,
  signal: AbortSignal,
): Promise<IntegrateResult[]> {
  const { bare } = place;
  const { tip, integrated } = await integratedBefore({ ...place, head, works }, signal);
  const items = await createTrial(
    { bare, sandboxed, failuresSince, ...defined({ usualSetup }) },
    test,
    signal,
  )(tip, checksAt(checks, tip));
  return works.flatMap((work): IntegrateResult[] => {
    const { attemptId, wanted } = work;
    const found = integrated.get(work);
    if (found !== undefined) return [{ attemptId, kind: 'integrated', ...found, items }];
    return wanted ? [] : [{ attemptId, kind: 'withdrawn' }];
  });
}
