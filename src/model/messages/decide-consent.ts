// Decisions on whether agents of two runs may write to each other. A person says so once for a pair, in either run; a no counts
// more than a yes.

import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import type { RunId, TaskId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { Message } from './message.ts';
import { type Consent, type OtherRun, refusalWords, runWords, underWayTo } from './other-run.ts';
import { sendOwnMessage } from './own-message.ts';

type DecideGate = Extract<Command, { type: 'answerAsk' }>;

export function decideConsent(run: Run, command: DecideGate, now: number): Decision {
  const { askId, approved, by, message } = command;
  const otherRun = [...run.otherRuns.values()].find(({ asked }) => asked?.askId === askId);
  if (otherRun === undefined) return refused('unknown', `nobody waits for an answer to ${askId}`);
  const { consent } = otherRun;
  if (consent !== null) {
    if (consent.approved === approved && consent.by === by) return refused('stale', `${askId} is decided`);
    const how = consent.approved ? 'approved' : 'rejected';
    return refused('notAllowed', `${consent.by} has ${how} it already, at ${new Date(consent.at).toISOString()}`);
  }
  if (run.state !== 'running') return refused('notAllowed', `the run is ${run.state}: nobody of it writes any more`);
  if (command.remember !== null) return refused('notAllowed', 'it is remembered anyway: it holds for both runs');
  if (Object.keys(command.values ?? {}).length > 0 || (command.choice ?? null) !== null) {
    return refused('notAllowed', 'there is nothing to fill in or to choose: approve or reject it');
  }
  const given: RunEventBody = {
    type: 'consent.given',
    askId,
    withRun: otherRun.runId,
    runName: otherRun.name,
    approved,
    by,
    message,
    decidedAt: now,
  };
  const no = { approved, by, message, at: now };
  return decided([given, ...(approved ? [] : returnAll(run, otherRun, refusalWords(otherRun, no), now))]);
}

/** What a person has said in the other run holds here as well. */
export function heardConsent(
  run: Run,
  { from, runName, consent }: { readonly from: RunId; readonly runName: string; readonly consent: Consent },
  now: number,
): RunEventBody[] {
  const otherRun = run.otherRuns.get(from);
  const known = otherRun?.consent ?? null;
  if (known !== null && (known.approved === consent.approved || !known.approved)) return [];
  const { approved, by, message, at: decidedAt } = consent;
  const given = { approved, by, message, decidedAt };
  return [
    { type: 'consent.given', askId: null, withRun: from, runName, ...given },
    ...(approved || otherRun === undefined ? [] : returnAll(run, otherRun, refusalWords(otherRun, consent), now)),
  ];
}

function returnAll(run: Run, otherRun: OtherRun, why: string, now: number): RunEventBody[] {
  return returned(run, otherRun, underWayTo(otherRun), why, now);
}

/** They will not be read: each of their senders that is still there is told once. */
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

/** By task, those that can still be told. */
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
