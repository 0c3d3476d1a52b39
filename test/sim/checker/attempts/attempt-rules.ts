// Rules on attempts: from the start over the workspace and the evidence to the end. Launches and messages are in
// launch-rules.ts.

import { checkNoneOpen, permissionEvent } from '../asks/permission-rules.ts';
import { isAlone, markStop } from '../branch/branch-rules.ts';
import { checkIntegrated, integrationEvent } from '../branch/integration-rules.ts';
import { checkDone, checkNothingLeft } from '../children/children-rules.ts';
import { comesToRest } from '../children/message-rules.ts';
import { checkForced } from '../children/team-rules.ts';
import { seeLine } from '../spending/account-rules.ts';
import { checkAdmitted, checkAgents, recordUsage } from '../spending/budget-rules.ts';
import type { CommitDoings } from '../spending/host-rules.ts';
import { holdInput } from '../spending/spending-rules.ts';
import { artifactEvent, checkKept } from '../tasks/artifact-rules.ts';
import { missingProof, recordEvidence } from '../tasks/evidence-rules.ts';
import { checkGiven, typedEvent } from '../tasks/typed-output-rules.ts';
import {
  type AttemptView,
  hasInputWaiting,
  launchesMax,
  noneHeard,
  stallsMax,
  troubledLaunches,
} from '../view/attempt-view.ts';
import { newAttemptChildren } from '../view/children-view.ts';
import type { Data } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';
import { formerOf, sendBack } from './continue-rules.ts';
import { launchEvent, recordEvent } from './launch-rules.ts';
import { checkTurnText } from './output-rules.ts';
import { newPause, pauseEvent } from './parking-rules.ts';

export function startAttempt(view: View, task: TaskView, at: number, data: Data, doings: CommitDoings): void {
  const { attemptId = 'undefined', agentId = 'undefined', host = 'undefined' } = data;
  if (view.attempts.has(attemptId)) return blame(view, 2, `${attemptId} is started twice`);
  const former = formerOf(view, task, data);
  const formerWork = data.onHead === true ? null : former;
  const attempt: AttemptView = {
    id: attemptId,
    task,
    agentId,
    host,
    startedAt: at,
    startedAs: view.moments++,
    endedAs: null,
    state: 'preparing',
    n: data.n ?? task.attempts + 1,
    former,
    formerWork,
    origin: formerWork?.origin ?? null,
    from: formerWork?.saved?.commit ?? task.run.head,
    base: null,
    queuedAs: null,
    integrated: null,
    onBranch: null,
    unfit: null,
    back: null,
    brokenOff: null,
    given: null,
    result: null,
    refusals: 0,
    refused: false,
    inputs: former?.inputs ?? [],
    hasAgent: former !== null,
    hasWorkspace: false,
    saved: null,
    launches: 0,
    stalls: 0,
    launch: null,
    session: former?.session ?? null,
    stop: null,
    turn: null,
    verdict: null,
    evidence: null,
    failedEffects: new Set(),
    records: [],
    heard: noneHeard(),
    failure: null,
    pause: newPause(data, former?.pause ?? null),
    spawning: newAttemptChildren(),
  };
  view.attempts.set(attemptId, attempt);
  view.agents.set(agentId, attempt);
  task.attempt = attempt;
  task.attempts = data.n ?? task.attempts + 1;
  task.state = 'active';
  task.last = 'attempt.started';
  task.run.live += 1;
  doings.started.set(attemptId, `host/${host}`);
  attempt.pause.before = { ...task.treeSpent };
  checkAdmitted(view, attempt, at);
  checkAgents(view, attempt);
}

/** Everything that concerns one attempt, found by whatever id the event bears. */
export function attemptEvent(
  view: View,
  run: RunView,
  type: string,
  at: number,
  data: Data,
  doings: CommitDoings,
): void {
  const attempt = attemptOf(view, data);
  if (attempt === null || attempt.task.run !== run) {
    const id = data.attemptId ?? data.launchId ?? data.agentId;
    return blame(view, 2, `${type} names ${id}, which is not known in ${run.id}`);
  }
  if (attempt.state === 'ended') return blame(view, 2, `${type} of ${attempt.id} after that attempt ended`);
  attempt.task.last = type;
  switch (type) {
    case 'agent.created':
      if (attempt.hasAgent || data.taskId !== attempt.task.id) blame(view, 2, `${data.agentId} is created wrongly`);
      attempt.hasAgent = true;
      return;
    case 'workspace.ready':
      if (attempt.state !== 'preparing') return outOfPlace(view, attempt, type);
      attempt.hasWorkspace = true;
      attempt.base = data.base ?? null;
      if (attempt.formerWork === null) attempt.origin = attempt.base;
      if (attempt.base !== view.bases.get(attempt.id)) {
        blame(view, 2, `the workspace of ${attempt.id} is recorded as made from ${attempt.base}, and was not`);
      }
      attempt.state = 'resting';
      return;
    case 'turn.ended':
      return endTurn(view, attempt, at, data);
    case 'stop.asked':
      return askStop(view, attempt, at, data);
    case 'effect.failed':
      attempt.failedEffects.add(data.effect ?? 'undefined');
      // What the journal says of one attempt is true in the world: only the disk, or another engine, may make it fail.
      if (data.effect === 'integrate' && data.code === 'git_failed' && isAlone(view)) {
        blame(view, 4, `${attempt.id} was to be integrated where the branch is not: ${data.message}`);
      }
      return;
    case 'attempt.finished':
      return finishAttempt(view, attempt, data);
    case 'workspace.saved':
      return saveWorkspace(view, attempt, data);
    case 'evidence.recorded':
      return recordEvidence(view, attempt, data);
    case 'output.given':
    case 'output.refused':
      return typedEvent(view, attempt, type, data);
    case 'artifact.stored':
      return artifactEvent(view, attempt, data);
    case 'integration.queued':
    case 'integration.succeeded':
    case 'integration.conflicted':
    case 'integration.dropped':
    case 'integration.failed':
      return integrationEvent(view, attempt, type, data);
    case 'ask.opened':
    case 'ask.answered':
    case 'ask.expired':
      return permissionEvent(view, attempt, type, data);
    case 'attempt.parked':
    case 'attempt.unparked':
    case 'attempt.braked':
    case 'attempt.limited':
    case 'attempt.served':
    case 'attempt.quotaReported':
    case 'usage.metered':
      return pauseEvent(view, attempt, type, at, data, doings);
    case 'attempt.lineSeen':
      return seeLine(view, attempt, data.closed);
    case 'usage.recorded':
      return recordUsage(view, attempt, data, doings);
    case 'attempt.ended':
      checkNoneOpen(view, attempt);
      if (attempt.pause.parked === null) doings.ended.set(attempt.id, `host/${attempt.host}`);
      return endAttempt(view, attempt, data);
    case 'launch.intended':
    case 'launch.started':
    case 'launch.read':
    case 'launch.signalled':
    case 'launch.ended':
    case 'launch.lost':
      return launchEvent(view, attempt, type, at, data, doings);
    default:
      return recordEvent(view, attempt, type, at, data);
  }
}

function attemptOf(view: View, { attemptId, launchId, agentId, askId }: Data): AttemptView | null {
  if (askId !== undefined && attemptId === undefined) return view.permissions.get(askId)?.attempt ?? null;
  if (attemptId !== undefined) return view.attempts.get(attemptId) ?? null;
  if (launchId !== undefined) return view.launches.get(launchId)?.attempt ?? null;
  return agentId === undefined ? null : (view.agents.get(agentId) ?? null);
}

function endTurn(view: View, attempt: AttemptView, at: number, { turn, agentId }: Data): void {
  if (turn === undefined || agentId !== attempt.agentId) return outOfPlace(view, attempt, 'turn.ended');
  checkTurnText(view, attempt, turn.text);
  if (attempt.state === 'running') {
    attempt.heard.turns.push(turn);
    holdInput(view, attempt, false);
  } else if (attempt.state !== 'resting' || attempt.launch === null) return outOfPlace(view, attempt, 'turn.ended');
  else if (attempt.turn !== null) blame(view, 1, `a turn of ${attempt.id} is recorded after its launch was down`);
  // What is concluded from a process's end alone can only be a failure.
  else if (turn.kind === 'ok') blame(view, 3, `a turn of ${attempt.id} is recorded as ok and no line said so`);
  attempt.turn = turn.kind;
  comesToRest(attempt, at);
  attempt.failure = turn.failure?.reason ?? null;
  attempt.refused = false;
}

function askStop(view: View, attempt: AttemptView, at: number, { reason = 'undefined', detail = '' }: Data): void {
  const { id, task } = attempt;
  checkForced(view, attempt, at, detail);
  // What follows finished work is broken off by a person's word: its checks, and its integration.
  const after = ['saving', 'proving', 'integrating'].includes(attempt.state) && attempt.verdict?.kind === 'ok';
  const unasked = (attempt.stop === 'finished' || attempt.stop === null) && attempt.brokenOff === null;
  const unintegrable =
    reason === 'unverified' && attempt.state === 'integrating' && attempt.failedEffects.has('integrate');
  const broken = (reason === 'stopped' || unintegrable) && after && unasked;
  if (broken) attempt.brokenOff = { ...markStop(view), reason };
  // A silent one would be started again, one that was only to pause would go on, and so may one that has finished.
  const again = attempt.stop === 'stall' || attempt.stop === 'parked' || attempt.stop === 'finished';
  const forGood = reason === 'stopped' && again && attempt.verdict === null;
  if (attempt.stop !== null && !broken && !forGood)
    blame(view, 2, `${id} is asked to stop for ${reason}, and is ending for ${attempt.stop}`);
  attempt.stop = forGood ? reason : (attempt.stop ?? reason);
  if (attempt.launch !== null && attempt.launch.down === null) attempt.launch.stopAsked = true;
  switch (reason) {
    case 'stopped':
      if (task.run.state !== 'stopping') view.traces.stopTask += 1;
      return;
    case 'finished':
      if (attempt.turn === null) blame(view, 3, `${id} is asked to end as finished before a turn ended`);
      if (hasInputWaiting(attempt)) blame(view, 8, `${id} is asked to end as finished while records waits for it`);
      if (attempt.turn === 'ok' && attempt.spawning.claims.length > 0)
        blame(view, 8, `${id} has ended its turn, and holds ${attempt.spawning.claims.join()}`);
      checkDone(view, attempt);
      return;
    case 'stall':
      attempt.stalls += 1;
      if (attempt.turn !== null && !hasInputWaiting(attempt))
        blame(view, 8, `${id} is silent for it has ended its turn`);
      return;
    case 'parked':
      if (!attempt.pause.braked) blame(view, 8, `${id} is to pause, and nothing stands in its way`);
      return;
    case 'timeout': {
      const limit = task.spec.timeoutMs ?? null;
      const atWorkMs = at - attempt.startedAt - attempt.pause.parkedMs;
      if (limit === null || atWorkMs < limit || attempt.pause.parked !== null) {
        blame(view, 8, `${id} is stopped for its time limit ${limit} after ${atWorkMs} ms at work`);
      }
      return;
    }
    case 'spawn-refused':
      if (!attempt.failedEffects.has('launch')) blame(view, 8, `${id} is stopped for a launch that never failed`);
      return;
    case 'disk':
      if (!attempt.failedEffects.has('write')) blame(view, 8, `${id} is stopped for a write that never failed`);
  }
}

function finishAttempt(view: View, attempt: AttemptView, { verdict }: Data): void {
  const { id, launch, stop, turn } = attempt;
  if (launch !== null && launch.down === null) {
    blame(view, 3, `${id} is finished while ${launch.id} is not known to be down`);
  } else if (attempt.state !== 'resting') outOfPlace(view, attempt, 'attempt.finished');
  const running = attempt.task.run.state === 'running';
  const mayGoOn = troubledLaunches(attempt) < launchesMax && running;
  if (stop === 'stall' && attempt.stalls <= stallsMax && running && attempt.session !== null) {
    blame(view, 8, `${id} is finished as silent, and was started again ${attempt.stalls - 1} times only`);
  }
  // A turn that has ended, well or not, says enough: what is said to an agent after it begins another.
  if (launch?.down === 'lost' && stop === null && turn === null && mayGoOn) {
    blame(view, 8, `${id} is finished although its process was lost in the middle of its work`);
  }
  if (stop === 'finished' && turn === null && mayGoOn)
    blame(view, 8, `${id} is finished although it was at work on what it had taken up last`);
  const stopped = stop !== null && stop !== 'finished';
  const reason = verdict?.failure?.reason;
  if (verdict?.kind === 'ok') {
    if (turn !== 'ok') blame(view, 3, `${id} is finished well and its last turn ended ${turn ?? 'never'}`);
    if (stopped) blame(view, 3, `${id} is finished well although it was stopped for ${stop}`);
    checkNothingLeft(view, attempt);
    if (hasInputWaiting(attempt) && troubledLaunches(attempt) < launchesMax) {
      blame(view, 8, `${id} is finished well although records for it was never delivered`);
    }
  } else {
    if (stopped && reason !== stop) blame(view, 3, `${id} failed for ${reason}, but was stopped for ${stop}`);
    if (!stopped && turn === 'ok' && reason !== 'invalid-output')
      blame(view, 3, `${id} is finished as ${reason} although its last turn was ok`);
    if (!stopped && reason === 'lost' && launch?.down !== 'lost') blame(view, 3, `${id} is lost, its launch is not`);
  }
  checkGiven(view, attempt, verdict?.kind === 'ok' ? null : (reason ?? 'undefined'));
  attempt.state = 'saving';
  attempt.verdict = verdict ?? null;
}

function saveWorkspace(view: View, attempt: AttemptView, { ref, commit, uncommitted = 0 }: Data): void {
  if (attempt.state !== 'saving') outOfPlace(view, attempt, 'workspace.saved');
  if (attempt.task.spec.keeps === false) {
    if (ref !== '') blame(view, 6, `the work of ${attempt.id}, which is thrown away, is recorded as saved at ${ref}`);
  } else if (ref === undefined || commit === undefined || view.refs.get(ref) !== commit) {
    blame(view, 6, `${attempt.id} is recorded as saved, but ${ref} does not hold ${commit}`);
  }
  if (uncommitted !== (view.uncommitted.get(attempt.id) ?? 0)) {
    blame(view, 2, `${uncommitted} paths of ${attempt.id} are recorded as saved for it, which is not so`);
  }
  attempt.saved = { ref, commit, uncommitted, engineChanges: view.engineChanges };
  attempt.state = 'proving';
}

function endAttempt(view: View, attempt: AttemptView, { verdict }: Data): void {
  const { id, launch, task, failedEffects } = attempt;
  if (launch !== null && launch.down === null) blame(view, 3, `${id} has ended, and ${launch.id} is not down`);
  for (const process of view.alive) {
    if (process.attemptId === id) blame(view, 7, `${id} has ended and leaves ${process.launchId} alive`);
  }
  if (attempt.saved === null) {
    const excuse = attempt.hasWorkspace ? 'save' : 'prepare';
    if (!failedEffects.has(excuse)) blame(view, 6, `${id} has ended and its work was not saved`);
  }
  if (verdict?.kind === 'ok') checkSuccess(view, attempt);
  else checkFailure(view, attempt, verdict?.failure?.reason ?? 'undefined');
  checkIntegrated(view, attempt, verdict?.kind === 'ok' ? null : (verdict?.failure?.reason ?? 'undefined'));
  attempt.state = 'ended';
  attempt.spawning.claims = [];
  attempt.spawning.waits = null;
  attempt.endedAs = view.moments++;
  attempt.verdict = verdict ?? null;
  task.lastFailure = verdict?.failure?.reason ?? task.lastFailure;
  task.state = 'attemptEnded';
  sendBack(attempt);
  if (attempt.pause.parked === null) task.run.live -= 1;
}

function checkSuccess(view: View, attempt: AttemptView): void {
  const { id } = attempt;
  if (attempt.verdict?.kind !== 'ok') blame(view, 3, `${id} has ended well and was not finished well before`);
  const missing = missingProof(attempt);
  if (missing !== null) blame(view, 4, `${id} has ended well ${missing}`);
  checkKept(view, attempt);
}

/** A verdict that was given stands, except where saving or proving failed after it. */
function checkFailure(view: View, attempt: AttemptView, reason: string): void {
  const { id, verdict } = attempt;
  if (verdict === null) {
    if (attempt.hasWorkspace) blame(view, 3, `${id} has ended without having finished`);
    return;
  }
  if (attempt.saved === null) return;
  if (verdict.kind === 'failed') {
    const before = verdict.failure?.reason;
    if (before !== reason) blame(view, 3, `${id} finished for ${before} and ended for ${reason}`);
    return;
  }
  const why = reasonAfterWork(attempt);
  if (!why.includes(reason)) {
    blame(view, 4, `${id} has failed for ${reason} against its evidence, ${why.join(' or ') || 'nothing'} is right`);
  }
}

/** What work that was done well may fail for: what proves it, or its integration. */
function reasonAfterWork(attempt: AttemptView): string[] {
  const { task, evidence, failedEffects, brokenOff, unfit } = attempt;
  // A person's word comes before all that could be done about it.
  const stopped = task.run.state === 'stopping' ? ['stopped'] : [];
  if (brokenOff !== null) return [brokenOff.reason, ...stopped];
  const missing = missingProof(attempt);
  if (evidence !== null && missing !== null) {
    return [missing.includes('write set') ? 'out-of-scope' : 'check-failed', ...stopped];
  }
  if (unfit !== null) return [unfit, ...stopped];
  const unlooked = failedEffects.has(evidence === null ? 'prove' : 'integrate');
  return [...(unlooked ? ['unverified'] : []), ...stopped];
}
