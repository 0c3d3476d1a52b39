// Decisions along an attempt's way: start → workspace → launch → output → down → saved → proved.
// A fact about something that is already over is stale: the world may tell twice, late, or out of order.

import { must } from '../std/assert.ts';
import type { AgentFact, Turn } from './agent-fact.ts';
import { type Command, type Decision, decided, refused } from './command.ts';
import type { EvidenceItem, RunEventBody, Verdict } from './events.ts';
import type { FailureReason } from './failure.ts';
import { agentId, attemptId, launchId, ownMessageId } from './ids.ts';
import { type Agent, type Attempt, isMail, type Launch, type Run } from './run.ts';
import { endAttempt, noConsequences } from './settle.ts';
import { askStop } from './stopping.ts';
import { launchesMax } from './timing.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideStart(run: Run, command: Of<'start'>): Decision {
  const task = run.tasks.get(command.taskId);
  if (task === undefined) return refused('unknown', `no task ${command.taskId} in this run`);
  if (run.state !== 'running') return refused('notAllowed', `the run is ${run.state}`);
  if (task.state !== 'ready') return refused('stale', `task "${task.spec.name}" is ${task.state}`);
  const n = task.attempts + 1;
  const attempt = attemptId(task.spec.id, n);
  const agent = agentId(attempt);
  return decided([
    { type: 'attempt.started', attemptId: attempt, taskId: task.spec.id, n, agentId: agent, host: command.host },
    {
      type: 'agent.created',
      agentId: agent,
      taskId: task.spec.id,
      name: n === 1 ? task.spec.name : `${task.spec.name}-${n}`,
    },
    {
      type: 'message.queued',
      messageId: ownMessageId(attempt, 1),
      agentId: agent,
      from: 'signalbox',
      body: { kind: 'prompt' },
    },
  ]);
}

export function decidePrepared(run: Run, command: Of<'prepared'>): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'preparing') return stale(command.attemptId);
  const ready: RunEventBody = {
    type: 'workspace.ready',
    attemptId: attempt.id,
    path: command.path,
    base: command.base,
  };
  if (attempt.stop !== null) return decided([ready, finish(attempt, stopVerdict(attempt.stop))]);
  return decided([ready, intendLaunch(attempt, false)]);
}

export function decideLaunched(run: Run, command: Of<'launched'>): Decision {
  const found = launchOf(run, command.launchId);
  if (found?.launch.state !== 'intended') return stale(command.launchId);
  return decided([{ type: 'launch.started', launchId: found.launch.id, process: command.process }]);
}

export function decideOutput(run: Run, command: Of<'output'>): Decision {
  const found = launchOf(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  const { attempt, launch } = found;
  if (command.from !== launch.offset) {
    return refused('stale', `output of ${launch.id} was read from ${command.from}, the record is at ${launch.offset}`);
  }
  const agent = agentOf(run, attempt);
  const events = command.facts.flatMap((fact) => factEvents(fact, attempt, agent));
  events.push({ type: 'launch.read', launchId: launch.id, offset: command.to, codec: command.codec });
  const delivered = new Set(command.facts.map((fact) => (fact.kind === 'delivered' ? fact.messageId : null)));
  const waiting = agent.mail.some((message) => isMail(message) && !delivered.has(message.id));
  const turnEnded = command.facts.some((fact) => fact.kind === 'turnEnded');
  if (turnEnded && !waiting) events.push(...askStop(attempt, 'finished', 'the agent has no more to do'));
  return decided(events);
}

export function decideWritten(run: Run, command: Of<'written'>): Decision {
  const found = launchOf(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  const agent = agentOf(run, found.attempt);
  const message = agent.mail.find((each) => each.id === command.messageId);
  if (message?.state !== 'queued' && message?.state !== 'acked') return stale(command.messageId);
  return decided([
    {
      type: 'message.written',
      messageId: message.id,
      agentId: agent.id,
      launchId: command.launchId,
      end: command.end,
    },
  ]);
}

export function decideSignalled(run: Run, command: Of<'signalled'>): Decision {
  const found = launchOf(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  return decided([{ type: 'launch.signalled', launchId: command.launchId, rung: command.rung }]);
}

export function decideDown(run: Run, command: Of<'down'>): Decision {
  const found = launchOf(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  const { attempt, launch } = found;
  const { status } = command;
  const events: RunEventBody[] = [
    status === null
      ? { type: 'launch.lost', launchId: launch.id }
      : { type: 'launch.ended', launchId: launch.id, status },
  ];
  const turn = attempt.turn ?? command.turn;
  if (turn !== attempt.turn && turn !== null) {
    events.push({ type: 'turn.ended', agentId: attempt.agentId, attemptId: attempt.id, turn });
  }
  const agent = agentOf(run, attempt);
  if (mustRelaunch(run, attempt, agent, turn, status)) events.push(...relaunch(attempt, agent));
  else events.push(finish(attempt, workVerdict(attempt, turn, status)));
  return decided(events);
}

export function decideSaved(run: Run, command: Of<'saved'>): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'saving') return stale(command.attemptId);
  const { ref, commit } = command;
  const saved: RunEventBody = { type: 'workspace.saved', attemptId: attempt.id, ref, commit };
  const verdict = must(attempt.verdict, 'a finished attempt has a verdict');
  if (verdict.kind === 'ok' && checksOf(run, attempt).length > 0) return decided([saved]);
  const all = noConsequences(saved);
  if (verdict.kind === 'ok') all.events.push({ type: 'evidence.recorded', attemptId: attempt.id, items: [] });
  endAttempt(run, attempt, verdict, commit, all);
  return decided(all.events);
}

export function decideProved(run: Run, command: Of<'proved'>): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'proving') return stale(command.attemptId);
  const all = noConsequences({ type: 'evidence.recorded', attemptId: attempt.id, items: command.items });
  endAttempt(run, attempt, evidenceVerdict(run, attempt, command.items), attempt.workspace.commit, all);
  return decided(all.events);
}

/** Only a proof for every check counts; one that is missing is a failed one. */
function evidenceVerdict(run: Run, attempt: Attempt, items: readonly EvidenceItem[]): Verdict {
  for (const check of checksOf(run, attempt)) {
    const item = items.find((each) => each.check === check.name);
    if (item?.passed === true) continue;
    const why = item === undefined ? 'was not run' : item.detail;
    return failed('check-failed', `check "${check.name}": ${why}`);
  }
  return { kind: 'ok' };
}

/** A verdict on the work by what process and agent said. Reasons of ours come first, then the agent's word. */
function workVerdict(attempt: Attempt, turn: Turn | null, status: number | null): Verdict {
  if (attempt.stop !== null && attempt.stop.reason !== 'finished') return stopVerdict(attempt.stop);
  if (turn?.kind === 'ok') return { kind: 'ok' };
  if (turn?.kind === 'failed') return { kind: 'failed', failure: turn.failure };
  if (status === null) return failed('lost', `contact was lost ${attempt.launches} times`);
  return failed('crash', `the agent ended with status ${status} and without a result`);
}

/** A lost process is taken up again, and so is one that ended before it took up its mail. */
function mustRelaunch(run: Run, attempt: Attempt, agent: Agent, turn: Turn | null, status: number | null): boolean {
  if (attempt.launches >= launchesMax || run.state === 'stopping') return false;
  if (attempt.stop !== null && attempt.stop.reason !== 'finished') return false;
  if (turn === null) return status === null;
  return turn.kind === 'ok' && agent.mail.some(isMail);
}

function relaunch(attempt: Attempt, agent: Agent): RunEventBody[] {
  const resume = agent.session !== null;
  const events = [intendLaunch(attempt, resume)];
  if (!agent.mail.some(isMail)) {
    events.push({
      type: 'message.queued',
      messageId: ownMessageId(attempt.id, attempt.ownMessages + 1),
      agentId: agent.id,
      from: 'signalbox',
      body: resume ? { kind: 'text', text: interruptedNote } : { kind: 'prompt' },
    });
  }
  return events;
}

const interruptedNote =
  'Your process was interrupted and has been started again. A command that was running may have taken effect in ' +
  'part or in whole: look before you repeat it. Then go on with your task.';

function factEvents(fact: AgentFact, attempt: Attempt, agent: Agent): RunEventBody[] {
  switch (fact.kind) {
    case 'session':
      return fact.session === agent.session
        ? []
        : [{ type: 'agent.session', agentId: agent.id, session: fact.session }];
    case 'delivered':
      return agent.mail.some((message) => message.id === fact.messageId)
        ? [{ type: 'message.delivered', messageId: fact.messageId, agentId: agent.id }]
        : [];
    case 'usage':
      return [{ type: 'usage.recorded', agentId: agent.id, taskId: attempt.taskId, usage: fact.usage }];
    case 'turnEnded':
      return [{ type: 'turn.ended', agentId: agent.id, attemptId: attempt.id, turn: fact.turn }];
  }
}

function intendLaunch(attempt: Attempt, resume: boolean): RunEventBody {
  const id = launchId(attempt.id, attempt.launches + 1);
  return { type: 'launch.intended', launchId: id, attemptId: attempt.id, resume };
}

function finish(attempt: Attempt, verdict: Verdict): RunEventBody {
  return { type: 'attempt.finished', attemptId: attempt.id, verdict };
}

function stopVerdict(stop: NonNullable<Attempt['stop']>): Verdict {
  return stop.reason === 'finished' ? { kind: 'ok' } : failed(stop.reason, stop.detail);
}

function failed(reason: FailureReason, detail: string): Verdict {
  return { kind: 'failed', failure: { reason, detail } };
}

function checksOf(run: Run, attempt: Attempt) {
  return must(run.tasks.get(attempt.taskId), 'an attempt has a task').spec.checks;
}

function agentOf(run: Run, attempt: Attempt): Agent {
  return must(run.agents.get(attempt.agentId), 'an attempt has an agent');
}

function launchOf(run: Run, id: Of<'launched'>['launchId']): { attempt: Attempt; launch: Launch } | null {
  const attempt = run.liveByLaunch.get(id);
  return attempt?.launch?.id === id ? { attempt, launch: attempt.launch } : null;
}

function stale(what: string): Decision {
  return refused('stale', `${what} is past that`);
}
