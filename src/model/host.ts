// A host's slots: a stream of its own, because runs share it and it outlives them. A slot is taken in the same
// append that starts an attempt and freed in the one that ends it, so none can leak and none is taken twice.

import { assert, unreachable } from '../std/assert.ts';
import type { RunEventBody } from './events.ts';
import type { HostEvent, HostEventBody } from './host-events.ts';
import type { AttemptId, RunId } from './ids.ts';

export interface Host {
  seq: number;
  slots: number;
  /** Of these slots how many agents of one harness may have; those that are not named as many as there are. */
  harnessSlots: Readonly<Record<string, number>>;
  held: Map<AttemptId, RunId>;
  /** What the machine lacks at the moment, so that nothing is started on it. A sight of the world, not of the record. */
  scarce: string | null;
  /** Harnesses whose share of the slots was taken when it was last looked. */
  full: ReadonlySet<string>;
}

export function emptyHost(): Host {
  return { seq: 0, slots: 0, harnessSlots: {}, held: new Map(), scarce: null, full: new Set() };
}

export function hostStream(name: string): string {
  return `host/${name}`;
}

export function freeSlots(host: Host): number {
  return Math.max(0, host.slots - host.held.size);
}

export function heldBy(host: Host, runId: RunId): number {
  let held = 0;
  for (const id of host.held.values()) if (id === runId) held += 1;
  return held;
}

/** What a run's events do to the slots of the host it runs on. */
export function slotEvents(runId: RunId, events: readonly RunEventBody[]): HostEventBody[] {
  const out: HostEventBody[] = [];
  for (const event of events) {
    if (event.type === 'attempt.started') out.push({ type: 'slot.taken', attemptId: event.attemptId, runId });
    if (event.type === 'attempt.ended') out.push({ type: 'slot.freed', attemptId: event.attemptId });
  }
  return out;
}

export function evolveHost(host: Host, event: HostEvent): void {
  host.seq += 1;
  switch (event.type) {
    case 'host.configured':
      host.slots = event.slots;
      host.harnessSlots = event.harnessSlots ?? {};
      return;
    case 'slot.taken':
      assert(!host.held.has(event.attemptId), `${event.attemptId} takes one slot`);
      host.held.set(event.attemptId, event.runId);
      return;
    case 'slot.freed':
      assert(host.held.delete(event.attemptId), `${event.attemptId} frees a slot it held`);
      return;
    default:
      unreachable(event);
  }
}
