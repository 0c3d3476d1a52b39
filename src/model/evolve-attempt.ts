// Folds the events of attempts and their launches.

import { unreachable } from '../std/assert.ts';
import type { EffectKind, RunEvent } from './events.ts';
import { letPass } from './interlock.ts';
import { agentOf, attemptOf, attemptOfLaunch, launchOf, taskOf } from './lookup.ts';
import { dropControl, moveAllMail } from './mail.ts';
import type { Attempt, Run } from './run.ts';
import { attemptNext, launchNext, next, taskNext, workspaceNext } from './states.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export function evolveAttempt(
  run: Run,
  event: Of<
    | 'attempt.started'
    | 'workspace.ready'
    | 'workspace.saved'
    | 'turn.ended'
    | 'stop.asked'
    | 'attempt.finished'
    | 'evidence.recorded'
    | 'attempt.ended'
    | 'effect.failed'
  >,
): void {
  if (event.type === 'attempt.started') return startAttempt(run, event);
  const attempt = attemptOf(run, event.attemptId);
  switch (event.type) {
    case 'workspace.ready':
      attempt.state = next(attemptNext, attempt.state, 'prepared');
      attempt.workspace.state = next(workspaceNext, attempt.workspace.state, 'prepared');
      attempt.workspace.path = event.path;
      attempt.workspace.base = event.base;
      attempt.workspace.notes = event.notes ?? [];
      return succeeded(attempt, 'prepare');
    case 'workspace.saved':
      attempt.state = next(attemptNext, attempt.state, 'saved');
      attempt.workspace.state = next(workspaceNext, attempt.workspace.state, 'saved');
      attempt.workspace.ref = event.ref;
      attempt.workspace.commit = event.commit;
      attempt.workspace.notes = [...attempt.workspace.notes, ...(event.notes ?? [])];
      return succeeded(attempt, 'save');
    case 'turn.ended':
      attempt.turn = event.turn;
      return;
    case 'stop.asked':
      attempt.stop ??= { reason: event.reason, detail: event.detail, at: event.at };
      return;
    case 'attempt.finished':
      attempt.state = next(attemptNext, attempt.state, 'finished');
      attempt.verdict = event.verdict;
      return;
    case 'evidence.recorded':
      attempt.evidence = event.items;
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

function startAttempt(run: Run, event: Of<'attempt.started'>): void {
  const task = taskOf(run, event.taskId);
  task.state = next(taskNext, task.state, 'started');
  task.attempts = event.n;
  const attempt: Attempt = {
    id: event.attemptId,
    taskId: event.taskId,
    n: event.n,
    agentId: event.agentId,
    host: event.host,
    startedAt: event.at,
    state: 'preparing',
    workspace: { state: 'absent', path: '', base: '', ref: '', commit: '', notes: [] },
    launches: 0,
    launch: null,
    ownMessages: 0,
    gates: [],
    turn: null,
    stop: null,
    verdict: null,
    evidence: null,
    failing: {},
  };
  task.attempt = attempt;
  run.live.set(attempt.id, attempt);
}

function endAttempt(run: Run, attempt: Attempt, event: Of<'attempt.ended'>): void {
  attempt.state = next(attemptNext, attempt.state, 'ended');
  attempt.verdict = event.verdict;
  if (event.verdict.kind === 'failed') taskOf(run, attempt.taskId).lastFailure = event.verdict.failure;
  moveAllMail(agentOf(run, attempt.agentId), 'givenUp');
  attempt.gates = [];
  run.live.delete(attempt.id);
  letPass(run, taskOf(run, attempt.taskId));
  if (attempt.launch !== null) run.liveByLaunch.delete(attempt.launch.id);
}

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
  if (attempt.launch !== null) run.liveByLaunch.delete(attempt.launch.id);
  attempt.launches += 1;
  attempt.turn = null;
  if (attempt.stop?.reason === 'finished') attempt.stop = null; // It had nothing more to do, until this launch.
  attempt.launch = {
    id: event.launchId,
    resume: event.resume,
    intendedAt: event.at,
    state: 'intended',
    startedAt: null,
    process: null,
    offset: 0,
    codec: null,
    written: 0,
    signalled: null,
  };
  run.liveByLaunch.set(event.launchId, attempt);
  // What the former process had not taken up goes to the new one; what steered the former ends with it.
  const agent = agentOf(run, attempt.agentId);
  dropControl(agent);
  moveAllMail(agent, 'launchGone');
}

function succeeded(attempt: Attempt, effect: EffectKind): void {
  delete attempt.failing[effect];
}
