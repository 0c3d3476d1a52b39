// The end of a run: a table of its tasks, why some failed, and the next command. Pure. Paths and ids are shown only on request.

import { plainLine } from '../../std/plain-text.ts';
import { mostTelling, shownTasks } from '../../wire/shown-tasks.ts';
import type { AttemptView, RunView, TaskView } from '../../wire/views.ts';
import { costWords } from './budget-text.ts';
import { isCheck, printedLines } from './evidence-text.ts';
import { shortCost } from './figures.ts';
import { landingText, overlapLines } from './landing-text.ts';
import type { Paint, Style } from './paint.ts';
import { cost, failureWords, taskWords } from './summary.ts';
import { tableLines } from './table.ts';
import { indent, inFamilies } from './task-tree.ts';
import { cutToWidth } from './text-width.ts';

/** What a task changed. */
export interface Change {
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
}

export interface EndOptions {
  /** By task; a task that is not in it saved no work. */
  readonly changes: ReadonlyMap<string, Change>;
  /** How commands name the run: by its name where that is unique. */
  readonly name: string;
  readonly columns: number;
  readonly paint: Paint;
  /** Ids, refs and paths too. */
  readonly verbose: boolean;
}

export function runEnd(run: RunView, options: EndOptions): string {
  const tasks = shownTasks(run);
  const { shown, rest } = mostTelling(inFamilies(tasks).map(({ task }) => task));
  const lines = [
    headline(run, tasks),
    ...taskTable(run, shown, options),
    ...(rest === '' ? [] : [`… and ${rest}`]),
    ...shown.flatMap((task) => remarks(run, task, options)),
    ...(options.verbose ? [`run ${run.id}`, ...shown.flatMap(places)] : []),
    ...overlapLines(run.overlaps),
    ...(run.landing === null ? [] : landingText(run, run.landing)),
    ...(run.outcome === 'partial' && run.missing !== null ? [missingWords(run.missing)] : []),
    ...nextCommands(run, options),
  ];
  return `${lines.join('\n')}\n`;
}

function headline(run: RunView, tasks: readonly TaskView[]): string {
  const ended = (kind: string): number => tasks.filter(({ outcome }) => outcome?.kind === kind).length;
  const wanted = tasks.length - ended('omitted');
  const omitted = wanted < tasks.length ? `, ${tasks.length - wanted} omitted` : '';
  const count = `${ended('succeeded')} of ${wanted} tasks${run.outcome === 'succeeded' ? '' : ' succeeded'}`;
  return `${run.outcome ?? run.state}: ${count}${omitted}, ${costWords(run, cost(run.usage))}`;
}

const heading = ['TASK', 'OUTCOME', 'CHANGE', 'FILES', 'CHECKS', 'COST'];

function taskTable(run: RunView, tasks: readonly TaskView[], { changes, columns, paint }: EndOptions): string[] {
  const depths = new Map(inFamilies(shownTasks(run)).map(({ task, depth }) => [task.id, depth]));
  const rows = tasks.map((task) => {
    const change = changes.get(task.id) ?? null;
    return [
      `${indent(depths.get(task.id) ?? 0)}${plainLine(task.name)}`,
      outcomeWord(task),
      ...(change === null
        ? ['', '']
        : change.files === 0
          ? ['none', '']
          : [`+${change.added} −${change.deleted}`, String(change.files)]),
      checksWord(task.attempt),
      task.attempt === null ? '' : shortCost(task.usage),
    ];
  });
  const styleAt = (row: number, column: number): Style | null => {
    if (row === 0) return 'dim';
    return column === 1 ? (outcomeStyles[tasks[row - 1]?.outcome?.kind ?? ''] ?? null) : null;
  };
  return tableLines([heading, ...rows], {
    left: 2,
    columns,
    paint: (text, row, column) => paint(styleAt(row, column), text),
  });
}

const outcomeStyles: Readonly<Record<string, Style>> = {
  succeeded: 'green',
  failed: 'red',
  stopped: 'yellow',
  skipped: 'dim',
  omitted: 'dim',
};

function outcomeWord({ kind, outcome, state }: TaskView): string {
  return kind === 'gate' && outcome?.kind === 'succeeded' ? 'approved' : (outcome?.kind ?? state);
}

/** `2 passed`, or which of them failed. */
function checksWord(attempt: AttemptView | null): string {
  const checks = [...(attempt?.checks ?? []).filter(isCheck), ...(attempt?.branchChecks ?? [])];
  const failed = [...new Set(checks.filter(({ passed }) => !passed).map(({ check }) => check))];
  if (failed.length > 0) return `${cutToWidth(failed.join(', '), checksWidth)} failed`;
  if (checks.length > 0) return `${checks.length} passed`;
  return attempt === null || attempt.commit === null ? '' : 'none';
}

const checksWidth = 16;

/** What its row has no room for: why it did not succeed, and the output of failed checks. */
function remarks(run: RunView, task: TaskView, { name, columns }: EndOptions): string[] {
  const { attempt, outcome } = task;
  const word = run.tasks.length === 1 ? name : `${name}/${task.name}`;
  const lines: string[] = [];
  if (outcome?.kind === 'failed')
    lines.push(`${plainLine(task.name)}: ${failureWords('failed', outcome.failure, task.id)}`);
  if (outcome?.kind === 'omitted') lines.push(`${plainLine(task.name)}: ${taskWords(task)}`);
  if (attempt !== null && outcome?.kind !== 'succeeded') lines.push(...failedChecks(word, attempt));
  if (attempt !== null && attempt.url !== null) lines.push(`  server: ${attempt.url}`);
  for (const note of attempt?.notes ?? []) lines.push(`${plainLine(task.name)}: note: ${plainLine(note)}`);
  return columns === Number.POSITIVE_INFINITY ? lines : lines.map((line) => cutToWidth(line, columns * linesOfRemark));
}

/** A long failure wraps over a few lines of the terminal. */
const linesOfRemark = 4;

function failedChecks(word: string, { checks, branchChecks }: AttemptView): string[] {
  const all = [...(checks ?? []), ...(branchChecks ?? [])];
  const failed = all.filter(({ passed, log }) => !passed && log !== null);
  const names = [...new Set(failed.map(({ check }) => check))];
  return names.flatMap((name) => [
    ...failed.filter(({ check }) => check === name).flatMap((item) => printedLines(item, '  ')),
    `  whole output: signalbox logs ${word} --check ${name}`,
  ]);
}

/** Where its work is, for people who use git directly. */
function places({ id, name, attempt }: TaskView): string[] {
  if (attempt === null) return [];
  const { ref, commit, gitDir, workspace } = attempt;
  const work = ref === null || commit === null ? ['  no work saved'] : [`  ${ref} ${commit}`, `  in ${gitDir}`];
  return [`${plainLine(name)} ${id}`, ...work, `  workspace ${workspace ?? 'none'}`, `  signalbox logs ${id}`];
}

const missingMax = 10;

function missingWords({ total, tasks }: NonNullable<RunView['missing']>): string {
  const told = tasks.slice(0, missingMax).map(({ name, outcome, reason, because }) => {
    return `${name} (${outcome === 'skipped' ? `skipped because of ${because}` : (reason ?? outcome)})`;
  });
  const more = total > told.length ? ` and ${total - told.length} more` : '';
  return plainLine(`missing: ${told.join(', ')}${more}`);
}

/** What a person types next: look at the work, land it, or run again what did not succeed. */
function nextCommands(run: RunView, { changes, name }: EndOptions): string[] {
  const hasWork = [...changes.values()].some(({ files }) => files > 0);
  const isLanded = run.landing?.outcome?.kind === 'landed';
  const commands = [
    ...(hasWork && !isLanded ? [['look at it', `signalbox review ${name}`]] : []),
    ...(run.branch !== null && run.landing === null ? [['land it', `signalbox land ${name}`]] : []),
    ...(hasWork && run.branch === null
      ? [['take it', `signalbox take ${run.tasks.length === 1 ? name : `${name}/<task>`}`]]
      : []),
    ...(run.outcome === 'succeeded' || run.outcome === null ? [] : [['retry the rest', `signalbox resume ${name}`]]),
  ];
  const width = Math.max(...commands.map(([what = '']) => what.length)) + 1;
  return commands.map(([what, command]) => `${`${what}:`.padEnd(width)} ${command}`);
}
