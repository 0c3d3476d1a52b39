// Folds what happens between the agents of a run.

import { must, unreachable } from '../../std/assert.ts';
import type { Agent } from '../core/agent.ts';
import type { ChildLimits } from '../core/child-limits.ts';
import type { RunEvent } from '../core/events.ts';
import type { MessageId } from '../core/ids.ts';
import { agentOf, attemptOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { lately } from '../core/timing.ts';
import { evolveOtherRuns, isOtherRunEvent, noteHeard, noteSender } from '../messages/evolve-other-runs.ts';
import { handOver, resetHops } from '../messages/mailbox.ts';
import type { Message } from '../messages/message.ts';
import { hasUnread } from '../messages/undelivered.ts';
import { letPass } from '../ready/interlock.ts';
import { rememberCall } from '../session/answered-calls.ts';
import type { ChildrenEvent as Body } from './children-events.ts';

type ChildrenEvent = Extract<RunEvent, Body>;

const ownTypes: ReadonlySet<string> = new Set<Body['type']>([
  'call.answered',
  'message.sent',
  'message.taken',
  'message.undelivered',
  'attempt.waiting',
  'paths.claimed',
  'progress.told',
  'limit.reached',
  'limits.set',
]);

export function isChildrenEvent(event: RunEvent): event is ChildrenEvent {
  return ownTypes.has(event.type) || isOtherRunEvent(event);
}

export function evolveChildren(run: Run, event: ChildrenEvent): void {
  if (isOtherRunEvent(event)) return evolveOtherRuns(run, event);
  switch (event.type) {
    case 'call.answered':
      return noteCall(agentOf(run, event.agentId), event);
    case 'message.sent':
      return post(run, event.message);
    case 'message.taken': {
      const { taskId, agentId } = attemptOf(run, event.attemptId);
      const agent = agentOf(run, agentId);
      agent.taken = [...agent.taken, ...event.messages];
      return handOver(run, taskOf(run, taskId), agent, event.messages);
    }
    case 'message.undelivered':
      return giveUpMessages(run, taskOf(run, event.taskId), event.messages);
    case 'attempt.waiting':
      attemptOf(run, event.attemptId).waits = event.waits;
      return;
    case 'paths.claimed': {
      const attempt = attemptOf(run, event.attemptId);
      const gaveBack = attempt.claims.some((path) => !event.paths.includes(path));
      attempt.claims = event.paths;
      if (gaveBack) letPass(run, taskOf(run, attempt.taskId));
      return;
    }
    case 'progress.told': {
      const { line, fraction, at } = event;
      taskOf(run, event.taskId).progress = { line, fraction, at };
      return;
    }
    case 'limit.reached':
      run.limitsTold.push({ limit: event.limit, max: event.max, taskId: event.taskId, at: event.at });
      return;
    case 'limits.set':
      return setLimits(run, event.limits);
    default:
      unreachable(event);
  }
}

/** Whoever comes up to one that was changed is news again. */
function setLimits(run: Run, limits: Partial<ChildLimits>): void {
  const spec = must(run.spec, 'a run that goes on was created');
  run.spec = { ...spec, limits: { ...spec.limits, children: { ...spec.limits.children, ...limits } } };
  run.limitsTold = run.limitsTold.filter(({ limit }) => limits[limit] === undefined);
}

function noteCall(agent: Agent, event: Extract<ChildrenEvent, { type: 'call.answered' }>): void {
  const { tool, isError, at } = event;
  rememberCall(agent, event);
  if (event.worked === true) resetHops(agent);
  if (tool === 'spawn_agent' && !isError) agent.spawnedAt = lately(agent.spawnedAt, at);
}

function giveUpMessages(run: Run, task: Task, ids: readonly MessageId[]): void {
  task.inbox = task.inbox.filter(({ id }) => !ids.includes(id));
  task.undelivered = [...task.undelivered, ...ids];
  if (!hasUnread(task)) run.unread.delete(task.spec.id);
}

function post(run: Run, message: Message): void {
  run.messages += 1;
  taskOf(run, message.to).inbox.push(message);
  if (message.kind === 'notification' && message.about !== undefined) {
    taskOf(run, message.about).told = true;
    run.untold.delete(message.about);
  }
  noteSender(run, message);
  noteHeard(run, message);
}
