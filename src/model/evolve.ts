// Folds one event into a run. Mutates in place and keeps the indices; no clock, no I/O, no hidden input.
// What an event may do is decided elsewhere: here a record that makes no sense asserts.

import { assert, must, unreachable } from '../std/assert.ts';
import { addUsage, noUsage } from './agent-fact.ts';
import { type EffectKind, isControl, type RunEvent, type TaskOutcome } from './events.ts';
import type { AgentId, AttemptId, LaunchId, TaskId } from './ids.ts';
import type { Agent, Attempt, Launch, Run, Task } from './run.ts';
import type { TaskSpec } from './spec.ts';
import {
  attemptNext,
  launchNext,
  type MessageMove,
  messageNext,
  next,
  runNext,
  taskNext,
  workspaceNext,
} from './states.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export function evolve(run: Run, event: RunEvent): void {
  run.seq += 1;
  switch (event.type) {
    case 'run.created':
      assert(run.spec === null, 'a run is created once');
      run.spec = event.run;
      run.createdAt = event.at;
      return;
    case 'run.stopAsked':
      run.state = next(runNext, run.state, 'stopAsked');
      run.stopAskedBy = event.by;
      return;
    case 'run.settled':
      run.state = next(runNext, run.state, 'settled');
      run.outcome = event.outcome;
      run.settledAt = event.at;
      return;
    case 'run.resumed':
      run.state = next(runNext, run.state, 'resumed');
      run.outcome = null;
      run.settledAt = null;
      run.stopAskedBy = null;
      return;
    case 'task.added':
      return addTask(run, event.task);
    case 'task.delayed':
      return delayTask(run, event);
    case 'task.due':
      return becomeReady(run, taskOf(run, event.taskId), 'due');
    case 'task.settled':
      return settleTask(run, taskOf(run, event.taskId), event.outcome);
    case 'task.reopened':
      return reopenTask(run, taskOf(run, event.taskId));
    case 'agent.created':
      run.agents.set(event.agentId, {
        id: event.agentId,
        taskId: event.taskId,
        name: event.name,
        session: null,
        mail: [],
      });
      return;
    case 'agent.session':
      agentOf(run, event.agentId).session = event.session;
      return;
    case 'message.queued':
      return queueMessage(run, event);
    case 'message.written':
      return writeMessage(run, event);
    case 'message.delivered':
      return moveMessage(agentOf(run, event.agentId), event.messageId, 'delivered');
    case 'usage.recorded':
      addUsage(run.usage, event.usage);
      addUsage(taskOf(run, event.taskId).usage, event.usage);
      return;
    case 'attempt.started':
    case 'workspace.ready':
    case 'workspace.saved':
    case 'turn.ended':
    case 'stop.asked':
    case 'attempt.finished':
    case 'evidence.recorded':
    case 'attempt.ended':
    case 'effect.failed':
      return evolveAttempt(run, event);
    case 'launch.intended':
    case 'launch.started':
    case 'launch.read':
    case 'launch.signalled':
    case 'launch.ended':
    case 'launch.lost':
      return evolveLaunch(run, event);
    default:
      unreachable(event);
  }
}

function addTask(run: Run, spec: TaskSpec): void {
  assert(!run.tasks.has(spec.id), `task ${spec.id} is added once`);
  const task: Task = {
    spec,
    order: run.tasks.size,
    state: 'blocked',
    outcome: null,
    attempts: 0,
    attemptsForgiven: 0,
    attempt: null,
    delay: null,
    lastFailure: null,
    unmetNeeds: 0,
    usage: noUsage(),
    dependants: [],
  };
  for (const need of spec.needs) taskOf(run, need).dependants.push(spec.id);
  run.tasks.set(spec.id, task);
  run.taskByName.set(spec.name, spec.id);
  run.unsettled += 1;
  awaitNeeds(run, task);
}

function awaitNeeds(run: Run, task: Task): void {
  task.unmetNeeds = task.spec.needs.filter((need) => taskOf(run, need).outcome?.kind !== 'succeeded').length;
  if (task.unmetNeeds === 0) becomeReady(run, task, 'needsMet');
}

function becomeReady(run: Run, task: Task, move: 'needsMet' | 'due'): void {
  task.state = next(taskNext, task.state, move);
  task.delay = null;
  run.ready.push({ task, priority: task.spec.priority, order: task.order });
}

function delayTask(run: Run, event: Of<'task.delayed'>): void {
  const task = taskOf(run, event.taskId);
  task.state = next(taskNext, task.state, 'delayed');
  task.delay = { from: event.at, ms: event.delayMs };
  run.delayed.push({ task, dueAt: event.at + event.delayMs });
}

function settleTask(run: Run, task: Task, outcome: TaskOutcome): void {
  task.state = next(taskNext, task.state, 'settled');
  task.outcome = outcome;
  task.delay = null;
  run.unsettled -= 1;
  if (outcome.kind !== 'succeeded') return;
  for (const id of task.dependants) {
    const dependant = taskOf(run, id);
    dependant.unmetNeeds -= 1;
    if (dependant.unmetNeeds === 0 && dependant.state === 'blocked') becomeReady(run, dependant, 'needsMet');
  }
}

function reopenTask(run: Run, task: Task): void {
  task.state = next(taskNext, task.state, 'reopened');
  task.outcome = null;
  task.attemptsForgiven = task.attempts;
  run.unsettled += 1;
  awaitNeeds(run, task);
}

function queueMessage(run: Run, event: Of<'message.queued'>): void {
  const agent = agentOf(run, event.agentId);
  agent.mail.push({ id: event.messageId, from: event.from, body: event.body, state: 'queued' });
  const attempt = taskOf(run, agent.taskId).attempt;
  if (attempt !== null && event.from === 'signalbox') attempt.ownMessages += 1;
}

function writeMessage(run: Run, event: Of<'message.written'>): void {
  const agent = agentOf(run, event.agentId);
  moveMessage(agent, event.messageId, 'written');
  // Nobody acknowledges a control record: written is all that can be known of it.
  agent.mail = agent.mail.filter((message) => message.state !== 'written' || !isControl(message.body));
  const attempt = attemptOfLaunch(run, event.launchId);
  launchOf(attempt).written = event.end;
  succeeded(attempt, 'write');
}

function moveMessage(agent: Agent, id: string, move: MessageMove): void {
  const message = must(
    agent.mail.find((each) => each.id === id),
    `no message ${id} in the mail of ${agent.id}`,
  );
  message.state = next(messageNext, message.state, move);
  dropDelivered(agent);
}

function dropDelivered(agent: Agent): void {
  agent.mail = agent.mail.filter((message) => message.state !== 'delivered');
}

function evolveAttempt(
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
      return succeeded(attempt, 'prepare');
    case 'workspace.saved':
      attempt.state = next(attemptNext, attempt.state, 'saved');
      attempt.workspace.state = next(workspaceNext, attempt.workspace.state, 'saved');
      attempt.workspace.ref = event.ref;
      attempt.workspace.commit = event.commit;
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
    workspace: { state: 'absent', path: '', base: '', ref: '', commit: '' },
    launches: 0,
    launch: null,
    ownMessages: 0,
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
  const agent = agentOf(run, attempt.agentId);
  for (const message of agent.mail) message.state = next(messageNext, message.state, 'givenUp');
  dropDelivered(agent);
  run.live.delete(attempt.id);
  if (attempt.launch !== null) run.liveByLaunch.delete(attempt.launch.id);
}

function evolveLaunch(
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
  agent.mail = agent.mail.filter((message) => !isControl(message.body));
  for (const message of agent.mail) message.state = next(messageNext, message.state, 'launchGone');
  dropDelivered(agent);
}

function succeeded(attempt: Attempt, effect: EffectKind): void {
  delete attempt.failing[effect];
}

function taskOf(run: Run, id: TaskId): Task {
  return must(run.tasks.get(id), `no task ${id}`);
}

function agentOf(run: Run, id: AgentId): Agent {
  return must(run.agents.get(id), `no agent ${id}`);
}

function attemptOf(run: Run, id: AttemptId): Attempt {
  return must(run.live.get(id), `no live attempt ${id}`);
}

function attemptOfLaunch(run: Run, id: LaunchId): Attempt {
  return must(run.liveByLaunch.get(id), `no live launch ${id}`);
}

function launchOf(attempt: Attempt): Launch {
  return must(attempt.launch, `attempt ${attempt.id} has no launch`);
}
