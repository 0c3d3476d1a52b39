// Another run that agents of this one write to, or are written to by: whether a person has agreed to that, and the messages that
// wait for it or for their way. Part of a run's state, changed by the fold alone.

import type { RunId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { Message } from './message.ts';

export interface OtherRun {
  readonly runId: RunId;
  /** What that run is called. */
  name: string;
  /** What a person has said, here or there; null = nobody has said anything yet. */
  consent: Consent | null;
  /** Messages that wait for a person's word, in order. */
  held: readonly OutMessage[];
  /** What is to be handed to the other run, in order; the first may be on its way. */
  outbox: readonly OutPost[];
  /** How many things were ever put there: each has the number that it was. */
  posts: number;
  /** The number of the last message that was taken from the other run: what comes again is known by it. */
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
  /** The task that it is for, as it is called there. */
  readonly toName: string;
}

/** Without a message it tells the other run what a person has said. */
export type OutPost = { readonly n: number } & (OutMessage | { readonly message: null });

export function newOtherRun(runId: RunId, name: string): OtherRun {
  const nothing = { consent: null, held: [], outbox: [], posts: 0, heard: 0, heardAt: [] };
  return { runId, name, ...nothing };
}

/** All that has not arrived there. */
export function underWayTo({ held, outbox }: OtherRun): Message[] {
  return [...held, ...outbox].flatMap(({ message }) => message ?? []);
}

/** Whether it still has something for other runs: then it is not done with, even if it has ended. */
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
