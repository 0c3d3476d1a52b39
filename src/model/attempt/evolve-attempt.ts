// Folds the events of attempts and their launches.

import { unreachable } from '../../std/assert.ts';
import type { Attempt } from '../core/attempt.ts';
import type { Changed, EffectKind, RunEvent } from '../core/events.ts';
import { attemptOf, attemptOfLaunch, launchOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { attemptNext, next, workspaceNext } from '../core/states.ts';
import { yieldsTo } from './stopping.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<
  | 'record.written'
  | 'record.pinned'
  | 'record.deferred'
  | 'session.renewed'
  | 'attempt.parked'
  | 'attempt.unparked'
  | 'workspace.ready'
  | 'workspace.saved'
  | 'stop.asked'
  | 'attempt.finished'
  | 'evidence.recorded'
  | 'attempt.ended'
  | 'effect.failed'
>;

export function evolveAttempt(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'record.written': {
      const attempt = attemptOfLaunch(run, event.launchId);
      launchOf(attempt).written = event.end;
      launchOf(attempt).pinned = null;
      return succeeded(attempt, 'write');
    }
    case 'record.pinned':
      launchOf(attemptOfLaunch(run, event.launchId)).pinned = { recordId: event.recordId, codec: event.codec };
      return;
    case 'record.deferred': {
      const attempt = attemptOfLaunch(run, event.launchId);
      if (event.end !== undefined) launchOf(attempt).written = event.end;
      return succeeded(attempt, 'write');
    }
    default:
      return evolveOne(run, attemptOf(run, event.attemptId), event);
  }
}

function evolveOne(run: Run, attempt: Attempt, event: Exclude<Concerned, { type: `record.${string}` }>): void {
  switch (event.type) {
    case 'workspace.ready':
      attempt.state = next(attemptNext, attempt.state, 'prepared');
      attempt.workspace.state = next(workspaceNext, attempt.workspace.state, 'prepared');
      attempt.workspace.path = event.path;
      attempt.workspace.base = event.base;
      if (attempt.origin.base === '') attempt.origin.base = event.base;
      attempt.workspace.notes = event.notes ?? [];
      return succeeded(attempt, 'prepare');
    case 'workspace.saved':
      attempt.state = next(attemptNext, attempt.state, 'saved');
      attempt.workspace.state = next(workspaceNext, attempt.workspace.state, 'saved');
      attempt.workspace.ref = event.ref;
      attempt.workspace.commit = event.commit;
      attempt.workspace.notes = [...attempt.workspace.notes, ...(event.notes ?? [])];
      attempt.workspace.changed = event.changed ?? nothingChanged;
      attempt.workspace.uncommitted = event.uncommitted ?? 0;
      return succeeded(attempt, 'save');
    case 'session.renewed':
      // A first launch with a new session is no renewal.
      if (attempt.launches.count > 0) attempt.launches.renewals += 1;
      return;
    case 'attempt.parked':
      if (event.why.kind !== 'asks') attempt.stop = null;
      return;
    case 'attempt.unparked':
      // A launch after a loss keeps counting: a host that keeps dying must not relaunch for ever.
      if (attempt.parking.parked?.why.kind !== 'asks' && attempt.launches.current?.state !== 'lost')
        attempt.launches.afterPause += 1;
      return;
    case 'stop.asked':
      if (attempt.stop !== null && !yieldsTo(attempt.stop.reason, event.reason)) return;
      attempt.stop = { reason: event.reason, detail: event.detail, at: event.at };
      if (event.reason === 'stall') attempt.launches.stalls += 1;
      return;
    case 'attempt.finished':
      attempt.state = next(attemptNext, attempt.state, 'finished');
      attempt.result.verdict = event.verdict;
      return;
    case 'evidence.recorded':
      attempt.result.evidence = event.items;
      return succeeded(attempt, 'prove');
    case 'attempt.ended':
      return endAttempt(run, attempt, event);
    case 'effect.failed': {
      const times = (attempt.failing[event.effect]?.times ?? 0) + 1;
      attempt.failing[event.effect] = { times, at: event.at, message: event.message };
      return;
    }
    default:
      unreachable(event);
  }
}

function endAttempt(run: Run, attempt: Attempt, event: Of<'attempt.ended'>): void {
  attempt.state = next(attemptNext, attempt.state, 'ended');
  attempt.result.verdict = event.verdict;
  run.live.delete(attempt.id);
  if (attempt.launches.current !== null) run.liveByLaunch.delete(attempt.launches.current.id);
}

const nothingChanged: Changed = { paths: [], total: 0 };

/** The effect succeeded: earlier failures no longer count. */
export function succeeded(attempt: Attempt, effect: EffectKind): void {
  delete attempt.failing[effect];
}
