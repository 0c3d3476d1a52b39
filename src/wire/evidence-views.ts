// View of evidence.

import * as z from './answer-shape.ts';

/** One piece of evidence; a field is null if it is not a command or unknown. */
export const evidenceView = z.object({
  check: z.string(),
  passed: z.boolean(),
  detail: z.string(),
  /** The git tree it was checked on. */
  tree: z.string().nullable().default(null),
  /** A hash of tree, command and environment: the same key has the same result. */
  key: z.string().nullable().default(null),
  /** The file with its output. */
  log: z.string().nullable().default(null),
  /** What a failed check printed around its failure and at its end, without banners; bounded. */
  printed: z.string().nullable().default(null),
  ms: z.number().nullable().default(null),
  /** How often it ran; passed with more than one = flaky. */
  runs: z.number().nullable().default(null),
  /** A cached result: nothing ran. */
  known: z.boolean().default(false),
});

export type EvidenceView = z.output<typeof evidenceView>;
