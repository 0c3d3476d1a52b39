// Further attempts at a task.

/** Defaults of attempts beyond the first. */
export const usualTries = { conflictsMax: 2, sendBacksMax: 2 } as const;

export interface RetrySpec {
  readonly attemptsMax: number;
  /** Further attempts after conflicts with integrated work. */
  readonly conflictsMax: number;
  /** Further attempts for work that lacks evidence: it goes back to its author. Left out = none. */
  readonly sendBacksMax?: number;
  readonly delayMs: number;
  readonly delayMaxMs: number;
  /**
   * `continue`: a further attempt continues the session and the work of the one before. `auto`: continuing.ts decides. Left out
   * = it begins from scratch.
   */
  readonly how?: RetryHow;
}

export const retryHows = ['fresh', 'continue', 'auto'] as const;
export type RetryHow = (typeof retryHows)[number];
