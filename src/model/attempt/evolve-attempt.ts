// Folds the events of attempts and their launches.

import { must, unreachable } from '../../std/assert.ts';
import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import type { Changed, EffectKind, RunEvent } from '../core/events.ts';
import { type Failure, lacksEvidence } from '../core/failure.ts';
import { agentOf, attemptOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { attemptNext, next, taskNext, workspaceNext } from '../core/states.ts';
import { moveAllRecords } from '../messages/record-queue.ts';
import { letPass } from '../ready/interlock.ts';
import { lookAgain } from '../ready/ready-queues.ts';
import { allSeen } from '../session/answered-calls.ts';
import { canGoOn } from '../session/continuing.ts';
import { lastWords } from '../session/last-words.ts';
import { rememberTurn } from '../session/memory.ts';
import { spentOf } from '../spending/budget.ts';
import { yieldsTo } from './stopping.ts';

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
      if (attempt.origin === '') attempt.origin = event.base;
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
    case 'turn.ended':
      attempt.turn = event.turn;
      attempt.idleSince = event.at;
      return endTurn(agentOf(run, event.agentId), event);
    case 'stop.asked':
      if (attempt.stop !== null && !yieldsTo(attempt.stop.reason, event.reason)) return;
      attempt.stop = { reason: event.reason, detail: event.detail, at: event.at };
      if (event.reason === 'stall') attempt.stalls += 1;
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

function endTurn(agent: Agent, event: Of<'turn.ended'>): void {
  agent.messageCharsInTurn = 0;
  if (event.turn.kind === 'ok') allSeen(agent);
  rememberTurn(agent.memory, event);
}

function startAttempt(run: Run, event: Of<'attempt.started'>): void {
  const task = taskOf(run, event.taskId);
  task.state = next(taskNext, task.state, 'started');
  task.attempts = event.n;
  task.steered = [];
  task.resumes = false;
  const former = event.continues === undefined ? null : must(task.attempt, 'it goes on with one');
  const work = event.onHead === true ? null : former;
  // What nobody took up in the former attempt was given up with it.
  if (former !== null) agentOf(run, former.agentId).records = [];
  const attempt: Attempt = {
    id: event.attemptId,
    taskId: event.taskId,
    n: event.n,
    agentId: event.agentId,
    host: event.host,
    startedAt: event.at,
    from: work?.workspace.commit ?? run.head,
    since: work?.since ?? event.n,
    origin: work?.origin ?? '',
    formerPath: former?.workspace.path ?? null,
    state: 'preparing',
    workspace: noWorkspace(),
    launches: 0,
    launchesAfterPause: 0,
    renewals: 0,
    why: event.why ?? '',
    stalls: 0,
    parked: null,
    parkedMs: 0,
    brake: null,
    reserved: event.reserved ?? null,
    spentBefore: spentOf(task.treeUsage),
    model: event.model ?? null,
    probe: event.probe ?? false,
    limits: 0,
    launch: null,
    ownRecords: 0,
    gates: [],
    turn: null,
    unfinished: null,
    idleSince: 0,
    waits: null,
    claims: [],
    output: null,
    artifacts: [],
    submitted: 0,
    corrections: 0,
    stop: null,
    verdict: null,
    evidence: null,
    branchEvidence: null,
    queuedSeq: null,
    queuedAt: 0,
    failing: {},
  };
  task.attempt = attempt;
  run.live.set(attempt.id, attempt);
}

function endAttempt(run: Run, attempt: Attempt, event: Of<'attempt.ended'>): void {
  attempt.state = next(attemptNext, attempt.state, 'ended');
  attempt.verdict = event.verdict;
  if (event.verdict.kind === 'failed') noteTried(run, taskOf(run, attempt.taskId), attempt, event.verdict.failure);
  moveAllRecords(agentOf(run, attempt.agentId), 'givenUp');
  attempt.gates = [];
  run.live.delete(attempt.id);
  run.integration.delete(attempt.id);
  run.parked.delete(attempt.id);
  lookAgain(run);
  letPass(run, taskOf(run, attempt.taskId));
  if (attempt.launch !== null) run.liveByLaunch.delete(attempt.launch.id);
}

const nothingChanged: Changed = { paths: [], total: 0 };

function noWorkspace(): Attempt['workspace'] {
  const none = { path: '', base: '', ref: '', commit: '', notes: [] };
  return { state: 'absent', ...none, changed: nothingChanged, uncommitted: 0 };
}

function noteTried(run: Run, task: Task, attempt: Attempt, failure: Failure): void {
  const { changed, ref, commit } = attempt.workspace;
  const said = lastWords(attempt)?.text ?? '';
  task.lastFailure = failure;
  // Where nobody remembers the work it is a failure like others.
  if (lacksEvidence(failure) && canGoOn(run, attempt)) task.sentBack += 1;
  task.tried = [...task.tried, { n: attempt.n, failure, said, changed, ref, commit }].slice(-triedMax);
}

/** What is told of them is bounded anyway. */
const triedMax = 5;

/** It has succeeded: how often it failed before is of no matter any more. */
export function succeeded(attempt: Attempt, effect: EffectKind): void {
  delete attempt.failing[effect];
}
