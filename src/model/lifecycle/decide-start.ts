// The decision that starts an attempt: with a new agent, or with the one that worked on the task before.

import { holderOf } from '../children/blocking.ts';
import type { Attempt } from '../core/attempt.ts';
import { type Command, type Decision, decided, refused, stale } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { agentId, attemptId } from '../core/ids.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { sentBackNote } from '../integrate/conflict.ts';
import { ownRecord } from '../messages/own-record.ts';
import type { RecordBody } from '../messages/record-body.ts';
import { continueNote, howNext, type Next } from '../session/continuing.ts';
import { handoverFromRecord } from '../session/rebuilt.ts';
import { resumedNote } from '../session/resumed-note.ts';
import { failTask, noConsequences } from '../tasks/end-task.ts';

export function decideStart(run: Run, command: Extract<Command, { type: 'start' }>): Decision {
  const { type: _, taskId, host, ...admission } = command;
  const task = run.tasks.get(taskId);
  if (task === undefined) return refused('unknown', `no task ${taskId} in this run`);
  if (run.state !== 'running') return refused('notAllowed', `the run is ${run.state}`);
  if (task.state !== 'ready') return refused('stale', `task "${task.spec.name}" is ${task.state}`);
  const holder = holderOf(run, task);
  if (holder !== null) return refused('stale', `path ${holder.path} is held by task "${holder.task.spec.name}"`);
  const n = task.tries.attempts + 1;
  const id = attemptId(taskId, n);
  const next = howNext(run, task);
  const started = {
    type: 'attempt.started',
    attemptId: id,
    taskId,
    n,
    agentId: next.former?.agentId ?? agentId(id),
    host,
    ...(next.why === '' ? {} : { why: next.why }),
    ...admission,
  } as const;
  if (next.former !== null) {
    const goesOn = { ...started, continues: next.former.id, ...(next.onHead ? { onHead: true as const } : {}) };
    return decided([goesOn, ...whatItIsTold(run, task, next, next.former, id)]);
  }
  const name = n === 1 ? task.spec.name : `${task.spec.name}-${n}`;
  const created: RunEventBody = { type: 'agent.created', agentId: started.agentId, taskId, name };
  const { adopts } = task.spec;
  const session: RunEventBody[] =
    adopts === undefined || n > 1 ? [] : [{ type: 'agent.session', agentId: started.agentId, session: adopts.session }];
  return decided([started, created, ...session, firstRecord(id, started.agentId, { kind: 'prompt' })]);
}

/**
 * The first records of an attempt that continues a former one. After a person's message the agent reads exactly that, with the
 * prompt before it if its session is lost.
 */
function whatItIsTold(run: Run, task: Task, next: Next, former: Attempt, id: Attempt['id']): RunEventBody[] {
  const { agentId } = former;
  const isForgotten = agentOf(run, agentId).session === null;
  const prompt = firstRecord(id, agentId, { kind: 'prompt', ...(isForgotten ? { again: true } : {}) });
  if (next.how === 'steered') {
    const said = task.session.steered.map(({ recordId, from, text }): RunEventBody => {
      return { type: 'record.queued', recordId, agentId, from, body: { kind: 'text', text } };
    });
    return isForgotten ? [prompt, ...said] : [...said, ...onTheWay(run, agentId)];
  }
  if (next.how === 'resumed') {
    const text = resumedNote(run, task, former, next.onHead);
    return [firstRecord(id, agentId, { kind: 'text', text }), ...onTheWay(run, agentId)];
  }
  if (next.how === 'handoff') {
    // If the session is lost, the prompt includes everything that the journal knows.
    if (isForgotten) return [prompt];
    const handedOver = handoverFromRecord(run, task, { attemptId: id, agentId });
    return [...handedOver, { type: 'session.renewed', attemptId: id, agentId }, prompt];
  }
  const text = next.onHead ? sentBackNote(run, task) : continueNote(former);
  return [firstRecord(id, agentId, { kind: 'text', text }), ...onTheWay(run, agentId)];
}

/**
 * Messages that were not delivered when the former attempt ended, in the same records: its session may hold a record already,
 * and knows it by its id. Messages that were reported to their sender as dead are left out.
 */
function onTheWay(run: Run, agentId: Attempt['agentId']): RunEventBody[] {
  const {
    mailbox: { records },
    taskId,
  } = agentOf(run, agentId);
  const waiting = new Set(taskOf(run, taskId).mailbox.inbox.map(({ id }) => id));
  return records.flatMap(({ id: recordId, from, body }): RunEventBody[] => {
    const messages = body.kind === 'messages' ? body.messages.filter((id) => waiting.has(id)) : [];
    if (body.kind !== 'messages' || messages.length === 0) return [];
    return [{ type: 'record.queued', recordId, agentId, from, body: { ...body, messages } }];
  });
}

function firstRecord(id: Attempt['id'], agentId: Attempt['agentId'], body: RecordBody): RunEventBody {
  return ownRecord({ id, agentId, ownRecords: 0 }, body);
}

/** The task cannot start: its account's quota is exhausted, and its plan does not let it wait. */
export function decideOutOfQuota(run: Run, { taskId, detail }: Extract<Command, { type: 'outOfQuota' }>): Decision {
  const task = run.tasks.get(taskId);
  if (task?.state !== 'ready' || run.state !== 'running') return stale(taskId);
  const all = noConsequences();
  failTask(run, task, { reason: 'quota', detail }, all);
  return decided(all.events);
}
