// Views of teams: members, their state, and the shared task list.

import * as z from './answer-shape.ts';
import { waitView } from './wait-views.ts';

const memberView = z.object({
  task: z.string(),
  taskId: z.string(),
  /** `at work`, `rests`, or the state or outcome of its task. */
  state: z.string(),
  /** What it waits for; null = nothing. */
  wait: waitView.nullable(),
  /** The progress it reported; null = none, or idle. */
  progress: z.string().nullable(),
  /** Numbers of its claimed items. */
  holds: z.array(z.number()),
  /** When its lead asked it to shut down; null = never. */
  askedAt: z.number().nullable(),
  refused: z.boolean(),
  /** Why it ends after this turn; null = it stays. */
  leaves: z.enum(['agreed', 'dismissed']).nullable(),
});

const itemView = z.object({
  n: z.number(),
  title: z.string(),
  /** Further text; often empty. */
  text: z.string(),
  /** `waits`: other items come first. */
  state: z.enum(['free', 'waits', 'claimed', 'done']),
  /** Numbers of the items it still needs. */
  needs: z.array(z.number()),
  /** The member that claimed or finished it; null = none. */
  by: z.string().nullable(),
  /** Its result; empty = none reported. */
  result: z.string(),
});

export const teamView = z.object({
  name: z.string(),
  purpose: z.string(),
  lead: z.string(),
  leadId: z.string(),
  createdAt: z.number(),
  /** The lead deleted the team, or has ended. */
  over: z.boolean(),
  /** Members that do not agree to shut down are stopped. */
  forced: z.boolean(),
  members: z.array(memberView),
  items: z.array(itemView),
});

export const teamList = z.object({ runId: z.string(), teams: z.array(teamView) });

export type TeamView = z.output<typeof teamView>;
