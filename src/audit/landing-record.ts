// The landings of a run that an audit checks, as the journal has them.

import { landingProvenance } from '../engine/effects/provenance.ts';
import type { EvidenceItem, RunEvent } from '../model/core/events.ts';
import type { Run } from '../model/core/run.ts';
import type { Trailer } from '../model/integrate/trailer.ts';
import type { StoredEvent } from '../ports/journal.ts';
import type { IntegrationRecord } from './run-record.ts';

export interface LandingRecord {
  readonly n: number;
  /** What the notes on its commits must say. */
  readonly trailers: readonly Trailer[];
  readonly branch: string;
  /** Where the branch was; null: the work was put on a branch of its own. */
  readonly from: string | null;
  readonly commit: string;
  readonly items: readonly EvidenceItem[];
}

export function landingKey(n: number | string): string {
  return `landing ${n}`;
}

export async function landingOf(
  run: Run,
  asked: StoredEvent,
  integrations: ReadonlyMap<string, IntegrationRecord>,
): Promise<IntegrationRecord> {
  const [worked] = integrations.values();
  const trailers = await landingProvenance({ journal: { read: async () => [asked] } }, run);
  return { attemptId: worked?.attemptId ?? 'attempt_none', trailers, integrated: null };
}

/**
 * A landing with a merge commit of Signalbox's own, or one that only moved to the run's commit, as older versions made them,
 * has no count.
 */
export function noteLanding(
  integrations: Map<string, IntegrationRecord>,
  landings: Map<number, LandingRecord>,
  { n, outcome }: Extract<RunEvent, { type: 'landing.ended' }>,
): void {
  const landing = integrations.get(landingKey(n));
  if (landing === undefined) return;
  const { trailers } = landing;
  if (outcome.kind === 'aside') {
    const { branch, commit } = outcome;
    landings.set(n, { n, trailers, branch, from: null, commit, items: [] });
  }
  if (outcome.kind !== 'landed' || outcome.commit === outcome.from) return;
  if (outcome.count !== undefined) {
    const { branch, from, commit, items } = outcome;
    landings.set(n, { n, trailers, branch, from, commit, items });
    return;
  }
  const ours = [...integrations.values()].some(({ integrated }) => integrated?.commit === outcome.commit);
  if (!ours) landing.integrated = { commit: outcome.commit, tree: null, items: outcome.items };
}
