// Views of the user's repository and of a landing in a branch of it.

import * as z from './answer-shape.ts';
import { evidenceView } from './evidence-views.ts';

export { type CoAuthorStyle, type CommitStyle, coAuthorStyles, commitStyles } from '../model/land/landing.ts';

const outcomeView = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('landed'),
    branch: z.string(),
    commit: z.string(),
    from: z.string(),
    items: z.array(evidenceView),
    /** The checkout was updated too. */
    checkedOut: z.boolean(),
    /** How many commits; left out in old journals. */
    count: z.number().nullable().default(null),
    /** What is otherwise than one would think, in sentences. */
    notes: z.array(z.string()).default([]),
  }),
  z.object({ kind: z.literal('aside'), branch: z.string(), commit: z.string(), why: z.string() }),
  z.object({ kind: z.literal('conflict'), branch: z.string(), paths: z.array(z.string()), commit: z.string() }),
  z.object({ kind: z.literal('failed'), branch: z.string(), items: z.array(evidenceView) }),
  z.object({ kind: z.literal('refused'), why: z.string() }),
  z.object({ kind: z.literal('stopped') }),
]);

export const landingView = z.object({
  /** Its number within the run. */
  n: z.number(),
  /** null: on a branch of its own. */
  into: z.string().nullable(),
  openPr: z.boolean(),
  by: z.string(),
  askedAt: z.number(),
  /** How often others moved the branch meanwhile. */
  moves: z.number(),
  /** Why the last try failed; null = it did not. */
  trouble: z.string().nullable(),
  outcome: outcomeView.nullable(),
  /** The work is where the user asked for it. */
  asAsked: z.boolean(),
});

/** The user's repository, the commit that a run starts from, and the branch that has it; null = it started from none. */
export const repoView = z.object({ path: z.string(), base: z.string(), branch: z.string().nullable().default(null) });

/** Other runs of the repository that change the same lines. */
export const overlapsView = z
  .array(z.object({ runId: z.string(), name: z.string(), paths: z.array(z.string()), pathsTotal: z.number() }))
  .default([]);

export type LandingView = z.output<typeof landingView>;

/** The commits that a landing would make. */
export const landingPreview = z.object({
  preview: z
    .object({
      root: z.string(),
      gitDir: z.string(),
      commit: z.string(),
      commits: z.array(
        z.object({
          commit: z.string(),
          /** By what a message is given. */
          key: z.string(),
          task: z.string().nullable(),
          message: z.string(),
          text: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
});

export type LandingPreview = NonNullable<z.output<typeof landingPreview>['preview']>;
