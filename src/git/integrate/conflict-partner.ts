// With whose integrated work a work fails that passes without it.

import type { CheckSpec } from '../../ports/proof-port.ts';
import type { Quarantine } from '../commands/quarantine.ts';
import { passed, type Trial } from '../land/test-commit.ts';
import { partnerOf } from './batch-bisection.ts';
import { integratedSince } from './integrated-since.ts';
import type { Joinable, Joiner, Tip } from './merge-work.ts';
import { readTree } from './merge-work.ts';

export interface PartnerOrder<Work extends Joinable> {
  readonly bare: string;
  readonly work: Work;
  /** What the work fails on. */
  readonly tip: Tip<Work>;
  /** What fails. */
  readonly checks: readonly CheckSpec[];
}

/** The attempt whose integration since the work's base made the difference; null: it fails by itself. */
export async function partnerIn<Work extends Joinable>(
  { bare, work, tip, checks }: PartnerOrder<Work>,
  { join }: Joiner<Work>,
  trial: Trial,
  quarantine: Quarantine,
  signal: AbortSignal,
): Promise<string | null> {
  const integrations = await integratedSince({ base: work.base, tip: tip.commit }, quarantine, signal);
  const placeAfter = async (count: number): Promise<Tip<Work>> => {
    const { commit, tree } = integrations[count - 1] ?? {
      commit: work.base,
      tree: await readTree(bare, work.base, signal),
    };
    return { commit, tree, works: [] };
  };
  const found = await partnerOf(integrations.length, {
    async withWork(count) {
      const joined = await join(await placeAfter(count), work);
      return joined.kind === 'joined' && passed(await trial(joined.tip, checks));
    },
    without: async (count) => passed(await trial(await placeAfter(count), checks)),
  });
  return found === null ? null : (integrations[found - 1]?.attemptId ?? null);
}
