// Views of disk usage.

import * as z from './answer-shape.ts';

/** One item on disk; `why` says why it is kept or removable. */
export const spaceItemView = z.object({
  kind: z.enum([
    'workspace',
    'archive',
    'project',
    'setup',
    'checks',
    'agents',
    'launches',
    'artifacts',
    'journal',
    'other',
  ]),
  name: z.string(),
  path: z.string(),
  /** null = it could not be measured. */
  bytes: z.number().nullable(),
  removable: z.boolean(),
  why: z.string(),
});

export const spaceView = z.object({ items: z.array(spaceItemView) });

export const reclaimedView = z.object({ removed: z.array(spaceItemView), kept: z.array(spaceItemView) });

/** What removing a run would remove, and what keeps it. */
export const runLeftView = z.object({
  workspaces: z.number(),
  /** Homes of agents, with their sessions. */
  homes: z.number(),
  /** Launches, with their transcripts. */
  launches: z.number(),
  /** null = it could not be measured. */
  bytes: z.number().nullable(),
  /** Workspaces that may not be removed, and why. */
  busy: z.array(z.object({ name: z.string(), why: z.string() })),
  /** Tasks whose work is in no branch of the user's. */
  unlanded: z.array(z.string()),
  /** Earlier attempts whose work is in no branch of the user's. */
  earlier: z.number(),
});

export type RunLeftView = z.output<typeof runLeftView>;
export type SpaceItemView = z.output<typeof spaceItemView>;
