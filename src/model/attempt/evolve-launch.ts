// Folds the events of launches: an attempt's processes, one after the other.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, attemptOfLaunch, launchOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { attemptNext, launchNext, next } from '../core/states.ts';
import { dropControl, moveAllRecords, tryDeferred } from '../messages/record-queue.ts';
import { saidLast } from '../session/last-words.ts';
import { isMetered } from '../spending/allowance.ts';
import { spendTime } from '../spending/evolve-spending.ts';
import { succeeded } from './evolve-attempt.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export function evolveLaunch(
  run: Run,
  event: Of<'launch.intended' | 'launch.started' | 'launch.read' | 'launch.signalled' | 'launch.ended' | 'launch.lost'>,
): void {
  if (event.type === 'launch.intended') return intendLaunch(run, event);
  const attempt = attemptOfLaunch(run, event.launchId);
  const launch = launchOf(attempt);
  switch (event.type) {
    case 'launch.started':
      attempt.state = next(attemptNext, attempt.state, 'launched');
      launch.state = next(launchNext, launch.state, 'started');
      launch.process = event.process;
      launch.startedAt = event.at;
      return succeeded(attempt, 'launch');
    case 'launch.read':
      launch.offset = event.offset;
      if (event.codec !== launch.codec) tryDeferred(agentOf(run, attempt.agentId));
      launch.codec = event.codec;
      return succeeded(attempt, 'watch');
    case 'launch.signalled':
      launch.signalled = { rung: event.rung, at: event.at };
      return succeeded(attempt, 'signal');
    case 'launch.ended':
    case 'launch.lost':
      agentOf(run, attempt.agentId).memory.inFlight = event.inFlight ?? [];
      attempt.unfinished = event.unfinished ?? attempt.unfinished;
      spendTime(run, taskOf(run, attempt.taskId), Math.max(0, event.at - (launch.startedAt ?? event.at)));
      attempt.state = next(attemptNext, attempt.state, 'down');
      launch.state = next(launchNext, launch.state, event.type === 'launch.ended' ? 'ended' : 'lost');
      return;
    default:
      unreachable(event);
  }
}

function intendLaunch(run: Run, event: Of<'launch.intended'>): void {
  const attempt = attemptOf(run, event.attemptId);
  attempt.state = next(attemptNext, attempt.state, 'launchIntended');
  if (attempt.launch !== null) run.liveByLaunch.delete(attempt.launch.id);
  attempt.launches += 1;
  attempt.unfinished = saidLast(attempt);
  attempt.turn = null;
  attempt.idleSince = 0;
  // It had nothing more to do, or had gone silent, until this launch.
  if (['finished', 'stall', 'parked'].includes(attempt.stop?.reason ?? '')) attempt.stop = null;
  if (attempt.brake?.kind === 'waits') attempt.brake = null;
  attempt.launch = {
    id: event.launchId,
    resume: event.resume,
    intendedAt: event.at,
    asks: isMetered(run, taskOf(run, attempt.taskId)),
    state: 'intended',
    startedAt: null,
    process: null,
    offset: 0,
    codec: null,
    written: 0,
    pinned: null,
    signalled: null,
    refused: false,
  };
  run.liveByLaunch.set(event.launchId, attempt);
  // What the former process had not taken up goes to the new one; what steered the former ends with it.
  const agent = agentOf(run, attempt.agentId);
  agent.messageCharsInTurn = 0;
  dropControl(agent);
  if (agent.memory.compaction === 'asked') agent.memory.compaction = 'tried';
  moveAllRecords(agent, 'launchGone');
  tryDeferred(agent);
}
