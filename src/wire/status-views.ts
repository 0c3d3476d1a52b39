// What the daemon tells of itself and of what agents are let in with. A client ignores keys it does not know.

import * as z from './answer-shape.ts';
import { closedService } from './usage-views.ts';

export const pricesView = z.object({
  /** The day of the list prices. */
  listedOn: z.string(),
  /** Where the user's own are, and how many. */
  path: z.string(),
  own: z.number(),
  /** Why that file is not used; null = it is, or there is none. */
  flaw: z.string().nullable(),
});

export const statusView = z.object({
  version: z.string(),
  pid: z.number(),
  startedAt: z.number(),
  home: z.string(),
  slots: z.object({ all: z.number(), taken: z.number() }),
  openRuns: z.number(),
  /** How agents are kept together; `why` says what is missing where it is less than it could be. */
  confinement: z.object({ kind: z.enum(['namespace', 'plain']), why: z.string().nullable() }),
  /** What of a sandbox works here: `why` not, or `says` what an agent gets. */
  sandbox: z
    .object({ works: z.boolean(), says: z.string(), why: z.string().nullable() })
    .default({ works: false, says: '', why: 'this daemon is older than sandboxes' }),
  /** By what costs are estimated that no agent told. */
  prices: pricesView.default({ listedOn: '', path: '', own: 0, flaw: null }),
  /** Services that no agent asks at the moment. */
  closed: z.array(closedService).default([]),
  /** Agents are frozen because the disk is nearly full. */
  frozen: z.boolean().default(false),
  /** Why nothing is stored at the moment. */
  trouble: z.object({ code: z.string(), message: z.string() }).nullable(),
  quarantined: z.array(z.object({ stream: z.string(), reason: z.string() })),
});

/** What an agent of a harness would be let in with; never the secret itself. */
export const loginView = z.object({
  harness: z.string(),
  /** The agent's name, for people. */
  title: z.string(),
  /** null: there is none. */
  credential: z
    .object({
      words: z.string(),
      variable: z.string(),
      source: z.enum(['environment', 'file']),
      /** Its last characters; null where it is too short to tell any. */
      ending: z.string().nullable(),
    })
    .nullable(),
  /** Why one that is there is not used. */
  flaw: z.string().nullable(),
});

export const loginList = z.object({ logins: z.array(loginView) });

export type StatusView = z.output<typeof statusView>;
export type PricesView = z.output<typeof pricesView>;
export type LoginView = z.output<typeof loginView>;
