// The summary of an ended run: outcome, cost, and where the work is. Pure.

import { plainLine } from '../../std/plain-text.ts';
import { shownTasks } from '../../wire/shown-tasks.ts';
import { type AttemptView, type RunView, type TaskView, usedUpReasons } from '../../wire/views.ts';
import { exits } from '../client/context.ts';
import { activityWords, toldWords } from './agent-text.ts';
import { costWords } from './budget-text.ts';
import { isCut, wholeIs } from './cut-text.ts';
import { printedLines } from './evidence-text.ts';
import { dollars, fill } from './figures.ts';
import { exitForLanding, landingText } from './landing-text.ts';
import { indent, inFamilies } from './task-tree.ts';
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

export function summary(run: RunView): string {
  const tasks = shownTasks(run);
  const ended = (kind: string): number => tasks.filter(({ outcome }) => outcome?.kind === kind).length;
  const wanted = tasks.length - ended('omitted');
  const omitted = wanted < tasks.length ? `, ${tasks.length - wanted} omitted` : '';
  const lines = [
    `${run.outcome ?? run.state}: ${tasksWords(run.outcome, ended('succeeded'), wanted)}${omitted}, ${costWords(run, cost(run.usage))}`,
  ];
  // Integrated work is named once for the run; only other work is named per task.
  const together = run.branch !== null && tasks.length > 1;
  for (const { task, depth } of inFamilies(tasks)) {
    const isToldBelow = together && task.outcome?.kind === 'succeeded';
    const own = isToldBelow ? [`  ${task.name}: ${taskWords(task)}`] : whereItIs(task);
    lines.push(...own.map((line) => indent(depth) + line));
  }
  if (together) lines.push(`integrated work: signalbox diff ${run.id}`, `                 signalbox take ${run.id}`);
  if (run.landing !== null) lines.push(...landingText(run, run.landing));
  if (run.outcome === 'partial' && run.missing !== null) lines.push(missingWords(run.missing));
  if (run.outcome !== 'succeeded') lines.push(`retry the rest: signalbox resume ${run.id}`);
  return `${lines.join('\n')}\n`;
}

function tasksWords(outcome: RunView['outcome'], done: number, wanted: number): string {
  const tasks = `${done} of ${wanted} tasks`;
  return outcome === 'succeeded' ? tasks : `${tasks} succeeded`;
}

const missingMax = 10;

function missingWords({ total, tasks }: NonNullable<RunView['missing']>): string {
  const told = tasks.slice(0, missingMax).map(({ name, outcome, reason, because }) => {
    return `${name} (${outcome === 'skipped' ? `skipped because of ${because}` : (reason ?? outcome)})`;
  });
  const more = total > told.length ? ` and ${total - told.length} more` : '';
  return plainLine(`missing: ${told.join(', ')}${more}`);
}

function whereItIs(task: TaskView): string[] {
  const { attempt, outcome } = task;
  if (attempt === null) return [`  ${task.name}: ${taskWords(task)}`];
  const { ref, commit, base, gitDir, workspace, notes, url } = attempt;
  const work = ref === null || commit === null ? ['    no work saved'] : [`    ${ref}`, `    in ${gitDir}`];
  const logs = `    signalbox logs ${task.id}`;
  const where = [...work, `    workspace ${workspace ?? 'none'}`, logs];
  const lines =
    outcome?.kind !== 'succeeded'
      ? [`  ${task.name}: ${taskWords(task)}`, ...where, ...failedLogs(task.id, attempt)]
      : ref === null || commit === base
        ? [`  ${task.name}: succeeded${ref === null ? '' : ' without changes'}`, logs]
        : [`  ${task.name}: ${taskWords(task)}`, ...where];
  if (url !== null) lines.push(`    server: ${url}`);
  return [...lines, ...notes.map((note) => `    note: ${plainLine(note)}`)];
}

/** The outcome line has only one line of a failed check's output. */
function failedLogs(taskId: string, { checks, branchChecks }: AttemptView): string[] {
  const all = [...(checks ?? []), ...(branchChecks ?? [])];
  const failed = all.filter(({ passed, log }) => !passed && log !== null);
  const names = [...new Set(failed.map(({ check }) => check))];
  return names.flatMap((name) => [
    ...failed.filter(({ check }) => check === name).flatMap((item) => printedLines(item, '    ')),
    `    signalbox logs ${taskId} --check ${name}`,
  ]);
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
