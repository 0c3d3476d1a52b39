// Virtual time and chance. Everything asynchronous in the simulated world is an item in this queue; its order is
// drawn from the seed, so a seed is a whole history.

import type { Clock } from '../../../src/std/clock.ts';
import { createHeap } from '../../../src/std/heap.ts';

export interface Chance {
  /** A float in [0, 1). */
  next(): number;
  /** An integer in [from, to]. */
  int(from: number, to: number): number;
  /** true with probability p. */
  hit(p: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: small, fast, good enough to shuffle a schedule. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { next, int, hit: (p) => next() < p, pick: (items) => items[int(0, items.length - 1)] as never };
}

export interface Scheduler {
  /** True time, which only goes on. */
  readonly now: number;
  readonly steps: number;
  after(ms: number, action: () => void): Scheduled;
  /** One item, then everything that follows from it. false when nothing is left. */
  step(): Promise<boolean>;
}

export interface Scheduled {
  cancel(): void;
}

const turnsPerStep = 8;
const jumpMs = 200;
const ended = Promise.resolve();

/** `patient`: before much time passes, all that was begun comes to its end. */
export function createScheduler(chance: Chance, patient = false): Scheduler {
  const queue = createHeap<{ at: number; tie: number; action: (() => void) | null }>(
    (a, b) => a.at - b.at || a.tie - b.tie,
  );
  let now = 1_700_000_000_000;
  let steps = 0;
  return {
    get now() {
      return now;
    },
    get steps() {
      return steps;
    },
    after(ms, action) {
      // Items of the same time run in an order of chance: nothing may rely on another.
      const item = { at: now + Math.max(0, ms), tie: chance.next(), action: action as (() => void) | null };
      queue.push(item);
      return {
        cancel() {
          item.action = null;
        },
      };
    },
    async step() {
      for (;;) {
        const next = queue.peek();
        if (patient && next !== undefined && next.at - now > jumpMs)
          await new Promise((resolve) => setImmediate(resolve));
        const item = queue.pop();
        if (item === undefined) {
          // Nothing is queued, but what the last item began may not have come to its end.
          await new Promise((resolve) => setImmediate(resolve));
          if (queue.size === 0) return false;
          continue;
        }
        if (item.action === null) continue;
        now = item.at;
        steps += 1;
        item.action();
        // Everything in a simulation follows by promises alone. Whatever takes more turns than these goes on among
        // the next items, as it might in the world; the order is the same each time.
        for (let turn = 0; turn < turnsPerStep; turn++) await ended;
        return true;
      }
    },
  };
}

/** A clock as an engine sees it: off by `skew`, which faults change, and with wakes that may come early or twice. */
export function createClock(scheduler: Scheduler, chance: Chance, faulty: () => boolean): Clock & { skew: number } {
  return {
    skew: 0,
    now() {
      return Math.floor(scheduler.now) + this.skew;
    },
    wake(at, callback) {
      const wait = Math.max(0, at - this.now());
      const early = faulty() && chance.hit(0.05);
      const item = scheduler.after(early ? chance.next() * wait : wait, () => {
        callback();
        if (faulty() && chance.hit(0.05)) callback();
      });
      return () => item.cancel();
    },
  };
}
