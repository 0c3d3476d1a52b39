// Decisions on a failed effect: retry later, and give the attempt up at the limit.

import { must } from '../../std/assert.ts';
import { askStop, breakOffReason, isEnding } from '../attempt/stopping.ts';
import type { Attempt } from '../core/attempt.ts';
import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { type Failure, reasonOfEffect } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { effectFailuresMax, integrationsMax } from '../core/timing.ts';
import { endAttempt, noConsequences } from '../tasks/end-task.ts';

type EffectFailed = Extract<Command, { type: 'effectFailed' }>;

export function decideEffectFailed(run: Run, command: EffectFailed): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt === undefined || !isDue(attempt, command.effect)) {
    return refused('stale', `${command.effect} of ${command.attemptId} is no longer due`);
  }
  const { effect, code, message } = command;
  const noted: RunEventBody = { type: 'effect.failed', attemptId: attempt.id, effect, code, message };
  const times = (attempt.failing[effect]?.times ?? 0) + 1;
  if (effect === 'integrate') return decideHindered(run, attempt, command, noted, times);
  const broken = effect === 'prepare' || effect === 'prove' ? breakOffReason(run, attempt) : null;
  if (broken !== null) return giveUp(run, attempt, command, noted, broken);
  // A setup that failed did so by itself: retrying it is up to the task's retry policy.
  if (times < effectFailuresMax[effect] && code !== 'setup_failed') return decided([noted]);
  return giveUp(run, attempt, command, noted, { reason: reasonOfEffect[effect], detail: `${effect}: ${message}` });
}

/** A failed try may have integrated the work: at the limit the engine only asks whether it did, and gives up much later. */
function decideHindered(
  run: Run,
  attempt: Attempt,
  command: EffectFailed,
  noted: RunEventBody,
  times: number,
): Decision {
  const failure: Failure = { reason: reasonOfEffect.integrate, detail: `integrate: ${command.message}` };
  const broken = breakOffReason(run, attempt);
  if (times >= integrationsMax) return giveUp(run, attempt, command, noted, broken ?? failure);
  if (times < effectFailuresMax.integrate || broken !== null) return decided([noted]);
  return decided([noted, { type: 'stop.asked', attemptId: attempt.id, ...failure }]);
}

export function decideExceeded(run: Run, command: Extract<Command, { type: 'exceeded' }>): Decision {
  const attempt = run.liveByLaunch.get(command.launchId);
  if (attempt?.state !== 'running' || attempt.launches.current?.id !== command.launchId || isEnding(attempt)) {
    return refused('stale', `${command.launchId} is past that`);
  }
  return decided(askStop(attempt, command.reason, command.detail));
}

function giveUp(run: Run, attempt: Attempt, command: EffectFailed, noted: RunEventBody, failure: Failure): Decision {
  switch (command.effect) {
    case 'launch': {
      // Whether the process exists is unknown: from here on it is watched and stopped like any other.
      const launchId = must(attempt.launches.current, 'it was launching').id;
      const stop = askStop(attempt, failure.reason, failure.detail);
      return decided([noted, ...stop, { type: 'launch.started', launchId, process: null }]);
    }
    case 'write':
      return decided([noted, ...askStop(attempt, failure.reason, failure.detail)]);
    case 'prepare':
    case 'save':
    case 'prove':
    case 'integrate': {
      const all = noConsequences(noted);
      endAttempt(run, attempt, { kind: 'failed', failure }, '', all);
      return decided(all.events);
    }
    case 'watch':
    case 'signal':
      return decided([noted]);
  }
}

function isDue(attempt: Attempt, effect: EffectFailed['effect']): boolean {
  switch (effect) {
    case 'prepare':
      return attempt.state === 'preparing';
    case 'launch':
      return attempt.state === 'launching';
    case 'watch':
    case 'write':
    case 'signal':
      return attempt.state === 'running';
    case 'save':
      return attempt.state === 'saving';
    case 'prove':
      return attempt.state === 'proving';
    case 'integrate':
      return attempt.state === 'integrating';
  }
}
