// Rules on launches and on the messages to the agents that live in them.

import { answerQueued, checkNoneOpen } from '../asks/permission-rules.ts';
import { bundleQueued, checkWarm, messagesOf, takeMessages } from '../children/message-rules.ts';
import { isBraked, spendTime, usedUp } from '../spending/budget-rules.ts';
import type { CommitDoings } from '../spending/host-rules.ts';
import { answerRound, holdInput } from '../spending/spending-rules.ts';
import {
  type AttemptView,
  hasInputWaiting,
  isControl,
  type LaunchView,
  launchesMax,
  noneHeard,
  type RecordView,
  stallsMax,
  troubledLaunches,
  urgent,
} from '../view/attempt-view.ts';
import { agentChildren } from '../view/children-view.ts';
import type { Data } from '../view/event-data.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';
import { checkAllRead, checkRead } from './output-rules.ts';

export function launchEvent(
  view: View,
  attempt: AttemptView,
  type: string,
  at: number,
  data: Data,
  doings: CommitDoings,
): void {
  if (type === 'launch.intended') return intendLaunch(view, attempt, at, data, doings);
  const { launch } = attempt;
  if (launch === null || launch.id !== data.launchId || launch.down !== null) {
    return blame(view, 2, `${type} of ${data.launchId}, which is not the open launch of ${attempt.id}`);
  }
  switch (type) {
    case 'launch.started':
      if (attempt.state !== 'launching') return outOfPlace(view, attempt, type);
      attempt.state = 'running';
      launch.startedAt = at;
      holdInput(view, attempt, true);
      return;
    case 'launch.read':
      if (attempt.state !== 'running') outOfPlace(view, attempt, type);
      return checkRead(view, launch, data.offset);
    case 'launch.signalled':
      if (!launch.stopAsked) blame(view, 1, `${data.rung} of ${launch.id} is recorded and nobody asked it to stop`);
      if (data.rung === 'kill' && !launch.termed && !urgent.has(launch.attempt.stop ?? '')) {
        blame(view, 1, `${launch.id} is recorded as killed before term`);
      }
      if (data.rung === 'term') launch.termed = true;
      else launch.killed = true;
      return;
    case 'launch.ended':
      launch.down = 'ended';
      checkEnd(view, launch, data.status);
      break;
    case 'launch.lost':
      launch.down = 'lost';
      checkLoss(view, launch);
      break;
  }
  checkAllRead(view, launch);
  spendTime(view, attempt, at);
  attempt.state = 'resting';
  doings.down.push(attempt);
}

function intendLaunch(
  view: View,
  attempt: AttemptView,
  at: number,
  { launchId = 'undefined', resume }: Data,
  doings: CommitDoings,
): void {
  const { id, task, launch: former, stop, pause } = attempt;
  if (pause.parked !== null) blame(view, 7, `${launchId} is intended while ${id} is parked`);
  const lack = usedUp(view, task, at);
  if (lack !== null) blame(view, 7, `${launchId} is intended although ${lack.what} of ${lack.scope} is used up`);
  doings.intended.push({ attempt, launchId, at });
  if (attempt.state !== 'resting' || !attempt.hasWorkspace) outOfPlace(view, attempt, 'launch.intended');
  checkNoneOpen(view, attempt);
  if (view.launches.has(launchId)) blame(view, 7, `${launchId} is intended twice`);
  const silent = stop === 'stall';
  // Or it was to rest, and had read a record before the request to end.
  const atWorkAgain = stop === 'parked' && pause.braked && attempt.turn === null;
  if (stop !== null && stop !== 'finished' && !silent && !atWorkAgain)
    blame(view, 7, `${launchId} is intended after ${id} was stopped for ${stop}`);
  if (task.run.state !== 'running') blame(view, 7, `${launchId} is intended while ${task.run.id} is ${task.run.state}`);
  if (silent && attempt.stalls > stallsMax)
    blame(view, 8, `${launchId} is intended after ${id} was silent ${attempt.stalls} times`);
  // One that follows a pause is no sign of trouble, after how many that were ever.
  if (!pause.goesOn && troubledLaunches(attempt) >= launchesMax)
    blame(view, 8, `${launchId} is one more than the launches ${id} may have`);
  if (resume === true && attempt.session === null) blame(view, 2, `${launchId} resumes a session that ${id} has not`);
  const lostAtWork = former?.down === 'lost' && attempt.turn === null;
  // An agent that was asked to end may have read a record before that request.
  const atWork = lostAtWork || (stop === 'finished' && attempt.turn === null) || atWorkAgain;
  // An agent that continues after a pause gets a note about it next.
  if (former !== null && !hasInputWaiting(attempt) && !atWork && !silent && !pause.goesOn && !former.forgot) {
    blame(view, 7, `${launchId} is intended after ${former.id}, and there is nothing left to do`);
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
    brakeDue: isBraked(view, task),
    resumes: resume === true,
    forgot: false,
  };
  pause.held = null;
  pause.goesOn = false;
  view.launches.set(launchId, launch);
  attempt.launch = launch;
  attempt.launches += 1;
  attempt.turn = null;
  attempt.failure = null;
  attempt.heard = noneHeard();
  attempt.state = 'launching';
}

function checkEnd(view: View, launch: LaunchView, status: number | undefined): void {
  const process = view.processes.get(launch.id);
  if (process === undefined || process.spawns === 0) {
    blame(view, 9, `${launch.id} is recorded as ended with ${status} and never was a process`);
  } else if (process.alive) blame(view, 3, `${launch.id} is recorded as ended with ${status} while it lives`);
  else if (process.status === null)
    blame(view, 9, `${launch.id} is recorded as ended with ${status}; it left no status`);
  else if (process.status !== status) {
    blame(view, 3, `${launch.id} is recorded as ended with ${status}; its status was ${process.status}`);
  }
}

function checkLoss(view: View, launch: LaunchView): void {
  const process = view.processes.get(launch.id);
  if (process?.alive === true) blame(view, 3, `${launch.id} is recorded as lost while it lives`);
  else if (process !== undefined && process.status !== null) {
    blame(view, 3, `${launch.id} is recorded as lost; it left the status ${process.status}`);
  }
}

export function recordEvent(view: View, attempt: AttemptView, type: string, at: number, data: Data): void {
  if (data.agentId !== attempt.agentId) return blame(view, 2, `${type} names ${data.agentId} wrongly`);
  switch (type) {
    case 'agent.session':
      attempt.session = data.session ?? null;
      return;
    case 'agent.sessionLost':
      return loseSession(view, attempt);
    case 'record.queued':
      return queueRecord(view, attempt, at, data);
    case 'record.written':
      return writeRecord(view, attempt, data);
    case 'record.pinned':
    case 'record.deferred':
      return prepareRecord(view, attempt, type, data);
    case 'record.delivered':
      return deliverRecord(view, attempt, data);
    default:
      blame(view, 2, `${attempt.task.run.id} has an event ${type}, which no run has`);
  }
}

function queueRecord(
  view: View,
  attempt: AttemptView,
  at: number,
  { recordId: id = 'undefined', body, from }: Data,
): void {
  if (!attempt.hasAgent || body === undefined) return outOfPlace(view, attempt, 'record.queued');
  const former = view.messages.get(id);
  if (former !== undefined && (former.attempt === attempt || former.deliveredIn !== null)) {
    return blame(view, 5, `${id} is queued a second time`);
  }
  if (attempt.verdict !== null) outOfPlace(view, attempt, 'record.queued');
  const message: RecordView = {
    id,
    attempt,
    kind: body.kind,
    text: body.text,
    // An agent without a session gets its prompt first.
    order: body.kind === 'prompt' ? -1 : attempt.records.length,
    round: body.kind === 'round' ? { requestId: body.requestId, goOn: body.goOn === true } : null,
    answer: body.kind === 'toolAnswer' ? body : null,
    messages: body.kind === 'messages' ? messagesOf(attempt, body.messages ?? []) : [],
    isOurs: from === 'signalbox',
    isGone: false,
    deliveredIn: null,
  };
  if (body.kind === 'toolAnswer') attempt.heard.calls.push(body);
  else if (body.kind === 'messages') bundleQueued(view, attempt, at, body);
  else if (body.kind === 'answer') answerQueued(view, attempt, body.askId);
  else if (body.kind === 'round') answerRound(view, attempt, at, body);
  else if (isControl(message) && body.kind !== 'record' && attempt.stop === null) {
    blame(view, 1, `${id} tells ${attempt.agentId} to ${body.kind}, and no stop.asked is why`);
  }
  if (!isControl(message)) {
    checkWarm(view, attempt, at);
    attempt.spawning.waits = null;
  }
  attempt.records.push(message);
  view.messages.set(id, message);
}

/** A new session knows nothing of the records of the lost one. */
function loseSession(view: View, attempt: AttemptView): void {
  attempt.session = null;
  if (attempt.launch !== null) attempt.launch.forgot = true;
  attempt.pause.metered = [];
  attempt.pause.ended = [];
  for (const message of attempt.records) {
    if (message.deliveredIn === null && message.isOurs) message.isGone = true;
  }
  const agent = agentChildren(view, attempt.agentId);
  agent.taken.clear();
  agent.lastOf.clear();
}

function writeRecord(view: View, attempt: AttemptView, { recordId = '', launchId, end = 0 }: Data): void {
  const { launch } = attempt;
  const message = view.messages.get(recordId);
  if (launch === null || launch.id !== launchId || attempt.state !== 'running') {
    return blame(view, 2, `${recordId} is written to ${launchId}, which does not run`);
  }
  if (message?.attempt !== attempt) {
    return blame(view, 5, `${recordId} is written to ${launchId} and was never queued for it`);
  }
  if (launch.written.has(recordId)) blame(view, 5, `${recordId} is written to ${launchId} twice`);
  if (end <= launch.writtenEnd) blame(view, 2, `the input of ${launchId} goes from ${launch.writtenEnd} to ${end}`);
  launch.written.add(recordId);
  launch.writtenEnd = end;
}

/** Before it is written: it has to wait for the agent, or what it carries of that is fixed, once. */
function prepareRecord(view: View, attempt: AttemptView, type: string, { recordId = '', launchId, end }: Data): void {
  const { launch } = attempt;
  if (launch === null || launch.id !== launchId || attempt.state !== 'running') {
    return blame(view, 2, `${type} of ${recordId} is for ${launchId}, which does not run`);
  }
  if (view.messages.get(recordId)?.attempt !== attempt || launch.written.has(recordId)) {
    return blame(view, 5, `${type} of ${recordId}, which ${launchId} does not wait for`);
  }
  if (launch.pinned.has(recordId)) blame(view, 5, `${type} of ${recordId}, whose bytes were fixed before`);
  if (type === 'record.pinned') launch.pinned.add(recordId);
  if (end === undefined) return;
  if (launch.writtenEnd > 0) blame(view, 2, `${launchId} is opened at ${launch.writtenEnd}`);
  launch.writtenEnd = end;
}

function deliverRecord(view: View, attempt: AttemptView, { recordId = '' }: Data): void {
  const { launch } = attempt;
  const message = view.messages.get(recordId);
  if (message?.attempt !== attempt) {
    return blame(view, 5, `${recordId} is recorded as delivered and was never queued for ${attempt.agentId}`);
  }
  if (launch === null || attempt.state !== 'running') return outOfPlace(view, attempt, 'record.delivered');
  if (message.deliveredIn !== null && message.deliveredIn !== launch) {
    blame(view, 5, `${recordId} is recorded as delivered to ${launch.id} and to ${message.deliveredIn.id}`);
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
    view,
    attempt,
    message.messages.map((message) => message.id),
  );
}
