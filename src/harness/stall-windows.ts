// For how long an agent of a kind may print nothing in the middle of a turn before it is taken for stuck, where its task does not
// say otherwise.

export interface StallWindows {
  readonly stallMs: number;
  /** While a call of its tools, or work of its own in the background, is under way. */
  readonly toolStallMs: number;
}

export const minuteMs = 60_000;
