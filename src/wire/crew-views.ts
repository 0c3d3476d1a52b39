// What the daemon tells of limits on what agents make of themselves: which were reached, and by whom.

import * as z from './shape.ts';

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

export type ReachedView = z.output<typeof reachedView>;
