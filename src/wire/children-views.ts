// What the daemon tells of limits on what agents make of themselves: what they are, which were reached, and by whom.

import * as z from './answer-shape.ts';

export const reachedView = z.object({
  /** The same for everybody who is told of it. */
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
      /** The option by which it is set. */
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
