// What an audit has to say: each thing that was verified, what could not be, and each defect with what it means. In the order of
// looking.

export interface Verified {
  /** A run, a commit, an artifact. */
  readonly what: string;
  readonly detail: string;
}

export interface Defect extends Verified {
  /** What follows from it. */
  readonly means: string;
}

export interface Report {
  readonly verified: Verified[];
  /** Nothing is wrong with it that could be seen, and nothing vouches for it. */
  readonly unchecked: Verified[];
  readonly defects: Defect[];
}

export function emptyReport(): Report {
  return { verified: [], unchecked: [], defects: [] };
}

/** Of a commit or an artifact as much as people compare. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}
