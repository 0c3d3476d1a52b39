// The branches of the user's repository in the simulated world, and the port that brings a run's work into them. It keeps
// the promises of the real one: tested before it is moved, moved only from where it was, found where it was moved before.

import type { LandResult } from '../../../src/model/land/landing.ts';
import type { LandOrder, LandPort } from '../../../src/ports/land-port.ts';
import { Fault } from '../../../src/std/fault.ts';
import { requireSameOrigin } from './integrations.ts';
import type { World } from './world.ts';

export interface Targets {
  /** Where each branch is. */
  readonly at: Map<string, string>;
  /** Which heads of runs each commit of them holds. */
  readonly holds: Map<string, ReadonlySet<string>>;
}

export function createTargets(): Targets {
  return { at: new Map(), holds: new Map() };
}

type Call = <T>(effect: () => T | Promise<T>, spreadMs?: number, failing?: number) => Promise<T>;

export function landPort(world: World, call: Call): LandPort {
  return {
    async land(order, signal) {
      requireSameOrigin(world, `${order.runId} landing ${order.n}`, order.trailers);
      const merged = await call(() => mergeAndTest(world, order, signal));
      if (typeof merged !== 'string') return merged;
      const [from = '', to = ''] = merged.split(' ');
      return call(() => swap(world, order, from, to, signal));
    },
  };
}

/** Where the branch is and where it will move, or the result of an earlier try. */
function mergeAndTest(world: World, order: LandOrder, signal: AbortSignal): LandResult | string {
  signal.throwIfAborted();
  const { into, head, runId, n, wanted } = order;
  const branch = into ?? '';
  const at = world.targets.at.get(branch) ?? 'target';
  if (world.targets.holds.get(at)?.has(head) === true) return landed(branch, at, at);
  if (!wanted) return ended({ kind: 'stopped' });
  if (into === null || order.openPr) return ended({ kind: 'aside', branch: 'own', commit: head, why: 'asked' });
  if (world.verdict(`dirty ${runId} ${n}`, () => world.chance.hit(0.1)))
    return ended({ kind: 'aside', branch: 'own', commit: head, why: 'dirty' });
  if (world.verdict(`conflict ${at} ${head}`, () => world.chance.hit(0.1)))
    return ended({ kind: 'conflict', branch, paths: ['a.txt'], commit: at });
  const merge = `into(${at},${head})`;
  const passed = world.verdict(`check ${merge}`, () => !world.chance.hit(0.1));
  world.note({ kind: 'targetChecked', runId, commit: merge, passed });
  if (!passed) return ended({ kind: 'failed', branch, items: [{ check: 'check', passed, detail: 'exit 1' }] });
  return `${at} ${merge}`;
}

function swap(world: World, order: LandOrder, from: string, to: string, signal: AbortSignal): LandResult {
  signal.throwIfAborted();
  const { targets, chance } = world;
  const { head, runId, n } = order;
  const branch = order.into ?? '';
  if (world.faulty && chance.hit(0.2)) {
    const moved = `${targets.at.get(branch) ?? 'target'}'`;
    targets.holds.set(moved, targets.holds.get(targets.at.get(branch) ?? 'target') ?? new Set());
    targets.at.set(branch, moved);
    world.note({ kind: 'targetMovedByOthers', branch, to: moved });
  }
  const now = targets.at.get(branch) ?? 'target';
  if (now !== from) return { kind: 'moved', from, to: now };
  targets.holds.set(to, new Set([...(targets.holds.get(from) ?? []), head]));
  targets.at.set(branch, to);
  world.note({ kind: 'targetMoved', runId, n, branch, from, to, head });
  if (world.faulty && chance.hit(0.05)) throw new Fault('git_failed', 'the answer of git was lost (simulated)');
  return landed(branch, from, to);
}

function landed(branch: string, from: string, commit: string): LandResult {
  return ended({ kind: 'landed', branch, commit, from, items: [], checkedOut: false });
}

function ended(outcome: Extract<LandResult, { kind: 'ended' }>['outcome']): LandResult {
  return { kind: 'ended', outcome };
}
