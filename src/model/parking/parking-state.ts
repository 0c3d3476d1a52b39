// Whether an attempt has a slot, and what it may use while it has one. Written by evolve-parking.ts alone.

import type { Admission, ParkReason } from './admission.ts';

export interface AttemptParking {
  /**
   * Since when and why the attempt is parked, and when it continues at the latest; null = it is at work. A parked attempt has
   * no process, unless that waits for a person.
   */
  parked: { readonly why: ParkReason; readonly at: number; readonly until?: number } | null;
  /** How long it was parked in all, without the present pause. */
  parkedMs: number;
  /** Why its turn ends at its next tool round. */
  brake: ParkReason | null;
  /** A fallback in place of its task's model; null = the task's model. */
  model: string | null;
  /** It probes a limited account. */
  probe: boolean;
  /** How many of its processes the service refused since the model last answered it. */
  limits: number;
  /** The model's service refused its present process and has not answered since. */
  refused: boolean;
  /** Why its account line admitted no launch when it was last looked at; null = it did. */
  closed: string | null;
}

export function atWork({ model, probe }: Admission): AttemptParking {
  const admitted = { model: model ?? null, probe: probe ?? false };
  return { parked: null, parkedMs: 0, brake: null, ...admitted, limits: 0, refused: false, closed: null };
}
