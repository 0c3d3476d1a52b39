// One piece of evidence, as it stands in the journal.

/** One thing that was checked, and what proves it. */
export interface EvidenceItem {
  readonly check: string;
  readonly passed: boolean;
  readonly detail: string;
  /** The git tree that it holds for. */
  readonly tree?: string;
  /** A hash of everything that the result depends on: tree, command, environment. */
  readonly key?: string;
  /** The file with the command's output, below the directory of results. */
  readonly log?: string;
  /** What a failed check printed around its failure and at its end, without banners; bounded. */
  readonly printed?: string;
  /** The duration of all its runs together. */
  readonly ms?: number;
  /** How often it ran; passed after more than one run = flaky. */
  readonly runs?: number;
  /** The result was cached: nothing ran for it. */
  readonly known?: boolean;
}
