// Folds what happens between the agents of a run.

import { must, unreachable } from '../../std/assert.ts';
import type { Agent } from '../agent.ts';
import type { RunEvent } from '../events.ts';
import { letPass } from '../dispatch/interlock.ts';
import type { LetterId } from '../ids.ts';
import { evolveAcross, isAcrossEvent, noteHeard, noteSender } from '../messages/evolve-other-runs.ts';
import type { Letter } from '../messages/message.ts';
import { handOver, resetHops } from '../messages/mailbox.ts';
import { hasUnread } from '../messages/undelivered.ts';
import { agentOf, attemptOf, taskOf } from '../lookup.ts';
import type { Run, Task } from '../run.ts';
import { lately } from '../timing.ts';
import { rememberCall } from '../tool-calls/answered-calls.ts';
import type { CrewEvent as Body } from './children-events.ts';
import type { CrewLimits } from './child-limits.ts';

type CrewEvent = Extract<RunEvent, Body>;

const ownTypes: ReadonlySet<string> = new Set<Body['type']>([
  'call.answered',
  'mail.sent',
  'mail.taken',
  'mail.undelivered',
  'attempt.waiting',
  'paths.claimed',
  'progress.told',
  'limit.reached',
  'limits.set',
]);

export function isCrewEvent(event: RunEvent): event is CrewEvent {
  return ownTypes.has(event.type) || isAcrossEvent(event);
}

export function evolveCrew(run: Run, event: CrewEvent): void {
  if (isAcrossEvent(event)) return evolveAcross(run, event);
  switch (event.type) {
    case 'call.answered':
      return noteCall(agentOf(run, event.agentId), event);
    case 'mail.sent':
      return post(run, event.letter);
    case 'mail.taken': {
      const { taskId, agentId } = attemptOf(run, event.attemptId);
      const agent = agentOf(run, agentId);
      agent.taken = [...agent.taken, ...event.letters];
      return handOver(run, taskOf(run, taskId), agent, event.letters);
    }
    case 'mail.undelivered':
      return giveUpLetters(run, taskOf(run, event.taskId), event.letters);
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
function setLimits(run: Run, limits: Partial<CrewLimits>): void {
  const spec = must(run.spec, 'a run that goes on was created');
  run.spec = { ...spec, limits: { ...spec.limits, crew: { ...spec.limits.crew, ...limits } } };
  run.limitsTold = run.limitsTold.filter(({ limit }) => limits[limit] === undefined);
}

function noteCall(agent: Agent, event: Extract<CrewEvent, { type: 'call.answered' }>): void {
  const { tool, isError, at } = event;
  rememberCall(agent, event);
  if (event.worked === true) resetHops(agent);
  if (tool === 'spawn_agent' && !isError) agent.spawnedAt = lately(agent.spawnedAt, at);
}

function giveUpLetters(run: Run, task: Task, ids: readonly LetterId[]): void {
  task.inbox = task.inbox.filter(({ id }) => !ids.includes(id));
  task.undelivered = [...task.undelivered, ...ids];
  if (!hasUnread(task)) run.unread.delete(task.spec.id);
}

function post(run: Run, letter: Letter): void {
  run.letters += 1;
  taskOf(run, letter.to).inbox.push(letter);
  if (letter.kind === 'notification' && letter.about !== undefined) {
    taskOf(run, letter.about).told = true;
    run.untold.delete(letter.about);
  }
  noteSender(run, letter);
  noteHeard(run, letter);
}
