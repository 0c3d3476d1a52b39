// What the engine needs of processes.

import type { Rung } from '../model/events.ts';
import type { LaunchId } from '../model/ids.ts';
import type { Measure } from '../model/spending/caps.ts';
import type { LaunchSpec, LineBatch, Part, Sighting } from '../process/launch/launches.ts';

/** Each call may be repeated after a crash at any point and has its effect once. */
export interface LaunchPort {
  start(spec: LaunchSpec, signal: AbortSignal): Promise<Sighting>;
  watch(
    launchId: LaunchId,
    offset: number,
    onLines: (batch: LineBatch) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Extract<Sighting, { kind: 'ended' | 'lost' }>>;
  write(launchId: LaunchId, offset: number, record: string): Promise<number>;
  signal(launchId: LaunchId, rung: Rung): Promise<void>;
  /** Of those that are alive. */
  measureAll(launchIds: readonly LaunchId[]): Promise<ReadonlyMap<string, Measure>>;
  /** Stops and continues everything the agent has started; repeatable, and harmless to one that is gone. */
  freeze(launchId: LaunchId): Promise<void>;
  thaw(launchId: LaunchId): Promise<void>;
  /** Keeps the last words of its agent whole; returns where. Repeating it has its effect once. */
  keepResult(launchId: LaunchId, text: string): Promise<string>;
  /** A part of them, from a byte on; null = there are none. */
  readResult(launchId: LaunchId, from: number, max: number): Promise<Part | null>;
  /** The same of all that it printed. */
  readOut(launchId: LaunchId, from: number, max: number): Promise<Part | null>;
  /** sha256 of all that these printed, in this order, in hexadecimal; null where that of one of them is not known. */
  transcriptHash(launchIds: readonly LaunchId[]): Promise<string | null>;
}
