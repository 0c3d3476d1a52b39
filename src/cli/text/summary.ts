// What runs and tasks are doing or how they ended, in a line, and the exit code for it. Pure.

import { plainLine } from '../../std/plain-text.ts';
import { type RunView, type TaskView, usedUpReasons } from '../../wire/views.ts';
import { exits } from '../client/context.ts';
import { activityWords, toldWords } from './agent-text.ts';
import { isCut, wholeIs } from './cut-text.ts';
import { dollars, fill } from './figures.ts';
import { exitForLanding } from './landing-text.ts';
import { cutToWidth } from './text-width.ts';
import { waitWords } from './wait-text.ts';

export function exitFor({ outcome, tasks, landing }: Pick<RunView, 'outcome' | 'tasks' | 'landing'>): number {
  // The work waits for a checkout: one command is left to a person.
  if (outcome === 'succeeded') return landing === null ? exits.ok : exitForLanding(landing);
  // The budget comes first: with more of it the missing tasks may succeed.
  if (tasks.some((task) => exitForTask(task) === exits.budget)) return exits.budget;
  return outcome === 'partial' ? exits.partial : exits.failed;
}

export function exitForTask({ outcome }: TaskView): number {
  if (outcome?.kind === 'succeeded') return exits.ok;
  return outcome?.kind === 'failed' && usedUpReasons.has(outcome.failure.reason) ? exits.budget : exits.failed;
}

/** Never shows an unknown cost as zero. */
export function cost(usage: RunView['usage']): string {
  const { costMicroUsd, costAtLeastMicroUsd, estimatedMicroUsd } = usage;
  const known = `${estimatedMicroUsd > 0 ? '~' : ''}${dollars(costAtLeastMicroUsd)}`;
  if (costMicroUsd !== null) return known;
  return costAtLeastMicroUsd > 0 ? `unknown, at least ${known}` : 'unknown';
}

/** One line about what a task is doing or why it is not. */
export function taskWords(task: TaskView): string {
  const { outcome, wait, attempt, state } = task;
  switch (outcome?.kind) {
    case 'succeeded':
      if (task.kind === 'gate') return approvedWords(task);
      return outcome.commit === '' ? 'succeeded' : `succeeded ${outcome.commit.slice(0, 7)}`;
    case 'failed':
      return failureWords('failed', outcome.failure, task.id);
    case 'stopped':
      return 'stopped';
    case 'skipped':
      return 'skipped';
    case 'omitted':
      return outcome.because === null ? 'omitted: its condition is false' : 'omitted: a task it needs was omitted';
    case undefined:
      break;
  }
  const number = attempt !== null && attempt.n > 1 ? `, attempt ${attempt.n}` : '';
  const told = toldWords(task.told);
  if (wait !== null)
    return plainLine(`waits for ${waitWords(wait).replace(/^needs /, '')}${told && `; it says: ${told}`}`);
  const stopping = attempt?.stopping ?? null;
  if (stopping !== null) return plainLine(`${attempt?.state}${number}, ending (${stopping.reason})`);
  const url = attempt === null || attempt.url === null ? '' : `, ${attempt.url}`;
  return plainLine(`${attempt?.state ?? state}${number}${url}${doing(task.progress, told)}`);
}

function approvedWords({ asks }: TaskView): string {
  const answer = asks.find(({ kind }) => kind === 'gate')?.answer ?? null;
  return answer === null ? 'approved by timeout' : `approved by ${plainLine(answer.by)}`;
}

function doing(progress: TaskView['progress'], told: string): string {
  if (progress === null) return told === '' ? '' : `: ${told}`;
  const { contextTokens, contextWindow, retries } = progress;
  const parts = [
    told,
    cutToWidth(plainLine(activityWords(progress)), 60),
    retries > 0 ? `${retries} retries` : '',
    contextTokens === null ? '' : `context ${fill(contextTokens, contextWindow)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** A failure in one line. If the text was cut, the line ends with where the full text is. */
export function failureWords(
  what: string,
  { reason, detail }: { readonly reason: string; readonly detail: string },
  id: string,
): string {
  return plainLine(`${what} (${reason}): ${detail}`) + (isCut(detail) ? wholeIs(id) : '');
}
