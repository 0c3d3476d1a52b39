// What lies on the disk, as it crosses the wire.

import * as z from './answer-shape.ts';

/** Something that lies on the disk; `why` says why it is kept or may go. */
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
