// The report of an audit: what was verified, what could not be, and each defect with its meaning, in order.

export interface Verified {
  /** A run, a commit, an artifact. */
  readonly what: string;
  readonly detail: string;
}

export interface Defect extends Verified {
  /** What the defect means for the user. */
  readonly means: string;
}

export interface Report {
  readonly verified: Verified[];
  /** No defect was found, but nothing proves it either. */
  readonly unchecked: Verified[];
  readonly defects: Defect[];
}

export function emptyReport(): Report {
  return { verified: [], unchecked: [], defects: [] };
}

/** The part of a commit or artifact id that people compare. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

/** Of a commit that the journal names. */
export const gone = {
  detail: 'is missing from the repository of Signalbox',
  means: 'This integrated work is lost, unless another repository has it.',
} as const;
