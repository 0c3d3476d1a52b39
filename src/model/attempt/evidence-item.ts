// One piece of evidence, as it stands in the journal.

/** One thing that was looked at, and what shows it. */
export interface EvidenceItem {
  readonly check: string;
  readonly passed: boolean;
  readonly detail: string;
  /** The git tree that it holds for. */
  readonly tree?: string;
  /** A hash of all that the result is taken to depend on: tree, command, environment. */
  readonly key?: string;
  /** The file with what the command printed, below the directory of results. */
  readonly log?: string;
  /** What a failed one printed around its failure and at its end, without banners; bounded. */
  readonly printed?: string;
  /** How long its runs took together. */
  readonly ms?: number;
  /** How often it was run; passed and more than once = it is flaky. */
  readonly runs?: number;
  /** The result was there already: nothing was run for it. */
  readonly known?: boolean;
}
