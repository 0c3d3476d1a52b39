// Lands a run's branch in a branch of the user's repository: merged with it in a repository of ours, tested there on
// exactly that tree, and only then moved. Each call is one try. Its intentions are kept at refs of ours, so a repeated
// try finds what an earlier one did, wherever that was interrupted.

import type { LandOrder, LandResult } from '../../ports/land-port.ts';
import type { EvidenceItem } from '../../ports/proof-port.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { openLayout, projectOf } from '../commands/layout.ts';
import { createQueueTurns } from '../commands/queue-turns.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { inspectRepository } from '../project/user-repository.ts';
import { branchOfSteps } from './chosen-steps.ts';
import { withStart } from './conflict-start.ts';
import { flawOfUnsigned, type Noted, noteAgain, noteCommits } from './landed-notes.ts';
import {
  bringTip,
  hasLanded,
  keep,
  keptRef,
  type Prepared,
  prepareCommits,
  readKept,
  testCommit,
} from './landing-merge.ts';
import { ended, type LandingsOptions, refused, type Trial } from './landing-order.ts';
import { bringObjects, isPartOf, type Place, putAside, swapBranch, type Unmoved } from './move-branch.ts';
import { type CheckoutMove, completeMove, forgetMove, moveCheckout } from './move-checkout.ts';
import { removeOwnBranches } from './own-branches.ts';
import { findTarget, type Target } from './target-branch.ts';

export interface Landings {
  land(order: LandOrder, signal: AbortSignal): Promise<LandResult>;
}

export function createLandings(options: LandingsOptions): Landings {
  const takeTurns = createQueueTurns();
  return {
    land: (order, signal) => {
      const { repo, into, at } = order;
      return takeTurns(JSON.stringify([repo, into]), at, () => land(options, order, signal), signal);
    },
  };
}

async function land(options: LandingsOptions, asked: LandOrder, signal: AbortSignal): Promise<LandResult> {
  signal.throwIfAborted();
  const layout = await openLayout(options.root);
  const bare = await projectOf(layout, asked.attemptId);
  if (bare === null) throw new Fault('git_failed', `run ${asked.runId} has no saved work, so it cannot land`);
  return withScratch(layout.scratch, async (scratch) => {
    const chosen = asked.steps === undefined ? asked : await branchOfSteps({ bare, scratch }, asked.steps, signal);
    if (typeof chosen === 'string') return refused(chosen);
    const order = { ...asked, head: chosen.head };
    const trial = { options, order, bare, scratch, passing: options.passing ?? noop };
    if (order.into === null) return order.wanted ? onItsOwn(trial, signal) : stopped;
    const target = await findTarget(order.repo, order.into, options.user, signal);
    if (typeof target === 'string') return refused(target);
    await bringTip(bare, target, signal);
    const result =
      (await foundDone(trial, target, signal)) ?? (order.wanted ? await tryOnce(trial, target, signal) : stopped);
    if (result.kind === 'ended' && result.outcome.kind === 'landed') {
      await removeOwnBranches(trial, target.root, [order.head, result.outcome.commit], signal);
    }
    return result;
  });
}

const stopped: LandResult = { kind: 'ended', outcome: { kind: 'stopped' } };

function noop(): void {}

/** What an earlier try, or another program, has done already. */
async function foundDone(trial: Trial, target: Target, signal: AbortSignal): Promise<LandResult | null> {
  const { bare } = trial;
  const { from, to } = await readKept(trial, signal);
  if (from !== null && to !== null) {
    const move = moveOf(trial, target, from, to);
    if (await isPartOf(bare, to, target.tip, signal)) {
      if (move !== null) await completeMove(move);
      const noted = await noteAgain(trial, { ...target, tip: from }, to, signal);
      return landed(target, { from, to, ...noted }, await testCommit(trial, to, signal), move !== null);
    }
    if (move !== null) await forgetMove(move);
  }
  return (await hasLanded(trial, target.tip, signal)) ? hadAll(target) : null;
}

function hadAll(target: Target): LandResult {
  return landed(target, { from: target.tip, to: target.tip, count: 0, notes: [] }, [], false);
}

async function tryOnce(trial: Trial, target: Target, signal: AbortSignal): Promise<LandResult> {
  const { order, passing } = trial;
  const { tip: from, branch, ref, root } = target;
  const prepared = await prepareCommits(trial, target, signal);
  if ('kind' in prepared) return withStart(trial, target, prepared, signal);
  const { to } = prepared;
  if (to === from) return hadAll(target);
  const unsigned = await flawOfUnsigned(trial, root, signal);
  if (unsigned !== null) return refused(unsigned);
  passing('merged');
  const items = await testCommit(trial, to, signal).catch((error: unknown) => {
    if (isFault(error, 'setup_failed')) return error.message;
    throw error;
  });
  if (typeof items === 'string') return refused(items);
  if (items.some(({ passed }) => !passed)) return ended({ kind: 'failed', branch, items });
  passing('tested');
  await keep(trial, { from, to }, signal);
  passing('kept');
  const why = reasonForAside(order, target);
  if (why !== null) return aside(trial, root, prepared, why, signal);
  await bringObjects(placeOf(trial, root), signal);
  const swap = (): Promise<Unmoved | null> =>
    swapBranch(placeOf(trial, root), { ref, from, to, why: reasonOf(order) }, signal);
  const move = moveOf(trial, target, from, to);
  const end = move === null ? await swap() : await moveCheckout(move, swap, signal);
  passing('landed');
  if (end === null || end.kind === 'moved') {
    const noted = await noteCommits(trial, root, prepared, signal);
    passing('noted');
    return landed(target, { from, to, ...noted }, items, move !== null);
  }
  if (end.kind === 'unfit') return aside(trial, root, prepared, `${checkedOutWords(target)}, which ${end.why}`, signal);
  if (end.kind === 'forbidden') return refused(`${root} does not let ${branch} be moved: ${end.words}`);
  return end.to === null ? refused(`branch ${branch} of ${root} is gone`) : { kind: 'moved', from, to: end.to };
}

function reasonForAside({ openPr, mayMoveCheckout }: LandOrder, target: Target): string | null {
  if (openPr) return 'it is for a pull request';
  return target.checkout === null || mayMoveCheckout ? null : checkedOutWords(target);
}

function checkedOutWords({ branch, checkout }: Target): string {
  return `${branch} is checked out in ${checkout?.path}`;
}

/** How the branch's checkout moves with it; null = it has none, or it must be left alone. */
function moveOf(trial: Trial, { checkout }: Target, from: string, to: string): CheckoutMove | null {
  const { bare, order, options, passing } = trial;
  if (checkout === null || !order.mayMoveCheckout || order.openPr) return null;
  const mark = `signalbox ${order.runId} ${order.n}\n`;
  return { checkout, bare, from, to, user: options.user, mark, passing };
}

/** No branch was named: the work goes to a branch of its own. */
async function onItsOwn(trial: Trial, signal: AbortSignal): Promise<LandResult> {
  const { order } = trial;
  let root: string;
  try {
    ({ root } = await inspectRepository(order.repo, signal));
  } catch (error) {
    if (isFault(error, 'not_a_repository')) return refused(error.message);
    throw error;
  }
  const prepared = await prepareCommits(trial, { tip: order.base, branch: 'of its own', root }, signal);
  return 'kind' in prepared ? prepared : aside(trial, root, prepared, 'no branch was named', signal);
}

/** Puts the work on a branch of its own. */
async function aside(
  trial: Trial,
  root: string,
  prepared: Prepared,
  why: string,
  signal: AbortSignal,
): Promise<LandResult> {
  const { order, passing } = trial;
  const { to: commit } = prepared;
  await keep(trial, { from: null, to: commit }, signal);
  const put = await putAside(placeOf(trial, root), { name: order.name, commit, why: reasonOf(order) }, signal);
  passing('put aside');
  if ('forbidden' in put) return refused(`${root} does not let a branch be made: ${put.forbidden}`);
  await noteCommits(trial, root, prepared, signal);
  return ended({ kind: 'aside', branch: put.branch, commit, why });
}

function placeOf({ bare, order, options }: Trial, root: string): Place {
  return { root, bare, keptAt: keptRef(order, 'to'), user: options.user };
}

/** For the log of the branch. */
function reasonOf({ name }: LandOrder): string {
  return `signalbox: ${name.replaceAll(/[\0\n]/g, ' ')}`;
}

interface Landed extends Noted {
  readonly from: string;
  readonly to: string;
}

function landed(
  { branch }: Target,
  { from, to: commit, count, notes }: Landed,
  items: readonly EvidenceItem[],
  checkedOut: boolean,
): LandResult {
  const more = notes.length === 0 ? {} : { notes };
  return ended({ kind: 'landed', branch, commit, from, items, checkedOut, count, ...more });
}
