// What is done when an agent's context window fills up, as a task or a role says it.

/** `compact`: its agent makes its conversation shorter. `handoff`: a new one begins from what it hands over. `fail`: the attempt fails. */
export const contextWays = ['compact', 'handoff', 'fail'] as const;

export interface ContextSpec {
  readonly how: (typeof contextWays)[number];
  /** From how full on. */
  readonly percent: number;
}

export const usualContext: ContextSpec = { how: 'compact', percent: 80 };
