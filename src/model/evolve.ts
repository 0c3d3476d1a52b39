// Folds one event into a run. Mutates in place and keeps the indices; no clock, no I/O, no hidden input.
// What an event may do is decided elsewhere: here a record that makes no sense asserts.

import { assert, unreachable } from '../std/assert.ts';
import { addUsage, noUsage } from './agent-fact.ts';
import type { RunEvent, TaskOutcome } from './events.ts';
import { evolveAttempt, evolveLaunch } from './evolve-attempt.ts';
import { evolveGate } from './evolve-gate.ts';
import { loseSession, queueMessage, writeMessage } from './evolve-message.ts';
import { letPass } from './interlock.ts';
import { agentOf, taskOf } from './lookup.ts';
import { moveMail } from './mail.ts';
import type { Run, Task } from './run.ts';
import type { TaskSpec } from './spec.ts';
import { next, runNext, taskNext } from './states.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export function evolve(run: Run, event: RunEvent): void {
  run.seq += 1;
  switch (event.type) {
    case 'run.created':
    case 'run.stopAsked':
    case 'run.settled':
    case 'run.resumed':
      return evolveRun(run, event);
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
    case 'agent.sessionLost':
      return loseSession(agentOf(run, event.agentId));
    case 'message.queued':
      return queueMessage(run, event);
    case 'message.written':
      return writeMessage(run, event);
    case 'message.delivered':
      return moveMail(agentOf(run, event.agentId), event.messageId, 'delivered');
    case 'message.found':
      return moveMail(agentOf(run, event.agentId), event.messageId, 'found');
    case 'gate.opened':
    case 'gate.decided':
    case 'gate.expired':
      return evolveGate(run, event);
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

function evolveRun(run: Run, event: Of<'run.created' | 'run.stopAsked' | 'run.settled' | 'run.resumed'>): void {
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
  run.waiting.delete(task.spec.id);
  letPass(run, task);
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
