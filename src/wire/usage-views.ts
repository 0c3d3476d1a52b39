// Views of usage: rows that add up to their total, and the state of accounts.

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
  /** The estimated part of that cost. */
  estimatedMicroUsd: z.number().default(0),
  /** Model requests. */
  turns: z.number().default(0),
  /** Run time of processes, also of those that still run. */
  timeMs: z.number().default(0),
});

export const usageKinds = ['run', 'task', 'role', 'model', 'day'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** Process time belongs to no model, so it is null in rows by model. */
const summedUsage = usageView.extend({ timeMs: z.number().nullable() });

/** A service that refuses requests, and when it is tried again. */
export const closedService = z.object({ name: z.string(), limit: z.enum(limitKinds), until: z.number() });

export const usageReport = z.object({
  by: z.enum(usageKinds),
  /** `name` is null for no role, or an unknown model. */
  rows: z.array(z.object({ key: z.string(), name: z.string().nullable(), usage: summedUsage })),
  /** The exact sum of the rows. */
  total: summedUsage,
  /** How many earlier runs are not included. */
  leftOut: z.number(),
  unreadable: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** The used share of an account's limits, from 0 to 1, if its agents report it; `of` is the name of the limit. */
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
