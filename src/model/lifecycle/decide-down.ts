// Decisions on the end of a process: whether its attempt is over, continues in another process, is parked, or a person is asked
// first.

import { slotPause } from '../asks/asks-alone.ts';
import { askAfterCrash, keptCalls } from '../asks/open-ask.ts';
import { expireRequests } from '../asks/permission-requests.ts';
import { mustRelaunch, relaunch } from '../attempt/relaunch.ts';
import { workVerdict } from '../attempt/verdict.ts';
import { restOf, restWords } from '../children/resting.ts';
import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import { type Command, type Decision, decided, stale } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { isFailure } from '../core/failure.ts';
import { agentOf, presentLaunch, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { stallsMax } from '../core/timing.ts';
import { isInput } from '../messages/record-queue.ts';
import type { ParkReason } from '../parking/admission.ts';
import { limitAfter, pauseAfter, pauseAtLaunch } from '../parking/parking.ts';
import type { Turn } from '../session/agent-fact.ts';
import type { BrokenOff } from '../session/session-events.ts';
import { usageSince } from '../spending/usage.ts';
import { isRenewed, renew } from './handing-over.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideDown(run: Run, command: Of<'down'>, now: number): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  const { attempt, launch } = found;
  const { status } = command;
  const events: RunEventBody[] = [
    status === null
      ? { type: 'launch.lost', launchId: launch.id, ...brokenOff(command) }
      : { type: 'launch.ended', launchId: launch.id, status, ...brokenOff(command) },
  ];
  events.push(...expireRequests(run, attempt, 'the process that asked is gone'));
  const turn = attempt.turn.ended ?? command.turn;
  if (turn !== attempt.turn.ended && turn !== null) {
    events.push({ type: 'turn.ended', agentId: attempt.agentId, attemptId: attempt.id, turn });
  }
  const agent = agentOf(run, attempt.agentId);
  events.push(...unrecorded(agent));
  const renewed = isRenewed(run, attempt, agent, turn);
  const why = parksAtEnd(run, attempt, turn, renewed);
  if (why !== null) {
    if (attempt.stop === null) events.push(...limitAfter(attempt, turn));
    events.push({ type: 'attempt.parked', attemptId: attempt.id, why });
  } else if (renewed) {
    events.push(...renew(run, attempt, command, now));
  } else if (asksFirst(run, attempt, agent, turn, status)) {
    events.push(...askAfterCrash(run, attempt, command.inFlight ?? []));
  } else if (mustRelaunch(run, attempt, agent, turn, status)) {
    const [intent, ...told] = relaunch(attempt, agent, command.inFlight);
    const wait = pauseAtLaunch(run, attempt, now) ?? slotPause(attempt);
    if (wait === null) events.push(intent, ...told);
    else events.push(...told, { type: 'attempt.parked', attemptId: attempt.id, why: wait });
  } else
    events.push({ type: 'attempt.finished', attemptId: attempt.id, verdict: workVerdict(run, attempt, turn, status) });
  return decided(events);
}

function brokenOff({ inFlight = [], unfinished }: Of<'down'>): BrokenOff {
  return {
    ...(inFlight.length === 0 ? {} : { inFlight: keptCalls(inFlight) }),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

/** A stop by us or by a person comes before any pause. */
function parksAtEnd(run: Run, attempt: Attempt, turn: Turn | null, renewed: boolean): ParkReason | null {
  const { stop, taskId } = attempt;
  // A command never pauses between requests: it ended well, and another launch would only repeat its work.
  if (turn?.kind === 'ok' && !taskOf(run, taskId).spec.spends) return null;
  if (run.state !== 'running' || (stop !== null && isFailure(stop.reason))) return null;
  // After a handoff a new session starts, whatever the former one waited for.
  if (stop !== null && stop.reason !== 'parked')
    return stop.reason === 'finished' && !renewed ? restAfter(run, attempt, turn) : null;
  // It was to rest, but has read a new record: it is at work.
  if (turn === null && attempt.parking.brake?.kind === 'waits') return null;
  return pauseAfter(run, attempt, turn) ?? restAfter(run, attempt, turn);
}

/** Parks an agent that rests until others have done something. */
function restAfter(run: Run, attempt: Attempt, turn: Turn | null): ParkReason | null {
  const rest = turn?.kind === 'ok' ? restOf(run, attempt) : null;
  return rest === null ? null : { kind: 'waits', detail: restWords(rest) };
}

/** Usage that the session reported and no result included: the process ended in the middle of a turn. */
function unrecorded({ id: agentId, taskId, spending: { metered, booked } }: Agent): RunEventBody[] {
  return usageSince(metered, booked).map((part) => ({ type: 'usage.recorded', agentId, taskId, ...part }));
}

/**
 * Whether a person is asked before the agent continues: what it did in the middle of a turn may have had effects outside its
 * workspace. An agent that has not read its prompt has done nothing.
 */
function asksFirst(run: Run, attempt: Attempt, agent: Agent, turn: Turn | null, status: number | null): boolean {
  if (taskOf(run, attempt.taskId).spec.onCrash !== 'ask' || run.state !== 'running') return false;
  const { stop } = attempt;
  // A stalled agent would be restarted, while its restarts last.
  const goesOn = stop?.reason === 'stall' && attempt.launches.stalls <= stallsMax;
  const isOurs = stop !== null && !goesOn && (isFailure(stop.reason) || stop.reason === 'parked');
  const inTurn = turn === null || (status === null && stop === null);
  return inTurn && !isOurs && (agent.session !== null || !agent.mailbox.records.some(isInput));
}
