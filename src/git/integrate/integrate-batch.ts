// Lands works on a branch that is where the record says: merges them one on the other, has the last tested, finds those at
// fault where it does not pass, and moves the branch once. Until then nothing of it is to be seen.

import type { IntegrateOrder, IntegrateResult, IntegrateWork } from '../../ports/integration-port.ts';
import type { CheckSpec, EvidenceItem } from '../../ports/proof-port.ts';
import { unreachable } from '../../std/assert.ts';
import { type Identity } from '../commands/create-commit.ts';
import { pathText } from '../commands/path-text.ts';
import { openQuarantine, type Quarantine } from '../commands/quarantine.ts';
import type { MoveRef } from '../commands/refs.ts';
import { createTrial, passed, type Test, type Trial } from '../land/test-commit.ts';
import { type Placed, sortOut } from './batch-bisection.ts';
import { partnerIn } from './conflict-partner.ts';
import { integratedSince } from './integrated-since.ts';
import type { Sign } from './integration-commit.ts';
import { checksAt } from './integration-order.ts';
import { type Joiner, openJoiner, readTree, type Tip } from './merge-work.ts';

export interface IntegratePlace {
  readonly bare: string;
  readonly scratch: string;
  readonly ref: string;
  /** Where the ref is; null: there is none yet. */
  readonly from: string | null;
  readonly test: Test;
  readonly move: MoveRef;
  /** In whose name work is merged. */
  readonly identity: Identity;
  readonly sign: Sign | null;
}

export async function integrateBatch(
  { bare, scratch, ref, from, test, move, identity, sign }: IntegratePlace,
  order: IntegrateOrder,
  signal: AbortSignal,
): Promise<IntegrateResult[]> {
  const { head, sandboxed, failuresSince = 0 } = order;
  const works = order.works.filter(({ wanted }) => wanted);
  const quarantine = await openQuarantine({ bare, scratch, like: head });
  const joiner = await openJoiner({ bare, scratch, quarantine, head, works, identity, sign }, signal);
  const testReleased: Test = async (tested) => {
    // Checks see the bare repository alone.
    await quarantine.release();
    return test(tested, signal);
  };
  const trial = createTrial({ bare, sandboxed, failuresSince }, testReleased, signal);
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

/** How many paths a conflict lists, and how many others. */
const pathsMax = 100;
const othersMax = 100;
