// Views of the daemon's status and of credentials. Clients ignore unknown keys.

import * as z from './answer-shape.ts';
import { closedService } from './usage-views.ts';

export const pricesView = z.object({
  /** The date of the list prices. */
  listedOn: z.string(),
  /** The file of the user's own prices, and their number. */
  path: z.string(),
  own: z.number(),
  /** Why that file is not used; null = it is used or absent. */
  flaw: z.string().nullable(),
});

export const statusView = z.object({
  version: z.string(),
  pid: z.number(),
  startedAt: z.number(),
  home: z.string(),
  slots: z.object({ all: z.number(), taken: z.number() }),
  openRuns: z.number(),
  /** How agent processes are confined; `why` says what is missing for a namespace. */
  confinement: z.object({ kind: z.enum(['namespace', 'plain']), why: z.string().nullable() }),
  /** The sandbox: `says` what it does, or `why` it does not work. */
  sandbox: z
    .object({ works: z.boolean(), says: z.string(), why: z.string().nullable() })
    .default({ works: false, says: '', why: 'this daemon is too old to have a sandbox' }),
  /** The prices for cost estimates. */
  prices: pricesView.default({ listedOn: '', path: '', own: 0, flaw: null }),
  /** Of the variables that the daemon was started with and that matter to agents; left out by an older daemon. */
  environment: z
    .object({ salt: z.string(), hashes: z.record(z.string(), z.string()) })
    .nullable()
    .default(null),
  /** Services that refuse requests at the moment. */
  closed: z.array(closedService).default([]),
  /** Who holds all agents, and since when. */
  paused: z.object({ by: z.string(), since: z.number() }).nullable().default(null),
  /** Agents are frozen because the disk is nearly full. */
  frozen: z.boolean().default(false),
  /** Why nothing can be stored at the moment. */
  trouble: z.object({ code: z.string(), message: z.string() }).nullable(),
  quarantined: z.array(z.object({ stream: z.string(), reason: z.string() })),
});

/** The credential of a harness; never the secret itself. */
export const loginView = z.object({
  harness: z.string(),
  /** The display name of the agent. */
  title: z.string(),
  /** null: no credential. */
  credential: z
    .object({
      words: z.string(),
      variable: z.string(),
      source: z.enum(['environment', 'file']),
      /** Its last characters; null if it is too short to show any. */
      ending: z.string().nullable(),
    })
    .nullable(),
  /** Why an existing credential is not used. */
  flaw: z.string().nullable(),
});

export const loginList = z.object({ logins: z.array(loginView) });

export type StatusView = z.output<typeof statusView>;
export type PricesView = z.output<typeof pricesView>;
export type LoginView = z.output<typeof loginView>;
