// What the daemon tells of what was used: rows that add up to their total, and what accounts have left.

import { limitKinds } from '../model/session/agent-fact.ts';
import * as z from './answer-shape.ts';

/** A null cost is unknown, never zero; then `costAtLeastMicroUsd` is what is known of it. */
export const usageView = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costMicroUsd: z.number().nullable(),
  costAtLeastMicroUsd: z.number(),
  /** Of that cost what is an estimate of ours. */
  estimatedMicroUsd: z.number().default(0),
  /** Requests to the model. */
  turns: z.number().default(0),
  /** How long its processes ran, as far as they have ended. */
  timeMs: z.number().default(0),
});

export const usageKinds = ['run', 'task', 'role', 'model', 'day'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** Time is that of processes: it belongs to no model, so that it is null where use is told by model. */
const summedUsage = usageView.extend({ timeMs: z.number().nullable() });

/** A service that refuses at the moment, and when it is tried again. */
export const closedService = z.object({ name: z.string(), limit: z.enum(limitKinds), until: z.number() });

export const usageReport = z.object({
  by: z.enum(usageKinds),
  /** `name` is null where there is none: no role, or nobody said which model. */
  rows: z.array(z.object({ key: z.string(), name: z.string().nullable(), usage: summedUsage })),
  /** The sum of the rows, to the last unit. */
  total: summedUsage,
  /** Runs that ended earlier and are not in it. */
  leftOut: z.number(),
  unreadable: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** How much of an account's limits is used, from 0 to 1, where its agents tell; `of` is their name of the limit. */
  accounts: z
    .array(
      z.object({
        account: z.string(),
        of: z.string(),
        used: z.number().nullable(),
        resetsAt: z.number().nullable(),
        toldAt: z.number(),
      }),
    )
    .default([]),
  closed: z.array(closedService).default([]),
});

export type ClosedService = z.output<typeof closedService>;
export type UsageReport = z.output<typeof usageReport>;
export type SummedUsage = z.output<typeof summedUsage>;
export type UsageView = z.output<typeof usageView>;
