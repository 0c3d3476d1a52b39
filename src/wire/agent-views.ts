// The agents that a run could use: those whose programs people install.

import * as z from './answer-shape.ts';

export const agentFit = z.object({
  harness: z.string(),
  /** The display name. */
  title: z.string(),
  /** Why it cannot be used here and what to do, in a sentence; null = it can. */
  flaw: z.string().nullable(),
});

export const agentList = z.object({
  /** In the order in which they are preferred. */
  agents: z.array(agentFit),
  /** Of several that can be used: the one that the newest run in this repository used; null = none. */
  lastUsed: z.string().nullable(),
});

export type AgentFit = z.output<typeof agentFit>;
export type AgentList = z.output<typeof agentList>;
