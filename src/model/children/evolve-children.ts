// Folds the events of children: spawning, waiting, claims, progress.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, askerOf, attemptOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { lately } from '../core/timing.ts';
import { isControl } from '../messages/record-body.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type Concerned = Of<
  | `task.${'added' | 'joined' | 'ended' | 'reopened'}`
  | 'agent.created'
  | 'call.answered'
  | 'message.sent'
  | 'attempt.waiting'
  | 'record.queued'
  | 'record.delivered'
  | 'session.renewed'
  | 'progress.reported'
  | 'limit.reached'
  | 'limits.set'
>;

export function evolveChildren(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'task.added':
      return join(run, taskOf(run, event.task.id));
    case 'task.joined':
      return join(run, taskOf(run, event.taskId));
    case 'task.ended':
      return endChild(run, taskOf(run, event.taskId));
    case 'task.reopened':
      return reopenChild(run, taskOf(run, event.taskId));
    case 'agent.created': {
      const task = taskOf(run, event.taskId);
      // The first attempt was counted when the child was spawned.
      if (task.tries.attempts > 1 && askerOf(run, task) !== null) run.children.agentsAsked += 1;
      return;
    }
    case 'call.answered': {
      const agent = agentOf(run, event.agentId);
      if (event.tool === 'spawn_agent' && !event.isError) agent.spawnedAt = lately(agent.spawnedAt, event.at);
      return;
    }
    case 'message.sent': {
      const { kind, about } = event.message;
      if (kind !== 'notification' || about === undefined) return;
      taskOf(run, about).children.notified = true;
      run.children.unnotified.delete(about);
      return;
    }
    case 'attempt.waiting':
      attemptOf(run, event.attemptId).waits = event.waits;
      return;
    case 'record.queued':
    case 'record.delivered':
      return endWait(run, event);
    case 'session.renewed':
      // The new session is told what the former one waited for.
      attemptOf(run, event.attemptId).waits = null;
      return;
    case 'progress.reported': {
      const { line, fraction, at } = event;
      taskOf(run, event.taskId).children.progress = { line, fraction, at };
      return;
    }
    case 'limit.reached':
      run.children.limitsNotified.push({ limit: event.limit, max: event.max, taskId: event.taskId, at: event.at });
      return;
    case 'limits.set':
      // Reaching a changed limit is reported again.
      run.children.limitsNotified = run.children.limitsNotified.filter(
        ({ limit }) => event.limits[limit] === undefined,
      );
      return;
    default:
      unreachable(event);
  }
}

function join(run: Run, task: Task): void {
  indexChild(run, task);
  const asker = askerOf(run, task);
  if (asker === null) return;
  asker.children.open += 1;
  run.children.agentsAsked += 1;
}

export function indexChild(run: Run, task: Task): void {
  askerOf(run, task)?.children.ids.push(task.spec.id);
}

function endChild(run: Run, task: Task): void {
  const asker = askerOf(run, task);
  if (asker !== null) asker.children.open -= 1;
  if (isUntold(run, task)) run.children.unnotified.set(task.spec.id, task);
  for (const child of task.children.ids) run.children.unnotified.delete(child);
}

function reopenChild(run: Run, task: Task): void {
  const asker = askerOf(run, task);
  if (asker !== null) asker.children.open += 1;
  task.children.notified = false;
  for (const child of task.children.ids)
    if (isUntold(run, taskOf(run, child))) run.children.unnotified.set(child, taskOf(run, child));
  run.children.unnotified.delete(task.spec.id);
}

/** Whether its parent is still to be notified of its end. */
export function isUntold(run: Run, task: Task): boolean {
  const asker = askerOf(run, task);
  return task.state === 'ended' && !task.children.notified && asker !== null && asker.state !== 'ended';
}

/**
 * The agent gets input, so its wait is over; or it has read what was on its way when it began to wait. If a record is found in
 * its session later, the order of the two is unknown.
 */
function endWait(run: Run, event: Of<'record.queued' | 'record.delivered'>): void {
  const agent = agentOf(run, event.agentId);
  const { attempt } = taskOf(run, agent.taskId);
  if (attempt === null) return;
  if (event.type === 'record.delivered') {
    const body = agent.mailbox.records.find(({ id }) => id === event.recordId)?.body;
    if (body !== undefined && !isControl(body) && attempt.agentId === agent.id) attempt.waits = null;
  } else if (!isControl(event.body)) attempt.waits = null;
}
