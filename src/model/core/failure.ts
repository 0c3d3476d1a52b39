// Why work fails: one closed list, and for each reason whether another attempt could end differently.

export const failureReasons = [
  'crash',
  'timeout',
  'stall',
  'invalid-output',
  'context-overflow',
  'max-output',
  'refusal',
  'auth',
  'billing',
  'max-turns',
  'rate-limit',
  'unavailable',
  'quota',
  'budget',
  'out-of-memory',
  'disk',
  'output-limit',
  'setup-failed',
  'check-failed',
  'unverified',
  'rejected',
  'out-of-scope',
  'conflict',
  'contract',
  'spawn-refused',
  'lost',
  'stopped',
] as const;

export type FailureReason = (typeof failureReasons)[number];

export interface Failure {
  readonly reason: FailureReason;
  /** One sentence for a person; never parsed. */
  readonly detail: string;
  /** What a failed check printed, without banners; bounded. */
  readonly printed?: string;
  /** The log with all that it printed. */
  readonly log?: string;
}

/** A process may also be ended because its work is done, or goes on later. */
export function isFailure(reason: FailureReason | 'finished' | 'parked'): reason is FailureReason {
  return reason !== 'finished' && reason !== 'parked';
}

/** Its author can give what is missing: the work is there, and what is wrong with it can be told. */
export function lacksEvidence({ reason }: Failure): boolean {
  return reason === 'check-failed' || reason === 'out-of-scope';
}

/** false = the same attempt again would meet the same wall: a person or a change is needed. */
export const curedByRetry: Readonly<Record<FailureReason, boolean>> = {
  crash: true,
  timeout: true,
  stall: true,
  'invalid-output': true,
  'context-overflow': true,
  'max-output': true,
  refusal: false,
  auth: false,
  billing: false,
  'max-turns': false,
  'rate-limit': true,
  unavailable: true,
  quota: true,
  budget: false,
  'out-of-memory': true,
  disk: true,
  'output-limit': false,
  'setup-failed': true,
  'check-failed': true,
  // Its work is there, and nobody could say whether it is good: doing it again would not tell.
  unverified: false,
  rejected: false,
  'out-of-scope': true,
  conflict: true,
  contract: false,
  'spawn-refused': true,
  lost: true,
  stopped: false,
};
