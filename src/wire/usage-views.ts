// What the daemon tells of what was used: rows that add up to their total, and what accounts have left.

import * as z from './shape.ts';
import { usageView } from './views.ts';

export const usageKinds = ['run', 'task', 'role', 'model'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** Time is that of processes: it belongs to no model, so that it is null where use is told by model. */
const summedUsage = usageView.extend({ timeMs: z.number().nullable() });

export const usageReport = z.object({
  by: z.enum(usageKinds),
  /** `name` is null where there is none: no role, or nobody said which model. */
  rows: z.array(z.object({ key: z.string(), name: z.string().nullable(), usage: summedUsage })),
  /** The sum of the rows, to the last unit. */
  total: summedUsage,
  /** Runs that ended earlier and are not in it. */
  leftOut: z.number(),
  unreadable: z.array(z.object({ id: z.string(), reason: z.string() })),
});

export type UsageReport = z.output<typeof usageReport>;
export type SummedUsage = z.output<typeof summedUsage>;
