// Folds events between this run and other runs.

import { must, unreachable } from '../../std/assert.ts';
import { childLimitsOf } from '../core/child-limits.ts';
import type { RunEvent } from '../core/events.ts';
import type { RunId } from '../core/ids.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { lately } from '../core/timing.ts';
import type { Message } from './message.ts';
import { newOtherRun, type OtherRun, type OutMessage, type OutPost } from './other-run.ts';
import type { OtherRunEvent as Body } from './other-run-events.ts';

type OtherRunEvent = Extract<RunEvent, Body>;
type Of<Type extends Body['type']> = Extract<RunEvent, { type: Type }>;

export function evolveOtherRuns(run: Run, event: OtherRunEvent): void {
  switch (event.type) {
    case 'message.outbound':
      return noteWritten(run, event);
    case 'consent.given':
      return noteConsent(meet(run, event.withRun, event.runName), event);
    case 'message.posted': {
      const otherRun = otherRunOf(run, event.toRun);
      otherRun.outbox = otherRun.outbox.filter(({ n }) => n !== event.n);
      return;
    }
    case 'message.returned': {
      const otherRun = otherRunOf(run, event.toRun);
      const isBack = ({ message }: OutMessage | OutPost): boolean =>
        message !== null && event.messages.includes(message.id);
      otherRun.held = otherRun.held.filter((each) => !isBack(each));
      otherRun.outbox = otherRun.outbox.filter((each) => !isBack(each));
      return;
    }
    default:
      unreachable(event);
  }
}

function noteWritten(run: Run, { toRun, runName, toName, message }: Of<'message.outbound'>): void {
  run.messages.count += 1;
  const otherRun = meet(run, toRun, runName);
  if (otherRun.consent?.approved === true) put(otherRun, { message, toName });
  else otherRun.held = [...otherRun.held, { message, toName }];
  noteSender(run, message);
}

function noteConsent(otherRun: OtherRun, event: Of<'consent.given'>): void {
  const { approved, by, message, decidedAt } = event;
  otherRun.consent = { approved, by, message, at: decidedAt };
  // The other run learns of the consent before any message; otherwise it would ask a person again for the reply.
  if (event.here) put(otherRun, { message: null });
  if (!approved) return;
  for (const each of otherRun.held) put(otherRun, each);
  otherRun.held = [];
}

function put(otherRun: OtherRun, what: OutMessage | { readonly message: null }): void {
  otherRun.posts += 1;
  otherRun.outbox = [...otherRun.outbox, { n: otherRun.posts, ...what }];
}

/** A message that came from another run. */
export function noteHeard(run: Run, { foreign, at }: Message): void {
  if (foreign === undefined) return;
  const otherRun = meet(run, foreign.runId, foreign.run);
  otherRun.heard = foreign.n;
  otherRun.heardAt = lately(otherRun.heardAt, at).slice(-childLimitsOf(run).messagesPerMinute);
}

/** The rate of an agent's messages is limited, whatever their receivers. */
export function noteSender(run: Run, { from: id, kind, foreign, at }: Message): void {
  if (id === undefined || kind !== 'message' || foreign !== undefined) return;
  const from = agentOf(run, id);
  from.mailbox.sentAt = lately(from.mailbox.sentAt, at).slice(-childLimitsOf(run).messagesPerMinute);
}

function meet(run: Run, runId: RunId, name: string): OtherRun {
  let otherRun = run.messages.otherRuns.get(runId);
  if (otherRun === undefined) run.messages.otherRuns.set(runId, (otherRun = newOtherRun(runId, name)));
  otherRun.name = name;
  return otherRun;
}

function otherRunOf({ messages: { otherRuns } }: Run, id: RunId): OtherRun {
  return must(otherRuns.get(id), `${id} was written to`);
}
