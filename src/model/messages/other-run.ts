// Another run with which agents of this one exchange messages: a person's consent, and the messages that wait for it or for
// delivery. Part of a run's state, written only by evolve-other-runs.ts.

import type { RunId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { Message } from './message.ts';

export interface OtherRun {
  readonly runId: RunId;
  /** The name of that run. */
  name: string;
  /** A person's answer, here or there; null = none yet. */
  consent: Consent | null;
  /** Messages that wait for consent, in order. */
  held: readonly OutMessage[];
  /** What is to be delivered to the other run, in order; the first may be on its way. */
  outbox: readonly OutPost[];
  /** How many were ever put there; each is numbered. */
  posts: number;
  /** The number of the last message received from the other run; recognises repeated deliveries. */
  heard: number;
  /** When messages came from it, in the last minute. */
  heardAt: readonly number[];
}

/** One consent of a person for all messages between two runs, in both directions. */
export interface Consent {
  readonly approved: boolean;
  readonly by: string;
  readonly message: string | null;
  readonly at: number;
}

export interface OutMessage {
  readonly message: Message;
  /** The name of the receiving task in that run. */
  readonly toName: string;
}

/** Without a message it only reports the consent to the other run. */
export type OutPost = { readonly n: number } & (OutMessage | { readonly message: null });

export function newOtherRun(runId: RunId, name: string): OtherRun {
  const nothing = { consent: null, held: [], outbox: [], posts: 0, heard: 0, heardAt: [] };
  return { runId, name, ...nothing };
}

/** All messages that were not delivered yet. */
export function underWayTo({ held, outbox }: OtherRun): Message[] {
  return [...held, ...outbox].flatMap(({ message }) => message ?? []);
}

/** Whether it still has something to send to other runs: then it stays open, even if it has ended. */
export function hasPosts({ messages: { otherRuns } }: Pick<Run, 'messages'>): boolean {
  for (const { outbox } of otherRuns.values()) if (outbox.length > 0) return true;
  return false;
}

export function runWords({ runId, name }: Pick<OtherRun, 'runId' | 'name'>): string {
  return `run "${name}" (${runId})`;
}

export function refusalWords(otherRun: Pick<OtherRun, 'runId' | 'name'>, { by, at, message }: Consent): string {
  const why = message === null || message === '' ? '' : `: ${message}`;
  return `${by} said no to messages between this run and ${runWords(otherRun)} at ${new Date(at).toISOString()}${why}`;
}
