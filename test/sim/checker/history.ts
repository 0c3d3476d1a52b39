// What the checker is given: everything that was stored and everything that happened, in one order.

import type { WorldEntry } from '../world/world-entries.ts';

export interface History {
  /** Every stream's events in order. */
  readonly streams: ReadonlyMap<string, readonly HistoryEvent[]>;
  readonly world: readonly WorldEntry[];
  /** For each append the index in `world` before which it became durable, and the new heads of its streams. */
  readonly commits: readonly HistoryCommit[];
  /** true when the simulation ended with everything at rest after the world was healed. */
  readonly ended: boolean;
  /** What the engine says was spent: by each run, task and tree (as `run_1`, `task task_a`, `tree task_a`) and by all. */
  readonly books?: ReadonlyMap<string, BookData>;
}

export interface BookData {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheWriteTokens: number;
  readonly costMicroUsd: number;
  readonly unknownCosts: number;
  readonly turns: number;
  readonly timeMs: number;
}

export interface HistoryEvent {
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  readonly prevHash: string;
  readonly hash: string;
}

export interface HistoryCommit {
  readonly worldIndex: number;
  readonly heads: ReadonlyMap<string, number>;
  /** Which engine stored it. */
  readonly engine?: number;
  /** When, by the world's time. */
  readonly t?: number;
}
