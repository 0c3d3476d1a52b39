// What checks say of a place that the branch may come to. Asked once for each tree in one landing.

import { assert } from '../../std/assert.ts';
import type { Check, ProofItem } from '../checks/checks.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';

export interface TestOrder {
  readonly bare: string;
  readonly commit: string;
  readonly tree: string;
  readonly checks: readonly Check[];
  readonly sandboxed: boolean;
  readonly failuresSince: number;
}

/** Runs checks on exactly this commit: one item for each. */
export type Test = (order: TestOrder, signal: AbortSignal) => Promise<readonly ProofItem[]>;

export type Trial = (
  place: Pick<TestOrder, 'commit' | 'tree'>,
  checks: readonly Check[],
) => Promise<readonly ProofItem[]>;

export function createTrial(
  about: Pick<TestOrder, 'bare' | 'sandboxed' | 'failuresSince'>,
  test: Test,
  signal: AbortSignal,
): Trial {
  const known = createMemory<readonly ProofItem[]>();
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
export function distinct(checks: readonly Check[]): Check[] {
  return [...new Map([...checks].reverse().map((check) => [commandOf(check), check])).values()].reverse();
}

export function passed(items: readonly ProofItem[]): boolean {
  return items.every((item) => item.passed);
}

function commandOf({ argv }: Check): string {
  return JSON.stringify(argv);
}
