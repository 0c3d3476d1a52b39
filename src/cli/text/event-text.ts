// The events of a run as one-line messages: state changes only. Pure, except that it remembers names.

import { plainLine } from '../../std/plain-text.ts';
import type { RunEvent } from '../../wire/event-names.ts';
import { addedWords, childrenProgress, isOfChildren, isOfSession, sessionProgress } from './agent-events.ts';
import { answeredWords, askedWords, whoseName } from './ask-events.ts';
import { evidenceWords, integrationText } from './evidence-text.ts';
import { elapsed } from './figures.ts';
import { isLanding, landingProgress } from './landing-text.ts';
import { failureWords } from './summary.ts';

/** The line for an event, or null if people need not see it. */
export type Progress = (event: RunEvent) => string | null;

/** `known`: names whose width is reserved from the first line on. */
export function createProgress(known: readonly string[] = []): Progress {
  const names = new Map<string, string>();
  const taskOf = new Map<string, string>();
  const failures = new Map<string, Failure>();
  let width = Math.max(0, ...known.map(({ length }) => length));

  const learn = (event: RunEvent): void => {
    const task = event.type === 'task.added' ? event.task : event.type === 'task.joined' ? joined(event) : null;
    if (task !== null) {
      names.set(task.id, plainLine(task.name));
      width = Math.max(width, task.name.length);
    }
    if (event.type === 'attempt.started') {
      taskOf.set(event.attemptId, event.taskId);
      taskOf.set(event.agentId, event.taskId);
    }
    if (event.type === 'attempt.ended' && event.verdict.kind === 'failed') {
      failures.set(taskOf.get(event.attemptId) ?? '', event.verdict.failure);
    }
    if (event.type === 'ask.opened') {
      taskOf.set(event.askId, ('attemptId' in event ? taskOf.get(event.attemptId) : taskFor(event)) ?? '');
    }
    if (event.type === 'launch.intended') taskOf.set(event.launchId, taskOf.get(event.attemptId) ?? '');
  };

  const taskFor = (event: RunEvent): string | undefined => {
    if (event.type === 'task.added') return event.task.id;
    if (event.type === 'message.sent') return event.message.to;
    const about = event as {
      taskId?: string;
      attemptId?: string;
      launchId?: string;
      agentId?: string;
      askId?: string;
    };
    const other = about.attemptId ?? about.launchId ?? about.agentId ?? about.askId;
    return about.taskId ?? (other === undefined ? undefined : taskOf.get(other));
  };

  return (event) => {
    learn(event);
    const task = taskFor(event) ?? '';
    const words =
      event.type === 'task.delayed' ? delayed(event, failures.get(task), task) : wordsFor(event, names, task);
    if (words === null) return null;
    return `${clock(event.at)} ${(names.get(task) ?? 'run').padEnd(width)}  ${plainLine(words)}`;
  };
}

function joined({ taskId, name }: Extract<RunEvent, { type: 'task.joined' }>): { id: string; name: string } {
  return { id: taskId, name };
}

function wordsFor(event: RunEvent, names: ReadonlyMap<string, string>, taskId: string): string | null {
  if (isLanding(event)) return landingProgress(event);
  if (isOfChildren(event)) return childrenProgress(event, names);
  if (isOfSession(event)) return sessionProgress(event);
  switch (event.type) {
    case 'run.stopAsked':
      return `stop requested by ${event.by}`;
    case 'run.resumed':
      return `resumed by ${event.by}`;
    case 'run.removed':
      return `removed by ${event.by}`;
    case 'task.added':
      return addedWords(event, names);
    case 'attempt.started':
      return event.n === 1 ? 'started' : `started, attempt ${event.n}${nextWords(event)}`;
    case 'launch.intended':
      return event.launchId.endsWith('-1') ? null : 'process restarted';
    case 'launch.lost':
      return 'the process vanished without an exit status';
    case 'launch.signalled':
      return event.rung === 'term' ? 'terminating (TERM)' : 'killed (KILL)';
    case 'ask.opened':
      return askedWords(event, names);
    case 'ask.answered':
      return `${answeredWords(event)} by ${event.by}`;
    case 'ask.expired':
      return `its question is ended: ${event.why}`;
    case 'budget.set':
      return `the budget of ${whoseName(event.scope, names)} was set by ${event.by}`;
    case 'budget.day':
      return event.exhausted;
    case 'attempt.parked':
      // The line of its turn end, or of its question, said what it waits for.
      if (event.why.kind === 'waits' || event.why.kind === 'asks') return null;
      if (event.why.kind === 'interrupt') return `${event.why.detail}: it waits for a message (signalbox send)`;
      return `paused: ${event.why.detail}${event.why.kind === 'quota' ? ' (until when: signalbox ps)' : ''}`;
    case 'run.paused':
      return `${event.by} paused ${event.of === 'host' ? 'all agents' : 'the run'}`;
    case 'run.unpaused':
      return event.of === 'host' ? 'agents are no longer paused' : `${event.by} lets the run go on`;
    case 'attempt.unparked':
      return 'resumed';
    case 'turn.ended':
      return event.turn.kind === 'ok' ? 'turn ended' : failureWords('turn failed', event.turn.failure, taskId);
    case 'stop.asked':
      return stopWords(event.reason);
    case 'workspace.ready':
    case 'workspace.saved':
      return event.notes === undefined ? null : `note: ${event.notes.join('; ')}`;
    case 'evidence.recorded':
      return evidenceWords(event.items) || null;
    case 'integration.succeeded':
    case 'integration.conflicted':
    case 'integration.failed':
      return integrationText(event);
    case 'effect.failed':
      return `cannot ${event.effect} yet: ${event.message}`;
    case 'record.queued':
      return event.from === 'signalbox' ? null : `message from ${event.from} queued`;
    case 'task.ended':
      return outcomeWords(event.outcome, names, taskId);
    default:
      // Also events of a newer daemon that this program does not know.
      return null;
  }
}

function nextWords({ why, continues }: Extract<RunEvent, { type: 'attempt.started' }>): string {
  return why === undefined
    ? ''
    : `, ${continues === undefined ? 'from scratch' : 'continues the existing work'}: ${why}`;
}

/** Parking has an event of its own once the process has ended. */
function stopWords(reason: string): string | null {
  return reason === 'finished' || reason === 'parked' ? null : `stopping (${reason})`;
}

type Failure = Parameters<typeof failureWords>[1];

/** A failed attempt that does not end its task: no other line says why it failed. */
function delayed({ delayMs }: { readonly delayMs: number }, failure: Failure | undefined, taskId: string): string {
  const words = delayMs === 0 ? 'sent back to its agent' : `next attempt in ${seconds(delayMs)}`;
  return failure === undefined ? words : failureWords(`${words}; failed`, failure, taskId);
}

type Outcome = Extract<RunEvent, { type: 'task.ended' }>['outcome'];

function outcomeWords(outcome: Outcome, names: ReadonlyMap<string, string>, taskId: string): string {
  switch (outcome.kind) {
    case 'succeeded':
      return outcome.commit === '' ? 'succeeded' : `succeeded ${outcome.commit.slice(0, 7)}`;
    case 'failed':
      return failureWords('failed', outcome.failure, taskId);
    case 'stopped':
      return 'stopped';
    case 'skipped':
      return `skipped: ${names.get(outcome.because) ?? outcome.because} did not succeed`;
    case 'omitted':
      return outcome.because === null
        ? 'omitted: its condition is false'
        : `omitted: ${names.get(outcome.because) ?? outcome.because} was omitted`;
  }
}

/** A duration, with tenths of a second if it is short. */
export function seconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : elapsed(ms);
}

function clock(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
