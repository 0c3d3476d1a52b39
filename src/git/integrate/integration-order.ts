// What is asked of an integration, and what becomes of it.

import type { IntegrateWork } from '../../ports/integration-port.ts';
import type { CheckSpec } from '../../ports/proof-port.ts';
import { distinct } from '../land/test-commit.ts';
import type { Tip } from './merge-work.ts';

/** What has to hold there. */
export function checksAt(checks: readonly CheckSpec[], { works }: Tip<IntegrateWork>): CheckSpec[] {
  return distinct([...checks, ...works.flatMap((work) => work.checks)]);
}
