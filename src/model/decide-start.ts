// The decision that begins an attempt: with an agent of its own, or with the one that worked on the task before.

import { type Command, type Decision, decided, refused } from './command.ts';
import { continuedBy, continueNote } from './continuing.ts';
import type { RunEventBody } from './events.ts';
import { agentId, attemptId, ownMessageId } from './ids.ts';
import { holderOf } from './interlock.ts';
import type { MessageBody } from './message-body.ts';
import { sentBackNote } from './misfit.ts';
import type { Run } from './run.ts';

export function decideStart(run: Run, command: Extract<Command, { type: 'start' }>): Decision {
  const { type: _, taskId, host, ...admission } = command;
  const task = run.tasks.get(taskId);
  if (task === undefined) return refused('unknown', `no task ${taskId} in this run`);
  if (run.state !== 'running') return refused('notAllowed', `the run is ${run.state}`);
  if (task.state !== 'ready') return refused('stale', `task "${task.spec.name}" is ${task.state}`);
  const holder = holderOf(run, task);
  if (holder !== null) return refused('stale', `path ${holder.path} is held by task "${holder.task.spec.name}"`);
  const n = task.attempts + 1;
  const attempt = attemptId(taskId, n);
  const former = continuedBy(run, task);
  const agent = former?.agentId ?? agentId(attempt);
  const told = (body: MessageBody): RunEventBody => {
    return { type: 'message.queued', messageId: ownMessageId(attempt, 1), agentId: agent, from: 'signalbox', body };
  };
  const started = {
    type: 'attempt.started',
    attemptId: attempt,
    taskId,
    n,
    agentId: agent,
    host,
    ...admission,
  } as const;
  if (former !== null) {
    const misfits = former.verdict?.kind === 'failed' && former.verdict.failure.reason === 'conflict';
    const text = misfits ? sentBackNote(run, task) : continueNote(former);
    const goesOn = { ...started, continues: former.id, ...(misfits ? { onHead: true as const } : {}) };
    return decided([goesOn, told({ kind: 'text', text })]);
  }
  const name = n === 1 ? task.spec.name : `${task.spec.name}-${n}`;
  return decided([started, { type: 'agent.created', agentId: agent, taskId, name }, told({ kind: 'prompt' })]);
}
