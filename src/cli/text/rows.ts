// One row per agent for the live view, fitted to the terminal. Order: needs a person, working, waiting, ended. Pure.

import { plainLine } from '../../std/plain-text.ts';
import type { AskView } from '../../wire/ask-views.ts';
import { shownTasks } from '../../wire/shown-tasks.ts';
import type { RunView, TaskView } from '../../wire/views.ts';
import { activityWords, toldWords } from './agent-text.ts';
import { costWords } from './budget-text.ts';
import { count, elapsed, fill, shortCost, tokens } from './figures.ts';
import type { Paint, Style } from './paint.ts';
import { type Cells, fitted, layOut } from './row-layout.ts';
import { byRank, familiesOf, indent } from './task-tree.ts';
import { cutToWidth, textWidth } from './text-width.ts';
import { waitWords } from './wait-text.ts';

export interface Sheet {
  readonly runs: readonly RunView[];
  /** When a task was seen to end, by its id: how long it took. */
  readonly endedAt: ReadonlyMap<string, number>;
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
  readonly paint: Paint;
  /** The last line. */
  readonly footer: string;
  /** The task whose row is marked, and shown in any case; left out = rows cannot be selected. */
  readonly selected?: string | null;
}

/** At most `rows` lines of at most `columns` columns. */
export function sheetLines(sheet: Sheet): string[] {
  const { runs, columns, rows, paint } = sheet;
  const ordered = rowsOf(runs);
  // Three lines are for heading, totals and footer.
  const room = Math.max(1, rows - 3);
  const shown = ordered.length > room ? pageOf(ordered, Math.max(1, room - 1), sheet.selected) : ordered;
  const nameWidth = Math.min(
    Math.max(5, ...shown.map(({ name }) => textWidth(name) + (sheet.selected === undefined ? 0 : 2))),
    Math.floor(columns * 0.4),
    40,
  );
  const line = (cells: Cells, style: Style | null = null): string =>
    fitted(layOut(cells, columns, nameWidth), columns, paint, style);
  const needsYou =
    ordered.some(({ group }) => group === 'needs you') ||
    runs.some(({ asks }) => asks.some(({ budget }) => budget !== null));
  const footer = `${needsYou ? 'needs you: signalbox inbox; ' : ''}${sheet.footer}`;
  const lines = [
    line(heading, 'dim'),
    ...shown.map((row) => line(cellsOf(row, sheet), row.task.id === sheet.selected ? 'bold' : null)),
  ];
  const hidden = ordered.filter((row) => !shown.includes(row));
  if (hidden.length > 0) lines.push(paint('dim', cutToWidth(`… and ${tally(hidden)}`, columns)));
  lines.push(cutToWidth(totals(sheet, ordered), columns), paint('dim', cutToWidth(footer, columns)));
  return lines.slice(-Math.max(1, rows));
}

/** The tasks in the order of their rows. */
export function tasksInRows(runs: readonly RunView[]): TaskView[] {
  return rowsOf(runs).map(({ task }) => task);
}

/** As many rows as fit, from the first on; further down if the selected one is there. */
function pageOf(rows: readonly NamedRow[], size: number, selected: string | null | undefined): readonly NamedRow[] {
  const at = rows.findIndex(({ task }) => task.id === selected);
  const start = Math.max(0, at - size + 1);
  return rows.slice(start, start + size);
}

const groups = ['needs you', 'working', 'waiting', 'ended'] as const;

interface Row {
  readonly group: (typeof groups)[number];
  readonly task: TaskView;
  readonly state: string;
  readonly style: Style | null;
  readonly doing: string;
}

type NamedRow = Row & { readonly name: string };

/** A parent and its children are sorted by their most urgent member. */
function rowsOf(runs: readonly RunView[]): NamedRow[] {
  const rank = (task: TaskView): number => groups.indexOf(rowOf(task).group);
  const families = runs.flatMap((run) => familiesOf(shownTasks(run), rank).map((family) => ({ ...family, run })));
  return families.sort(byRank).flatMap(({ members, run }) => {
    return members.map(({ task, depth }) => ({ ...rowOf(task), name: indent(depth) + nameOf(run, task, runs) }));
  });
}

export function rowOf(task: TaskView): Row {
  const { asks, outcome, attempt, wait } = task;
  if (outcome !== null) return { group: 'ended', task, ...ended(outcome) };
  const ask = asks.find(({ state }) => state === 'open');
  if (ask !== undefined) {
    return { group: 'needs you', task, state: 'needs you', style: 'yellow', doing: askWords(ask) };
  }
  if (wait?.kind === 'interrupt') {
    return { group: 'needs you', task, state: 'needs you', style: 'yellow', doing: plainLine(waitWords(wait)) };
  }
  if (attempt === null || task.state !== 'active' || task.rests) {
    const words = [wait === null ? '' : waitWords(wait), toldWords(task.told)].filter((part) => part !== '').join('  ');
    return { group: 'waiting', task, state: 'waiting', style: 'dim', doing: plainLine(words) };
  }
  const state = workWords[attempt.state] ?? plainLine(attempt.state);
  return { group: 'working', task, state, style: 'cyan', doing: plainLine(doing(task)) };
}

/** A short form; the inbox shows everything. */
function askWords({ message, permission }: AskView): string {
  return plainLine(permission === null ? message : `${message} ${JSON.stringify(permission.input) ?? ''}`);
}

const workWords: Readonly<Record<string, string>> = {
  preparing: 'preparing',
  resting: 'resting',
  launching: 'starting',
  running: 'working',
  saving: 'saving',
  proving: 'checking',
  integrating: 'merging',
};

function ended(outcome: NonNullable<TaskView['outcome']>): Pick<Row, 'state' | 'style' | 'doing'> {
  switch (outcome.kind) {
    case 'succeeded':
      return { state: 'done', style: 'green', doing: outcome.commit.slice(0, 7) };
    case 'failed':
      return {
        state: 'failed',
        style: 'red',
        doing: plainLine(`${outcome.failure.reason}: ${outcome.failure.detail}`),
      };
    case 'stopped':
      return { state: 'stopped', style: 'yellow', doing: '' };
    case 'skipped':
      return { state: 'skipped', style: 'dim', doing: '' };
    case 'omitted':
      return { state: 'omitted', style: 'dim', doing: '' };
  }
}

/** May contain agent text: the caller strips control characters. */
function doing({ attempt, wait, progress, told }: TaskView): string {
  if (wait !== null) return `waits: ${waitWords(wait)}`;
  const stopping = attempt?.stopping?.reason ?? 'finished';
  if (stopping !== 'finished') return `stopping (${stopping})`;
  const parts = [
    (attempt?.n ?? 1) > 1 ? `attempt ${attempt?.n}${attempt?.why ? ` (${attempt.why})` : ''}` : '',
    attempt?.url ?? '',
    (progress?.retries ?? 0) > 0 ? `${progress?.retries} retries` : '',
    toldWords(told),
    activityWords(progress),
  ];
  return parts.filter((part) => part !== '').join('  ');
}

const heading: Cells = ['AGENT', 'STATE', 'TIME', 'TOKENS', 'COST', 'CONTEXT', 'DOING'];

function cellsOf({ name, task, state, style, doing: words }: NamedRow, { now, endedAt, selected }: Sheet): Cells {
  const { attempt, usage, progress } = task;
  const end = task.outcome === null ? now : endedAt.get(task.id);
  const took = attempt === null || end === undefined ? '' : elapsed(end - attempt.startedAt);
  const used = tokens(usage);
  return [
    selected === undefined ? name : `${task.id === selected ? '>' : ' '} ${name}`,
    { text: state, style },
    took,
    used === 0 ? '' : count(used),
    attempt === null ? '' : shortCost(usage),
    fill(progress?.contextTokens ?? null, progress?.contextWindow ?? null),
    words,
  ];
}

function nameOf(run: RunView, task: TaskView, runs: readonly RunView[]): string {
  return plainLine(runs.length > 1 ? `${run.name}/${task.name}` : task.name);
}

function totals({ runs, now }: Sheet, rows: readonly Row[]): string {
  const begun = Math.min(...runs.map((run) => run.createdAt));
  const end = runs.every((run) => run.endedAt !== null) ? Math.max(...runs.map((run) => run.endedAt ?? 0)) : now;
  const parts = [
    tally(rows),
    runs.length === 0 ? '' : elapsed(end - begun),
    ...(runs.length === 1 ? runs.map((run) => costWords(run)) : []),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** As in `2 working, 1 waiting, 3 done`. */
export function tally(rows: readonly Pick<Row, 'group' | 'state'>[]): string {
  const counts = new Map<string, number>();
  const ordered = [...rows].sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
  for (const { group, state } of ordered) {
    const word = group === 'ended' ? state : group;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Array.from(counts, ([word, n]) => `${n} ${word}`).join(', ') || 'nothing';
}
