// Integrates works onto a run's branch that is where the journal says: merges them one on top of the other, has the last commit
// tested, finds the works at fault if it fails, and moves the branch once. Nothing is visible before that.

import type { IntegrateOrder, IntegrateResult, IntegrateWork } from '../../ports/integration-port.ts';
import type { CheckSpec, EvidenceItem } from '../../ports/proof-port.ts';
import { unreachable } from '../../std/assert.ts';
import { defined } from '../../std/defined.ts';
import { isFault } from '../../std/fault.ts';
import { isNewSetup } from '../checks/check-setup.ts';
import type { Identity } from '../commands/create-commit.ts';
import { pathText } from '../commands/path-text.ts';
import { openQuarantine, type Quarantine } from '../commands/quarantine.ts';
import type { MoveRef } from '../commands/refs.ts';
import { createTrial, distinct, passed, type Test, type Trial } from '../land/test-commit.ts';
import { type Placed, partnerOf, sortOut } from './batch-bisection.ts';
import { integratedSince } from './integrated-since.ts';
import type { Sign } from './integration-commit.ts';
import { type Joinable, type Joiner, openJoiner, readTree, type Tip } from './merge-work.ts';

export interface IntegratePlace {
  readonly bare: string;
  readonly scratch: string;
  readonly ref: string;
  /** Where the ref is; null: there is none yet. */
  readonly from: string | null;
  readonly test: Test;
  readonly move: MoveRef;
  /** The author of merge commits. */
  readonly identity: Identity;
  readonly sign: Sign | null;
}

export async function integrateBatch(
  { bare, scratch, ref, from, test, move, identity, sign }: IntegratePlace,
  order: IntegrateOrder,
  signal: AbortSignal,
): Promise<IntegrateResult[]> {
  const { head, sandboxed, usualSetup, failuresSince = 0 } = order;
  const works = order.works.filter(({ wanted }) => wanted);
  const quarantine = await openQuarantine({ bare, scratch, like: head });
  const joiner = await openJoiner({ bare, scratch, quarantine, head, works, identity, sign }, signal);
  const testReleased: Test = async (tested) => {
    // Checks see the bare repository alone.
    await quarantine.release();
    return test(tested, signal).catch(async (error: unknown) => {
      // Lockfiles that merge and then cannot be installed are a conflict, not a machine in trouble.
      const before = [head, ...works.map(({ commit }) => commit)];
      if (!isFault(error, 'setup_failed') || !(await isNewSetup(bare, tested.tree, before, usualSetup, signal)))
        throw error;
      return tested.checks.map(({ name: check }) => ({ check, passed: false, detail: error.message }));
    });
  };
  const trial = createTrial({ bare, sandboxed, failuresSince, ...defined({ usualSetup }) }, testReleased, signal);
  const itemsAt = async (tip: Tip<IntegrateWork>): Promise<readonly EvidenceItem[]> =>
    tip.commit === head ? [] : trial(tip, checksAt(order.checks, tip));
  const start: Tip<IntegrateWork> = { commit: head, tree: await readTree(bare, head, signal), works: [] };
  const placed = await sortOut(start, works, {
    async join(tip, work) {
      const joined = await joiner.join(tip, work);
      return joined.kind === 'joined' ? joined.tip : null;
    },
    passes: async (tip) => passed(await itemsAt(tip)),
  });
  const tip = placed.findLast((each) => each.kind === 'integrated')?.tip;
  const items = tip === undefined ? [] : await itemsAt(tip);
  if (tip !== undefined) {
    await quarantine.release();
    await move(bare, ref, { from, to: tip.commit }, signal);
  }
  const yard = { bare, quarantine, joiner, trial, checks: order.checks };
  const told = new Map<IntegrateWork, IntegrateResult>();
  for (const each of placed) told.set(each.work, await resultOf(each, items, yard, signal));
  return order.works.flatMap((work): IntegrateResult[] => {
    const result = told.get(work);
    return [result ?? { attemptId: work.attemptId, kind: 'withdrawn' }];
  });
}

interface Yard {
  readonly bare: string;
  readonly quarantine: Quarantine;
  readonly joiner: Joiner<IntegrateWork>;
  readonly trial: Trial;
  readonly checks: readonly CheckSpec[];
}

async function resultOf(
  placed: Placed<IntegrateWork, Tip<IntegrateWork>>,
  items: readonly EvidenceItem[],
  { bare, quarantine, joiner, trial, checks }: Yard,
  signal: AbortSignal,
): Promise<IntegrateResult> {
  const { work, tip } = placed;
  const { attemptId, base } = work;
  switch (placed.kind) {
    case 'integrated':
      return { attemptId, kind: 'integrated', commit: tip.commit, tree: tip.tree, items };
    case 'conflict': {
      const joined = await joiner.join(tip, work);
      const names = joined.kind === 'conflict' ? joined.names : [];
      const integrations = await integratedSince({ base, tip: tip.commit, names }, quarantine, signal);
      const others = new Set(integrations.flatMap((each) => each.attemptId ?? []));
      const paths = names.slice(0, pathsMax).map(pathText);
      return { attemptId, kind: 'conflict', paths, pathsTotal: names.length, with: [...others].slice(-othersMax) };
    }
    case 'failed': {
      const all = checksAt(checks, placed.joined);
      const failed = await trial(placed.joined, all);
      const failing = all.filter((_, at) => failed[at]?.passed === false);
      const partner = await partnerIn({ bare, work, tip, checks: failing }, joiner, trial, quarantine, signal);
      return { attemptId, kind: 'failed', items: failed, with: partner };
    }
    default:
      return unreachable(placed);
  }
}

/** How many paths and how many other attempts a conflict lists. */
const pathsMax = 100;
const othersMax = 100;

interface PartnerOrder<Work extends Joinable> {
  readonly bare: string;
  readonly work: Work;
  /** Where the work fails. */
  readonly tip: Tip<Work>;
  /** The checks that fail. */
  readonly checks: readonly CheckSpec[];
}

/** The attempt whose integration since the work's base makes it fail; null: it fails by itself. */
async function partnerIn<Work extends Joinable>(
  { bare, work, tip, checks }: PartnerOrder<Work>,
  { join }: Joiner<Work>,
  trial: Trial,
  quarantine: Quarantine,
  signal: AbortSignal,
): Promise<string | null> {
  const integrations = await integratedSince({ base: work.base, tip: tip.commit }, quarantine, signal);
  const placeAfter = async (count: number): Promise<Tip<Work>> => {
    const { commit, tree } = integrations[count - 1] ?? {
      commit: work.base,
      tree: await readTree(bare, work.base, signal),
    };
    return { commit, tree, works: [] };
  };
  const found = await partnerOf(integrations.length, {
    async withWork(count) {
      const joined = await join(await placeAfter(count), work);
      return joined.kind === 'joined' && passed(await trial(joined.tip, checks));
    },
    without: async (count) => passed(await trial(await placeAfter(count), checks)),
  });
  return found === null ? null : (integrations[found - 1]?.attemptId ?? null);
}

/** The checks that must pass at a tip. */
export function checksAt(checks: readonly CheckSpec[], { works }: Tip<IntegrateWork>): CheckSpec[] {
  return distinct([...checks, ...works.flatMap((work) => work.checks)]);
}
