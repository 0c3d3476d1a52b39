// What to do when an agent's context window fills up, as a task or a role sets it.

/** `compact`: the agent compacts its session. `handoff`: a new session begins from its handoff. `fail`: the attempt fails. */
export const contextWays = ['compact', 'handoff', 'fail'] as const;

export interface ContextSpec {
  readonly how: (typeof contextWays)[number];
  /** The fill level from which on this holds. */
  readonly percent: number;
}

export const usualContext: ContextSpec = { how: 'compact', percent: 80 };
