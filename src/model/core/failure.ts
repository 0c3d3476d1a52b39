// Why work fails: one closed table of reasons. Every list of some of them is derived from its columns.

import type { LimitKind } from '../session/agent-fact.ts';
import type { EffectKind } from './events.ts';

interface Row {
  /** Whether it is retryable: another attempt may end differently. no = it would fail the same way: a person or a change is needed. */
  readonly retry: 'yes' | 'no';
  /** The work exists, and its author can be told what is wrong with it. */
  readonly evidence?: 'missing';
  /** No further message in the same session helps: the next attempt begins a new one. */
  readonly conversation?: 'useless';
  /** The process has exceeded a cap. killed = at once, since every second costs memory, disk or processes. */
  readonly cap?: 'killed' | 'stopped';
  /** The attempt is given up for this reason when one of these effects keeps failing. */
  readonly effects?: readonly EffectKind[];
  /** The model's service refuses for now: the agent waits for it. */
  readonly service?: LimitKind;
  /** More budget or time helps. */
  readonly means?: 'used up';
  /** It replaces the reason of a stop after which the agent would have continued. */
  readonly stop?: 'final';
}

const table = {
  crash: { retry: 'yes' },
  timeout: { retry: 'yes' },
  stall: { retry: 'yes', cap: 'stopped' },
  'invalid-output': { retry: 'yes', cap: 'stopped' },
  'context-overflow': { retry: 'yes', conversation: 'useless' },
  'max-output': { retry: 'yes' },
  refusal: { retry: 'no', conversation: 'useless' },
  auth: { retry: 'no' },
  billing: { retry: 'no', means: 'used up' },
  'max-turns': { retry: 'no' },
  'rate-limit': { retry: 'yes', service: 'rate', means: 'used up' },
  unavailable: { retry: 'yes', service: 'unavailable' },
  quota: { retry: 'yes', service: 'quota', means: 'used up' },
  budget: { retry: 'no', means: 'used up' },
  'out-of-memory': { retry: 'yes', cap: 'killed' },
  disk: { retry: 'yes', effects: ['write', 'save'] },
  'output-limit': { retry: 'no', cap: 'killed' },
  'setup-failed': { retry: 'yes', effects: ['prepare'] },
  'check-failed': { retry: 'yes', evidence: 'missing' },
  // The work exists but could not be verified: another attempt could not be verified either.
  unverified: { retry: 'no', effects: ['prove', 'integrate'], stop: 'final' },
  rejected: { retry: 'no' },
  'out-of-scope': { retry: 'yes', evidence: 'missing' },
  // Work that conflicts once would conflict again: the next attempt starts from the branch's head.
  conflict: { retry: 'yes', conversation: 'useless' },
  contract: { retry: 'no', conversation: 'useless' },
  'spawn-refused': { retry: 'yes', cap: 'killed', effects: ['launch'] },
  lost: { retry: 'yes', effects: ['watch', 'signal'] },
  stopped: { retry: 'no', stop: 'final' },
} as const satisfies Readonly<Record<string, Row>>;

export type FailureReason = keyof typeof table;

/** The reasons whose row has this column. */
type ReasonWith<Column extends keyof Row> = {
  [Reason in FailureReason]: Column extends keyof (typeof table)[Reason] ? Reason : never;
}[FailureReason];

export type CapReason = ReasonWith<'cap'>;

export interface Failure {
  readonly reason: FailureReason;
  /** One sentence for a person; never parsed. */
  readonly detail: string;
  /** What a failed check printed, without banners; bounded. */
  readonly printed?: string;
  /** The log with its whole output. */
  readonly log?: string;
}

const rows: Readonly<Record<FailureReason, Row>> = table;

export const failureReasons = Object.keys(rows) as FailureReason[];

/** A process may also be ended because its work is done, or continues later. */
export function isFailure(reason: FailureReason | 'finished' | 'parked'): reason is FailureReason {
  return reason !== 'finished' && reason !== 'parked';
}

export function isCuredByRetry(reason: FailureReason): boolean {
  return rows[reason].retry === 'yes';
}

export function lacksEvidence({ reason }: Failure): boolean {
  return rows[reason].evidence === 'missing';
}

export function needsNewConversation(reason: FailureReason): boolean {
  return rows[reason].conversation === 'useless';
}

/** The limit of the model's service that failed a turn; undefined = another reason. */
export function serviceLimitOf(reason: FailureReason): LimitKind | undefined {
  return rows[reason].service;
}

/** Reasons for which a process is killed without being asked to end. */
export const killedAtOnce = reasonsWhere(({ cap }) => cap === 'killed');

/** Reasons that replace an earlier one after which the agent would have continued. */
export const finalStops = reasonsWhere(({ stop }) => stop === 'final');

export const usedUpReasons = reasonsWhere(({ means }) => means === 'used up');

/** Why an attempt is given up when this effect keeps failing. */
export const reasonOfEffect = Object.fromEntries(
  failureReasons.flatMap((reason) => (rows[reason].effects ?? []).map((effect) => [effect, reason])),
) as Readonly<Record<EffectKind, FailureReason>>;

function reasonsWhere(holds: (row: Row) => boolean): ReadonlySet<string> {
  return new Set(failureReasons.filter((reason) => holds(rows[reason])));
}
