// Decisions on whether agents of two runs may write to each other. A person decides once for a pair, in either run; a no
// overrides a yes.

import type { Answer, AskOf } from '../asks/ask.ts';
import { consentAskedFor } from '../asks/find-asks.ts';
import type { RunEventBody } from '../core/events.ts';
import type { AskId, RunId, TaskId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { Message } from '../messages/message.ts';
import { type Consent, type OtherRun, refusalWords, runWords, underWayTo } from '../messages/other-run.ts';
import { sendOwnMessage } from '../messages/own-message.ts';

/** A decision made in this run is sent to the other run. */
export function giveConsent(
  run: Run,
  { withRun, runName }: AskOf<'consent'>,
  answer: Answer,
  now: number,
): RunEventBody[] {
  const { approved, by, message } = answer;
  const given = { withRun, runName, here: true, approved, by, message, decidedAt: now };
  return [
    { type: 'consent.given', ...given },
    ...returnIfRefused(run, withRun, { approved, by, message, at: now }, now),
  ];
}

/** A decision made in the other run holds here too. */
export function heardConsent(
  run: Run,
  { from, runName, consent }: { readonly from: RunId; readonly runName: string; readonly consent: Consent },
  now: number,
): RunEventBody[] {
  const known = run.messages.otherRuns.get(from)?.consent ?? null;
  if (known !== null && (known.approved === consent.approved || !known.approved)) return [];
  const asked = consentAskedFor(run, from);
  const { approved, by, message, at: decidedAt } = consent;
  return [
    { type: 'consent.given', withRun: from, runName, here: false, approved, by, message, decidedAt },
    ...(asked?.state === 'open' ? [overBy(asked.id, by)] : []),
    ...returnIfRefused(run, from, consent, now),
  ];
}

function overBy(askId: AskId, by: string): RunEventBody {
  return { type: 'ask.expired', askId, why: `${by} answered it in the other run`, values: null };
}

/** After a no, held and undelivered messages are returned. */
function returnIfRefused(run: Run, withRun: RunId, consent: Consent, now: number): RunEventBody[] {
  const otherRun = run.messages.otherRuns.get(withRun);
  if (consent.approved || otherRun === undefined) return [];
  return returned(run, otherRun, underWayTo(otherRun), refusalWords(otherRun, consent), now);
}

/** These messages will not be read: each sender that still exists is notified once. */
export function returned(
  run: Run,
  { runId, name }: OtherRun,
  messages: readonly Message[],
  why: string,
  now: number,
): RunEventBody[] {
  if (messages.length === 0) return [];
  const ids = messages.map(({ id }) => id);
  const told = [...sendersOf(run, messages)].map(([to, own], i) => {
    const text = `Not delivered: ${own.join(', ')} to ${runWords({ runId, name })}. ${why}`;
    return sendOwnMessage(run, now, { to, kind: 'message', type: 'not-delivered', text }, i + 1);
  });
  return [{ type: 'message.returned', toRun: runId, messages: ids, why }, ...told];
}

/** The senders that can still be notified, by task. */
function sendersOf(run: Run, messages: readonly Message[]): Map<TaskId, string[]> {
  const senders = new Map<TaskId, string[]>();
  if (run.state !== 'running') return senders;
  for (const { id, from } of messages) {
    const task = from === undefined ? undefined : run.tasks.get(run.agents.get(from)?.taskId ?? 'task_');
    if (task === undefined || task.state === 'ended') continue;
    senders.set(task.spec.id, [...(senders.get(task.spec.id) ?? []), id]);
  }
  return senders;
}
