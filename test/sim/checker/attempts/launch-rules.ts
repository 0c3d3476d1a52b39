// Rules on launches and on the mail of the agents that live in them.

import { answerQueued, checkNoneOpen } from '../asks/permission-rules.ts';
import { bundleQueued, checkWarm, messagesOf, takeMessages } from '../children/message-rules.ts';
import { isBraked, spendTime, usedUp } from '../spending/budget-rules.ts';
import type { CommitDoings } from '../spending/host-rules.ts';
import { answerRound, holdInput } from '../spending/spending-rules.ts';
import { agentChildren } from '../view/children-view.ts';
import type { Data } from '../view/event-data.ts';
import {
  type AttemptView,
  blame,
  hasInputWaiting,
  isControl,
  type LaunchView,
  launchesMax,
  noneHeard,
  outOfPlace,
  type RecordView,
  type Scene,
  stallsMax,
  troubledLaunches,
  urgent,
} from '../view/view.ts';
import { checkAllRead, checkRead } from './output-rules.ts';

export function launchEvent(
  scene: Scene,
  attempt: AttemptView,
  type: string,
  at: number,
  data: Data,
  doings: CommitDoings,
): void {
  if (type === 'launch.intended') return intendLaunch(scene, attempt, at, data, doings);
  const { launch } = attempt;
  if (launch === null || launch.id !== data.launchId || launch.down !== null) {
    return blame(scene, 2, `${type} of ${data.launchId}, which is not the open launch of ${attempt.id}`);
  }
  switch (type) {
    case 'launch.started':
      if (attempt.state !== 'launching') return outOfPlace(scene, attempt, type);
      attempt.state = 'running';
      launch.startedAt = at;
      holdInput(scene, attempt, true);
      return;
    case 'launch.read':
      if (attempt.state !== 'running') outOfPlace(scene, attempt, type);
      return checkRead(scene, launch, data.offset);
    case 'launch.signalled':
      if (!launch.stopAsked) blame(scene, 1, `${data.rung} of ${launch.id} is recorded and nobody asked it to stop`);
      if (data.rung === 'kill' && !launch.termed && !urgent.has(launch.attempt.stop ?? '')) {
        blame(scene, 1, `${launch.id} is recorded as killed before term`);
      }
      if (data.rung === 'term') launch.termed = true;
      else launch.killed = true;
      return;
    case 'launch.ended':
      launch.down = 'ended';
      checkEnd(scene, launch, data.status);
      break;
    case 'launch.lost':
      launch.down = 'lost';
      checkLoss(scene, launch);
      break;
  }
  checkAllRead(scene, launch);
  spendTime(scene, attempt, at);
  attempt.state = 'resting';
  doings.down.push(attempt);
}

function intendLaunch(
  scene: Scene,
  attempt: AttemptView,
  at: number,
  { launchId = 'undefined', resume }: Data,
  doings: CommitDoings,
): void {
  const { id, task, launch: former, stop, pause } = attempt;
  if (pause.parked !== null) blame(scene, 7, `${launchId} is intended while ${id} is parked`);
  const lack = usedUp(scene, task, at);
  if (lack !== null) blame(scene, 7, `${launchId} is intended although ${lack.what} of ${lack.scope} is used up`);
  doings.intended.push({ attempt, launchId, at });
  if (attempt.state !== 'resting' || !attempt.hasWorkspace) outOfPlace(scene, attempt, 'launch.intended');
  checkNoneOpen(scene, attempt);
  if (scene.launches.has(launchId)) blame(scene, 7, `${launchId} is intended twice`);
  const silent = stop === 'stall';
  // Or was to rest, and had taken up something before it heard that.
  const atWorkAgain = stop === 'parked' && pause.braked && attempt.turn === null;
  if (stop !== null && stop !== 'finished' && !silent && !atWorkAgain)
    blame(scene, 7, `${launchId} is intended after ${id} was stopped for ${stop}`);
  if (task.run.state !== 'running')
    blame(scene, 7, `${launchId} is intended while ${task.run.id} is ${task.run.state}`);
  if (silent && attempt.stalls > stallsMax)
    blame(scene, 8, `${launchId} is intended after ${id} was silent ${attempt.stalls} times`);
  // One that follows a pause is no sign of trouble, after how many that were ever.
  if (!pause.goesOn && troubledLaunches(attempt) >= launchesMax)
    blame(scene, 8, `${launchId} is one more than the launches ${id} may have`);
  if (resume === true && attempt.session === null) blame(scene, 2, `${launchId} resumes a session that ${id} has not`);
  const lostAtWork = former?.down === 'lost' && attempt.turn === null;
  // And who was told to end may have taken up something before it heard that.
  const atWork = lostAtWork || (stop === 'finished' && attempt.turn === null) || atWorkAgain;
  // Whoever goes on after a pause is told so next.
  if (former !== null && !hasInputWaiting(attempt) && !atWork && !silent && !pause.goesOn && !former.forgot) {
    blame(scene, 7, `${launchId} is intended after ${former.id}, and there is nothing left to do`);
  }
  // It had nothing more to do, or was silent, until this launch.
  if (stop === 'finished' || silent || atWorkAgain) attempt.stop = null;
  if (atWorkAgain) pause.braked = false;
  const launch: LaunchView = {
    id: launchId,
    attempt,
    down: null,
    offset: 0,
    linesRead: 0,
    stopAsked: attempt.stop !== null,
    termed: false,
    killed: false,
    startedAt: null,
    writtenEnd: 0,
    written: new Set(),
    pinned: new Set(),
    openTasks: null,
    brakeDue: isBraked(scene, task),
    resumes: resume === true,
    forgot: false,
  };
  pause.held = null;
  pause.goesOn = false;
  scene.launches.set(launchId, launch);
  attempt.launch = launch;
  attempt.launches += 1;
  attempt.turn = null;
  attempt.failure = null;
  attempt.heard = noneHeard();
  attempt.state = 'launching';
}

function checkEnd(scene: Scene, launch: LaunchView, status: number | undefined): void {
  const process = scene.processes.get(launch.id);
  if (process === undefined || process.spawns === 0) {
    blame(scene, 9, `${launch.id} is recorded as ended with ${status} and never was a process`);
  } else if (process.alive) blame(scene, 3, `${launch.id} is recorded as ended with ${status} while it lives`);
  else if (process.status === null)
    blame(scene, 9, `${launch.id} is recorded as ended with ${status}; it left no status`);
  else if (process.status !== status) {
    blame(scene, 3, `${launch.id} is recorded as ended with ${status}; its status was ${process.status}`);
  }
}

function checkLoss(scene: Scene, launch: LaunchView): void {
  const process = scene.processes.get(launch.id);
  if (process?.alive === true) blame(scene, 3, `${launch.id} is recorded as lost while it lives`);
  else if (process !== undefined && process.status !== null) {
    blame(scene, 3, `${launch.id} is recorded as lost; it left the status ${process.status}`);
  }
}

export function recordEvent(scene: Scene, attempt: AttemptView, type: string, at: number, data: Data): void {
  if (data.agentId !== attempt.agentId) return blame(scene, 2, `${type} names ${data.agentId} wrongly`);
  switch (type) {
    case 'agent.session':
      attempt.session = data.session ?? null;
      return;
    case 'agent.sessionLost':
      return loseSession(scene, attempt);
    case 'record.queued':
      return queueRecord(scene, attempt, at, data);
    case 'record.written':
      return writeRecord(scene, attempt, data);
    case 'record.pinned':
    case 'record.deferred':
      return prepareRecord(scene, attempt, type, data);
    case 'record.delivered':
      return deliverRecord(scene, attempt, data);
    default:
      blame(scene, 2, `${attempt.task.run.id} has an event ${type}, which no run has`);
  }
}

function queueRecord(
  scene: Scene,
  attempt: AttemptView,
  at: number,
  { recordId: id = 'undefined', body, from }: Data,
): void {
  if (!attempt.hasAgent || body === undefined) return outOfPlace(scene, attempt, 'record.queued');
  const former = scene.messages.get(id);
  if (former !== undefined && (former.attempt === attempt || former.deliveredIn !== null)) {
    return blame(scene, 5, `${id} is queued a second time`);
  }
  if (attempt.verdict !== null) outOfPlace(scene, attempt, 'record.queued');
  const message: RecordView = {
    id,
    attempt,
    kind: body.kind,
    text: body.text,
    // Whoever knows nothing is told its task first.
    order: body.kind === 'prompt' ? -1 : attempt.records.length,
    round: body.kind === 'round' ? { requestId: body.requestId, goOn: body.goOn === true } : null,
    answer: body.kind === 'toolAnswer' ? body : null,
    messages: body.kind === 'messages' ? messagesOf(attempt, body.messages ?? []) : [],
    isOurs: from === 'signalbox',
    isGone: false,
    deliveredIn: null,
  };
  if (body.kind === 'toolAnswer') attempt.heard.calls.push(body);
  else if (body.kind === 'messages') bundleQueued(scene, attempt, at, body);
  else if (body.kind === 'answer') answerQueued(scene, attempt, body.askId);
  else if (body.kind === 'round') answerRound(scene, attempt, at, body);
  else if (isControl(message) && body.kind !== 'record' && attempt.stop === null) {
    blame(scene, 1, `${id} tells ${attempt.agentId} to ${body.kind}, and no stop.asked is why`);
  }
  if (!isControl(message)) {
    checkWarm(scene, attempt, at);
    attempt.spawning.waits = null;
  }
  attempt.records.push(message);
  scene.messages.set(id, message);
}

/** A new session knows nothing of what the lost one was told. */
function loseSession(scene: Scene, attempt: AttemptView): void {
  attempt.session = null;
  if (attempt.launch !== null) attempt.launch.forgot = true;
  attempt.pause.metered = [];
  attempt.pause.ended = [];
  for (const message of attempt.records) {
    if (message.deliveredIn === null && message.isOurs) message.isGone = true;
  }
  const agent = agentChildren(scene, attempt.agentId);
  agent.taken.clear();
  agent.lastOf.clear();
}

function writeRecord(scene: Scene, attempt: AttemptView, { recordId = '', launchId, end = 0 }: Data): void {
  const { launch } = attempt;
  const message = scene.messages.get(recordId);
  if (launch === null || launch.id !== launchId || attempt.state !== 'running') {
    return blame(scene, 2, `${recordId} is written to ${launchId}, which does not run`);
  }
  if (message?.attempt !== attempt) {
    return blame(scene, 5, `${recordId} is written to ${launchId} and was never queued for it`);
  }
  if (launch.written.has(recordId)) blame(scene, 5, `${recordId} is written to ${launchId} twice`);
  if (end <= launch.writtenEnd) blame(scene, 2, `the input of ${launchId} goes from ${launch.writtenEnd} to ${end}`);
  launch.written.add(recordId);
  launch.writtenEnd = end;
}

/** Before it is written: it has to wait for the agent, or what it carries of that is fixed, once. */
function prepareRecord(scene: Scene, attempt: AttemptView, type: string, { recordId = '', launchId, end }: Data): void {
  const { launch } = attempt;
  if (launch === null || launch.id !== launchId || attempt.state !== 'running') {
    return blame(scene, 2, `${type} of ${recordId} is for ${launchId}, which does not run`);
  }
  if (scene.messages.get(recordId)?.attempt !== attempt || launch.written.has(recordId)) {
    return blame(scene, 5, `${type} of ${recordId}, which ${launchId} does not wait for`);
  }
  if (launch.pinned.has(recordId)) blame(scene, 5, `${type} of ${recordId}, whose bytes were fixed before`);
  if (type === 'record.pinned') launch.pinned.add(recordId);
  if (end === undefined) return;
  if (launch.writtenEnd > 0) blame(scene, 2, `${launchId} is opened at ${launch.writtenEnd}`);
  launch.writtenEnd = end;
}

function deliverRecord(scene: Scene, attempt: AttemptView, { recordId = '' }: Data): void {
  const { launch } = attempt;
  const message = scene.messages.get(recordId);
  if (message?.attempt !== attempt) {
    return blame(scene, 5, `${recordId} is recorded as delivered and was never queued for ${attempt.agentId}`);
  }
  if (launch === null || attempt.state !== 'running') return outOfPlace(scene, attempt, 'record.delivered');
  if (message.deliveredIn !== null && message.deliveredIn !== launch) {
    blame(scene, 5, `${recordId} is recorded as delivered to ${launch.id} and to ${message.deliveredIn.id}`);
  }
  message.deliveredIn ??= launch;
  attempt.heard.delivered.push(recordId);
  // With it a turn begins, or goes on.
  if (!isControl(message)) {
    attempt.turn = null;
    attempt.spawning.restsSince = null;
    // It may have been on its way before its agent began to wait.
    attempt.spawning.waits = null;
  }
  takeMessages(
    scene,
    attempt,
    message.messages.map((message) => message.id),
  );
}
