// Decisions on messages of people to agents: an agent at work is steered; one whose task has ended, is being stopped or whose
// work is being checked is resumed.

import { isAtWork, isOver, liveAttempt } from '../attempt/stopping.ts';
import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { isFailure } from '../core/failure.ts';
import { agentOf, askerOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';
import { whoGoesOnWithout, withCounted } from '../tasks/reopened-dependants.ts';
import { reopen } from '../tasks/resumed-children.ts';

type Send = Extract<Command, { type: 'send' }>;

export function decideSend(run: Run, command: Send): Decision {
  const task = run.tasks.get(command.taskId);
  if (task === undefined) return refused('unknown', `no task ${command.taskId} in this run`);
  const { recordId, from, text } = command;
  const attempt = liveAttempt(run, task);
  if (isKnown(run, task, command)) return refused('stale', `message ${recordId} is already queued`);
  const isEnding = attempt === null || isOver(attempt) || attempt.stop?.reason === 'stopped';
  if (isEnding) return takeUpAgain(run, task, command);
  if (attempt.stop !== null && isFailure(attempt.stop.reason)) {
    return refused('notAllowed', `task "${task.spec.name}" is being stopped (${attempt.stop.reason})`);
  }
  const { agentId } = attempt;
  return decided([{ type: 'record.queued', recordId, agentId, from, body: { kind: 'text', text } }]);
}

function isKnown(run: Run, { attempt, session: { steered } }: Task, { recordId }: Send): boolean {
  const records = attempt === null ? [] : agentOf(run, attempt.agentId).mailbox.records;
  return [...records.map(({ id }) => id), ...steered.map((each) => each.recordId)].includes(recordId);
}

/** Reopens the task: its next attempt continues the agent and work of the last one, and begins with this message. */
function takeUpAgain(run: Run, task: Task, { recordId, from, text }: Send): Decision {
  const { name } = task.spec;
  const no = (why: string): Decision => refused('notAllowed', `task "${name}" ${why}`);
  if (run.state === 'stopping') return refused('notAllowed', 'the run is being stopped');
  if (run.state === 'landing') return refused('notAllowed', 'the work of the run is on its way into a branch');
  if (task.attempt === null) return no('has no agent at work');
  const asker = askerOf(run, task);
  // Its parent has ended or is about to: no agent would read the result.
  if (asker !== null && !isAtWork(run, asker)) {
    return no(`is a child of "${asker.spec.name}", which is no longer at work: send to that`);
  }
  const { session, memory } = agentOf(run, task.attempt.agentId);
  if (session === null && memory.sessionsBefore === 0) return no('has no conversation to go on with: retry it');
  const steered: RunEventBody = { type: 'session.steered', taskId: task.spec.id, recordId, from, text };
  if (task.state !== 'ended') {
    const isComing = liveAttempt(run, task) !== null || task.session.steered.length > 0;
    return isComing ? decided([steered]) : no('has no agent at work');
  }
  const missing = task.spec.needs.map((id) => taskOf(run, id)).find((need) => !isMet(task, need));
  if (missing !== undefined) return no(`needs "${missing.spec.name}", which did not succeed: retry that one`);
  // The outcome of a matrix or a phase depends on its tasks, so it is reopened too.
  const again = withCounted(run, [task]);
  const user = whoGoesOnWithout(run, again);
  if (user !== null) return no(`is what task "${user.spec.name}" goes on with: stop that first, or wait`);
  const events: RunEventBody[] = run.state === 'ended' ? [{ type: 'run.resumed', by: from }] : [];
  events.push(steered);
  return decided([...events, ...reopen(run, again)]);
}
