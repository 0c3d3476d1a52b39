// The model's service as simulated agents meet it: each line to it may be closed for a while, in the ways in which real ones
// are. A healed one serves everybody.

import type { Chance, Scheduler } from './scheduler.ts';

export interface Refusal {
  /** Of HTTP. */
  readonly status: 429 | 500 | 529;
  /** The account's quota is exhausted. */
  readonly quota: boolean;
  /** Until when, if the service says so. */
  readonly toldUntil: number | null;
}

export interface Accounts {
  /** null: it answers. */
  refusal(line: string): Refusal | null;
  heal(): void;
}

/** `trouble`: how often a line that serves closes, of all requests. */
export function createAccounts(scheduler: Scheduler, chance: Chance, trouble: number): Accounts {
  const closed = new Map<string, { readonly refusal: Refusal; readonly until: number }>();
  let healed = false;
  return {
    refusal(line) {
      const open = closed.get(line);
      if (open !== undefined && scheduler.now < open.until) return open.refusal;
      if (healed || !chance.hit(trouble)) return null;
      const { status, quota, maxMs } = chance.pick(troubles);
      const until = Math.ceil(scheduler.now) + chance.int(500, maxMs);
      const refusal = { status, quota, toldUntil: quota && chance.hit(0.7) ? until : null };
      closed.set(line, { refusal, until });
      return refusal;
    },
    heal() {
      healed = true;
      closed.clear();
    },
  };
}

const troubles = [
  { status: 429, quota: false, maxMs: 20_000 },
  { status: 429, quota: false, maxMs: 3_000 },
  { status: 529, quota: false, maxMs: 10_000 },
  { status: 500, quota: false, maxMs: 30_000 },
  { status: 429, quota: true, maxMs: 600_000 },
] as const;
