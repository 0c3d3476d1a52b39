// When an attempt gets another process, and what that one is told.

import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { launchId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import { launchesMax, stallsMax } from '../core/timing.ts';
import { ownRecord } from '../messages/own-record.ts';
import { isInput } from '../messages/record-queue.ts';
import type { Turn } from '../session/agent-fact.ts';
import { unheardBy } from '../session/answered-calls.ts';
import { interruptedNote } from '../session/interrupted-note.ts';

export function intendLaunch(attempt: Attempt, resume: boolean): RunEventBody {
  const id = launchId(attempt.id, attempt.launches + 1);
  return { type: 'launch.intended', launchId: id, attemptId: attempt.id, resume };
}

/** A lost process is started again, and so is a silent one, and one that ended before it took up its input records. */
export function mustRelaunch(
  run: Run,
  attempt: Attempt,
  agent: Agent,
  turn: Turn | null,
  status: number | null,
): boolean {
  if (run.state === 'stopping') return false;
  if (attempt.stop?.reason === 'stall') return mayGoOnAfterStall(attempt, agent);
  if (launchesInTrouble(attempt) >= launchesMax) return false;
  if (attempt.stop !== null && attempt.stop.reason !== 'finished' && !wasToRest(attempt)) return false;
  // Who was told to end had ended a turn: without one it was at work on what it had been told after that.
  const endedAtWork = status === null || attempt.stop !== null;
  if (lostSession(attempt, agent) || turn === null) return lostSession(attempt, agent) || endedAtWork;
  // A record taken up after a turn starts another: with its turn over the agent has only its input records to go on with.
  return turn.kind === 'ok' && agent.mailbox.records.some(isInput);
}

/** Its process was only given up because nobody had anything to say to it. */
function wasToRest({ stop, parking: { brake } }: Attempt): boolean {
  return stop?.reason === 'parked' && brake?.kind === 'waits';
}

/** The first one, and those that followed a process that was lost. */
export function launchesInTrouble({ launches, launchesAfterPause, renewals, stalls }: Attempt): number {
  return launches - launchesAfterPause - renewals - stalls;
}

/** Whoever has no session and has begun would have to do all of it again: that is another attempt. */
function mayGoOnAfterStall(attempt: Attempt, agent: Agent): boolean {
  const begun = !agent.mailbox.records.some(isInput);
  return attempt.stalls <= stallsMax && (agent.session !== null || !begun || lostSession(attempt, agent));
}

/** The intent, then what the new process is told. */
export function relaunch(
  attempt: Attempt,
  agent: Agent,
  inFlight: readonly string[] = [],
): [RunEventBody, ...RunEventBody[]] {
  if (agent.session === null) return [intendLaunch(attempt, false), ...untoldTask(attempt, agent)];
  const stalled = attempt.stop?.reason === 'stall';
  const news = stalled || inFlight.length > 0 || unheardBy(agent) !== null;
  const intent = intendLaunch(attempt, true);
  return news || !agent.mailbox.records.some(isInput)
    ? [intent, interrupted(attempt, agent, inFlight, stalled)]
    : [intent];
}

/** A process without a session knows nothing: it is told its task first, unless the prompt is among its input records already. */
export function untoldTask(attempt: Attempt, { session, mailbox: { records } }: Agent): RunEventBody[] {
  if (session !== null || records.some((message) => isInput(message) && message.body.kind === 'prompt')) return [];
  return [ownRecord(attempt, { kind: 'prompt', again: attempt.launches > 0 })];
}

/** The session is not there: the launch that was to take it up starts a new one instead. */
export function beginAnew(attempt: Attempt, agent: Agent): RunEventBody[] {
  return [{ type: 'agent.sessionLost', agentId: agent.id }, ownRecord(attempt, { kind: 'prompt', again: true })];
}

/** The process was to go on with a session, and said that there is none. */
function lostSession({ launch }: Attempt, agent: Agent): boolean {
  return launch?.resume === true && agent.session === null;
}

/** What a resumed session is told: what may have happened meanwhile. */
export function interrupted(
  attempt: Attempt,
  agent: Agent,
  inFlight: readonly string[] = [],
  stalled = false,
): RunEventBody {
  return ownRecord(attempt, { kind: 'text', text: interruptedNote(inFlight, unheardBy(agent), stalled) });
}
