// Views of disk usage.

import * as z from './answer-shape.ts';

/** One item on disk; `why` says why it is kept or removable. */
export const spaceItemView = z.object({
  kind: z.enum(['workspace', 'archive', 'project', 'setup', 'checks']),
  name: z.string(),
  path: z.string(),
  /** null = it could not be measured. */
  bytes: z.number().nullable(),
  removable: z.boolean(),
  why: z.string(),
});

export const spaceView = z.object({ items: z.array(spaceItemView) });

export const reclaimedView = z.object({ removed: z.array(spaceItemView), kept: z.array(spaceItemView) });

export type SpaceItemView = z.output<typeof spaceItemView>;
