// A run's events as calm lines for people: changes of state only. Pure but for what it remembers of names.

import type { RunEvent } from '../../wire/event-names.ts';
import { budgetWords } from './budget-text.ts';
import { addedWords, childrenProgress, isOfChildren } from './events/child-events.ts';
import { isOfSession, sessionProgress } from './events/conversation-events.ts';
import { isLanding, landingProgress } from './events/landing-events.ts';
import { isOtherRun, otherRunProgress } from './events/other-run-events.ts';
import { evidenceWords, integrationText } from './evidence-text.ts';
import { elapsed } from './figures.ts';
import { plainLine } from './plain-text.ts';
import { failureWords } from './summary.ts';

/** The line for an event, or null where it says nothing to a person. */
export type Progress = (event: RunEvent) => string | null;

/** `known`: names to leave room for from the first line on. */
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
    if (event.type === 'gate.opened') taskOf.set(event.gateId, taskOf.get(event.attemptId) ?? '');
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
      gateId?: string;
    };
    const other = about.attemptId ?? about.launchId ?? about.agentId ?? about.gateId;
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
  if (isOtherRun(event)) return otherRunProgress(event);
  switch (event.type) {
    case 'run.stopAsked':
      return `asked to stop by ${event.by}`;
    case 'run.resumed':
      return `resumed by ${event.by}`;
    case 'task.added':
      return addedWords(event, names);
    case 'attempt.started':
      return event.n === 1 ? 'started' : `started, attempt ${event.n}${nextWords(event)}`;
    case 'launch.intended':
      return event.launchId.endsWith('-1') ? null : 'its process is started again';
    case 'launch.lost':
      return 'its process is gone without a word';
    case 'launch.signalled':
      return event.rung === 'term' ? 'told to end (TERM)' : 'ended by force (KILL)';
    case 'gate.opened':
      return `asks whether it may use ${event.ask.tool}: signalbox inbox, signalbox approve ${event.gateId}`;
    case 'gate.decided':
      return `${event.approved ? 'approved' : 'rejected'} by ${event.by}`;
    case 'gate.expired':
      return `its question is ended: ${event.why}`;
    case 'question.asked':
      return `asks you: ${firstLine(event.message)} (signalbox inbox says how to answer)`;
    case 'question.answered':
      return `${event.words === undefined ? (event.choice ?? (event.approved ? 'approved' : 'rejected')) : 'answered'} by ${event.by}`;
    case 'question.expired':
      return `its question is ended: ${event.why}`;
    case 'budget.exhausted':
      return `the budget of ${whoseName(event.scope, names)} is used up${spentWords(event)}`;
    case 'budget.set':
      return `the budget of ${whoseName(event.scope, names)} was set by ${event.by}`;
    case 'budget.day':
      return event.exhausted;
    case 'attempt.parked':
      // What it waits for was said when its turn ended, or when it asked.
      if (event.why.kind === 'waits' || event.why.kind === 'asks') return null;
      return `paused: ${event.why.detail}${event.why.kind === 'quota' ? ' (signalbox ps says until when)' : ''}`;
    case 'attempt.unparked':
      return 'goes on';
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
      return event.from === 'signalbox' ? null : `a message from ${event.from} is on its way`;
    case 'task.ended':
      return outcomeWords(event.outcome, names, taskId);
    default:
      // Also events that a newer daemon knows and this program does not.
      return null;
  }
}

function nextWords({ why, continues }: Extract<RunEvent, { type: 'attempt.started' }>): string {
  return why === undefined ? '' : `, ${continues === undefined ? 'anew' : 'on the work there is'}: ${why}`;
}

/** What is to pause says so itself, once its process has ended. */
function stopWords(reason: string): string | null {
  return reason === 'finished' || reason === 'parked' ? null : `being stopped (${reason})`;
}

function spentWords({ what, spent, limit }: Extract<RunEvent, { type: 'budget.exhausted' }>): string {
  return what === 'unknown' ? ': what some of it cost is not known' : `: ${budgetWords([{ what, spent, limit }])}`;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

function whoseName(scope: BudgetScope, names: ReadonlyMap<string, string>): string {
  if (scope.of === 'run') return 'the run';
  return `${scope.of === 'tree' ? 'all of ' : ''}${names.get(scope.taskId) ?? scope.taskId}`;
}

type BudgetScope = Extract<RunEvent, { type: 'budget.set' }>['scope'];

type Failure = Parameters<typeof failureWords>[1];

/** The attempt that failed did not settle the task, so nothing else says why. */
function delayed({ delayMs }: { readonly delayMs: number }, failure: Failure | undefined, taskId: string): string {
  const words = delayMs === 0 ? 'goes back to its agent' : `tries again in ${seconds(delayMs)}`;
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
        ? 'omitted: its condition does not hold'
        : `omitted: ${names.get(outcome.because) ?? outcome.because} was`;
  }
}

/** How long something took or waits: to the tenth where it is short. */
export function seconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : elapsed(ms);
}

function clock(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
