// What the daemon tells of the teams of a run: who is in them, what each is at, and the list that they share.

import * as z from './answer-shape.ts';
import { waitView } from './wait-views.ts';

const memberView = z.object({
  task: z.string(),
  taskId: z.string(),
  /** `at work`, `rests`, or how its task stands or ended. */
  state: z.string(),
  /** What it waits for; null = nothing. */
  wait: waitView.nullable(),
  /** How far it says that it is; null = nothing, or it has nothing to do. */
  progress: z.string().nullable(),
  /** Numbers of the items that it has claimed. */
  holds: z.array(z.number()),
  /** When its lead asked it to end; null = it did not. */
  askedAt: z.number().nullable(),
  refused: z.boolean(),
  /** Why it ends with its turn; null = it stays. */
  leaves: z.enum(['agreed', 'dismissed']).nullable(),
});

const itemView = z.object({
  n: z.number(),
  title: z.string(),
  /** What more there is to say of it; often empty. */
  text: z.string(),
  /** `waits`: others have to be done first. */
  state: z.enum(['free', 'waits', 'claimed', 'done']),
  /** Numbers that it still needs. */
  needs: z.array(z.number()),
  /** Who holds it, or has done it; null = nobody. */
  by: z.string().nullable(),
  /** What came of it; empty = nobody has said. */
  result: z.string(),
});

export const teamView = z.object({
  name: z.string(),
  purpose: z.string(),
  lead: z.string(),
  leadId: z.string(),
  createdAt: z.number(),
  /** Its lead has deleted it, or has ended. */
  over: z.boolean(),
  /** Members that do not agree to end are stopped. */
  forced: z.boolean(),
  members: z.array(memberView),
  items: z.array(itemView),
});

export const teamList = z.object({ runId: z.string(), teams: z.array(teamView) });

export type TeamView = z.output<typeof teamView>;
