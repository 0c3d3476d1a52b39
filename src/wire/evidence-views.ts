// What was looked at before work counted as done, as clients see it.

import * as z from './answer-shape.ts';

/** One thing that was looked at; null where it is not a command, or nobody knows. */
export const evidenceView = z.object({
  check: z.string(),
  passed: z.boolean(),
  detail: z.string(),
  /** The git tree that it holds for. */
  tree: z.string().nullable().default(null),
  /** A hash of tree, command and environment: the same key has the same result. */
  key: z.string().nullable().default(null),
  /** The file with what it printed. */
  log: z.string().nullable().default(null),
  ms: z.number().nullable().default(null),
  /** Passed and more than one = it is flaky. */
  runs: z.number().nullable().default(null),
  /** Whether the result was there already, so that nothing was run for it. */
  known: z.boolean().default(false),
});

export type EvidenceView = z.output<typeof evidenceView>;
