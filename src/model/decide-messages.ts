// Messages that agents get without asking, one decision at a time: that a task has ended, which of their messages will not be
// read, that a wait is over, and the messages that can be delivered now. If there are none, the next change of a team.

import { nextBundle } from './children/next-bundle.ts';
import { decideNextTold } from './children/notification.ts';
import { isResting } from './children/resting.ts';
import type { RunEventBody } from './core/events.ts';
import type { Run } from './core/run.ts';
import { decideNextOfTeams } from './lifecycle/decide-team.ts';
import { beforeNextTurn } from './lifecycle/handing-over.ts';
import { decideNextUndelivered } from './messages/undelivered.ts';
import { decideNextWoken } from './tool-calls/call-wait.ts';

export function decideNextMessage(run: Run, now: number): RunEventBody[] {
  if (run.state !== 'running') return [];
  const told = decideNextTold(run, now);
  if (told.length > 0) return told;
  const undelivered = decideNextUndelivered(run, now);
  if (undelivered.length > 0) return undelivered;
  const woken = decideNextWoken(run, now);
  if (woken.length > 0) return woken;
  for (const attempt of run.live.values()) {
    const bundle = nextBundle(run, attempt, now);
    if (bundle === null) continue;
    // Messages begin another turn of an agent that rests with its process: its session may be too long for one.
    const first = isResting(run, attempt) ? beforeNextTurn(run, attempt, [], 0) : [];
    return first.length > 0 ? first : [bundle];
  }
  return decideNextOfTeams(run, now);
}
