// Whether an attempt has a slot, and what it may use while it has one. Written by evolve-parking.ts alone.

import type { Admission, ParkReason } from './admission.ts';

export interface AttemptParking {
  /**
   * Since when and why it has no slot, and when it goes on at the latest; null = it is at work. It has no process either, unless
   * that waits for a person.
   */
  parked: { readonly why: ParkReason; readonly at: number; readonly until?: number } | null;
  /** How long it was parked in all, before now. */
  parkedMs: number;
  /** Why its turn ends at its next tool round. */
  brake: ParkReason | null;
  /** In place of its task's model; null = that one. */
  model: string | null;
  /** It tries a limited account. */
  probe: boolean;
  /** How many of its processes were refused since the model last answered it. */
  limits: number;
  /** The model's service refused its present process, and has not answered since. */
  refused: boolean;
  /** Why no process of it was to be launched on its line to the service when that was last looked at; null = one was. */
  closed: string | null;
}

export function atWork({ model, probe }: Admission): AttemptParking {
  const admitted = { model: model ?? null, probe: probe ?? false };
  return { parked: null, parkedMs: 0, brake: null, ...admitted, limits: 0, refused: false, closed: null };
}
