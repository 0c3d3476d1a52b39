// Runs checks on a commit that the branch may move to. Each tree is tested once per landing.

import type { CheckSpec, EvidenceItem } from '../../ports/proof-port.ts';
import { assert } from '../../std/assert.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';

export interface TestOrder {
  readonly bare: string;
  readonly commit: string;
  readonly tree: string;
  readonly checks: readonly CheckSpec[];
  readonly sandboxed: boolean;
  /** A shell command that sets up a checkout without a `.signalbox/setup` of its own; left out = none. */
  readonly usualSetup?: string;
  readonly failuresSince: number;
}

/** Runs checks on exactly this commit: one item for each. */
export type Test = (order: TestOrder, signal: AbortSignal) => Promise<readonly EvidenceItem[]>;

export type Trial = (
  place: Pick<TestOrder, 'commit' | 'tree'>,
  checks: readonly CheckSpec[],
) => Promise<readonly EvidenceItem[]>;

export function createTrial(
  about: Pick<TestOrder, 'bare' | 'sandboxed' | 'usualSetup' | 'failuresSince'>,
  test: Test,
  signal: AbortSignal,
): Trial {
  const known = createMemory<readonly EvidenceItem[]>();
  return async ({ commit, tree }, checks) => {
    if (checks.length === 0) return [];
    return known([tree, ...checks.map(commandOf)], async () => {
      const items = await test({ ...about, commit, tree, checks }, signal);
      assert(items.length === checks.length, `${items.length} results of ${checks.length} checks`);
      return items;
    });
  };
}

/** Each command once, the first of its name and limit. */
export function distinct(checks: readonly CheckSpec[]): CheckSpec[] {
  return [...new Map([...checks].reverse().map((check) => [commandOf(check), check])).values()].reverse();
}

export function passed(items: readonly EvidenceItem[]): boolean {
  return items.every((item) => item.passed);
}

function commandOf({ argv }: CheckSpec): string {
  return JSON.stringify(argv);
}
