// Folds the events of launches: an attempt's processes, one after the other.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { attemptOf, attemptOfLaunch, launchOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { attemptNext, launchNext, next } from '../core/states.ts';
import { isMetered } from '../spending/allowance.ts';
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
      launch.codec = event.codec;
      return succeeded(attempt, 'watch');
    case 'launch.signalled':
      launch.signalled = { rung: event.rung, at: event.at };
      return succeeded(attempt, 'signal');
    case 'launch.ended':
    case 'launch.lost':
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
  if (attempt.launches.current !== null) run.liveByLaunch.delete(attempt.launches.current.id);
  attempt.launches.count += 1;
  // These reasons ended only the launch before, not the attempt.
  if (['finished', 'stall', 'parked'].includes(attempt.stop?.reason ?? '')) attempt.stop = null;
  attempt.launches.current = {
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
  };
  run.liveByLaunch.set(event.launchId, attempt);
}
