// When an attempt gets another launch, and what the agent reads in it.

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
  const id = launchId(attempt.id, attempt.launches.count + 1);
  return { type: 'launch.intended', launchId: id, attemptId: attempt.id, resume };
}

/** A lost process is started again, and so is a stalled one, and one that ended before it read its input records. */
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
  // An agent is asked to end only between turns. If it has none that ended, it was working on records written after that.
  const endedAtWork = status === null || attempt.stop !== null;
  if (lostSession(attempt, agent) || turn === null) return lostSession(attempt, agent) || endedAtWork;
  // The turn is over: a further one needs an unread input record.
  return turn.kind === 'ok' && agent.mailbox.records.some(isInput);
}

/** The process ended only because the agent waited for something. */
function wasToRest({ stop, parking: { brake } }: Attempt): boolean {
  return stop?.reason === 'parked' && brake?.kind === 'waits';
}

/** The first launch, and launches after a lost process. */
export function launchesInTrouble({ launches: { count, afterPause, renewals, stalls } }: Attempt): number {
  return count - afterPause - renewals - stalls;
}

/** An agent without a session that has begun would have to start over: that takes another attempt. */
function mayGoOnAfterStall(attempt: Attempt, agent: Agent): boolean {
  const begun = !agent.mailbox.records.some(isInput);
  return attempt.launches.stalls <= stallsMax && (agent.session !== null || !begun || lostSession(attempt, agent));
}

/** The intent, then the records that the new process reads. */
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

/** A process without a session needs the prompt first, unless the prompt is among its input records already. */
export function untoldTask(attempt: Attempt, { session, mailbox: { records } }: Agent): RunEventBody[] {
  if (session !== null || records.some((message) => isInput(message) && message.body.kind === 'prompt')) return [];
  return [ownRecord(attempt, { kind: 'prompt', again: attempt.launches.count > 0 })];
}

/** The session no longer exists: the launch that was to resume it starts a new one instead. */
export function beginAnew(attempt: Attempt, agent: Agent): RunEventBody[] {
  return [{ type: 'agent.sessionLost', agentId: agent.id }, ownRecord(attempt, { kind: 'prompt', again: true })];
}

/** The process was to resume a session, and reported that it does not exist. */
function lostSession({ launches: { current: launch } }: Attempt, agent: Agent): boolean {
  return launch?.resume === true && agent.session === null;
}

/** The note to a resumed session about what may have happened meanwhile. */
export function interrupted(
  attempt: Attempt,
  agent: Agent,
  inFlight: readonly string[] = [],
  stalled = false,
): RunEventBody {
  return ownRecord(attempt, { kind: 'text', text: interruptedNote(inFlight, unheardBy(agent), stalled) });
}
