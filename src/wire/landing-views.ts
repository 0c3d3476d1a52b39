// A landing of a run's work into a branch of the user's, as clients see it.

import * as z from './answer-shape.ts';
import { evidenceView } from './evidence-views.ts';

const outcomeView = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('landed'),
    branch: z.string(),
    commit: z.string(),
    from: z.string(),
    items: z.array(evidenceView),
    /** Index and files of a checkout moved with it. */
    checkedOut: z.boolean(),
  }),
  z.object({ kind: z.literal('aside'), branch: z.string(), commit: z.string(), why: z.string() }),
  z.object({ kind: z.literal('conflict'), branch: z.string(), paths: z.array(z.string()), commit: z.string() }),
  z.object({ kind: z.literal('failed'), branch: z.string(), items: z.array(evidenceView) }),
  z.object({ kind: z.literal('refused'), why: z.string() }),
  z.object({ kind: z.literal('stopped') }),
]);

export const landingView = z.object({
  /** Which one of the run's it is. */
  n: z.number(),
  /** null: to a branch of its own. */
  into: z.string().nullable(),
  openPr: z.boolean(),
  by: z.string(),
  askedAt: z.number(),
  /** How often the branch was moved by others since. */
  moves: z.number(),
  /** Why the last try came to nothing; null = it did not. */
  trouble: z.string().nullable(),
  outcome: outcomeView.nullable(),
  /** It has what was asked for. */
  asAsked: z.boolean(),
});

export type LandingView = z.output<typeof landingView>;
