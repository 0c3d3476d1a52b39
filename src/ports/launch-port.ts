// How the engine starts, watches and stops the processes of agents. Any launch outlives the process that asks here.

import type { ProcessName, Rung } from '../model/core/events.ts';
import type { Measure } from '../model/spending/caps.ts';
import type { LineFlaw } from '../std/lines.ts';

export type { ProcessName as ProcessIdentity } from '../model/core/events.ts';

/** Each call may be repeated after a crash at any point and has its effect once. */
export interface LaunchPort {
  /** Starts it unless it was claimed before. Resolves when the claim is durable. */
  start(spec: LaunchSpec, signal: AbortSignal): Promise<LaunchObservation>;
  /** Output from `offset`, whole lines only, then the end. `onLines` is awaited before more is read. */
  watch(
    launchId: string,
    offset: number,
    onLines: (batch: LineBatch) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Ending>;
  /** Makes `in` hold `record` at byte `offset` exactly once, completing a partial write. Returns the offset after it. */
  write(launchId: string, offset: number, record: string): Promise<number>;
  /**
   * `term` asks the agent itself to end; `kill` ends all its processes and, for a launch that was prepared but never
   * claimed, rules out that it starts later. A launch that is gone is fine.
   */
  signal(launchId: string, rung: Rung): Promise<void>;
  /** What each launch uses now, from one look at the process table; launches that do not run are left out. */
  measureAll(launchIds: readonly string[]): Promise<ReadonlyMap<string, Measure>>;
  /** Stops or continues every process of the agent; harmless to a launch that is gone. */
  freeze(launchId: string): Promise<void>;
  thaw(launchId: string): Promise<void>;
  /** Stores the agent's final text whole; returns where. */
  keepResult(launchId: string, text: string): Promise<string>;
  /** Part of the final text, from a byte on; null = there is none. */
  readResult(launchId: string, from: number, max: number): Promise<Part | null>;
  /** Part of everything the agent printed, from a byte on; null = there is none. */
  readOut(launchId: string, from: number, max: number): Promise<Part | null>;
  /** sha256, in hexadecimal, of what these launches printed, in this order; null where one of them is not known. */
  transcriptHash(launchIds: readonly string[]): Promise<string | null>;
}

export interface LaunchSpec {
  readonly launchId: string;
  /** Every user of the machine can see it: no secrets. */
  readonly argv: readonly string[];
  /** The whole environment, without the variables that Signalbox adds. Names as in a shell. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Left out: everything that the user can access. */
  readonly reach?: Reach;
}

/** The files an agent may use, besides those that all agents may. */
export interface Reach {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

/** The state of a launch, by its directory and the process table. */
export type LaunchObservation =
  /** Never claimed: it may be started, or started again, under the same id. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'alive'; readonly identity: ProcessName }
  /** A status over 128 means a signal. Nothing of it runs any more. */
  | { readonly kind: 'ended'; readonly status: number }
  /** Claimed, the shim gone, no status. What was left of it has been killed. */
  | { readonly kind: 'lost' };

export type Ending = Extract<LaunchObservation, { kind: 'ended' | 'lost' }>;

export interface LineBatch {
  readonly lines: readonly string[];
  /** Byte offset after the last line: where to watch from next. */
  readonly end: number;
  /** Lines that differ from what the agent wrote: cut because of their length, or with bytes replaced. */
  readonly flaws?: readonly { readonly index: number; readonly flaw: LineFlaw }[];
}

/** Part of a stored text. */
export interface Part {
  readonly text: string;
  /** The byte after it. */
  readonly end: number;
  readonly more: boolean;
}
