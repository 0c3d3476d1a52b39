// Views of the limits on agents spawned by agents: current values, and which were reached by which task.

import * as z from './answer-shape.ts';

export const reachedView = z.object({
  /** Identifies the event for notifications. */
  key: z.string(),
  limit: z.string(),
  max: z.number(),
  taskId: z.string(),
  task: z.string(),
  since: z.number(),
  /** One sentence. */
  words: z.string(),
});

export const limitList = z.object({
  limits: z.array(
    z.object({
      limit: z.string(),
      /** The option that sets it. */
      option: z.string(),
      /** In the unit of the option: times are in seconds. */
      max: z.number(),
      usual: z.number(),
      reached: z.boolean(),
    }),
  ),
});

export type LimitList = z.output<typeof limitList>;
export type ReachedView = z.output<typeof reachedView>;
