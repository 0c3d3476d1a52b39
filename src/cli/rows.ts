// A row per agent: what a person sees of runs that are going on, as lines that fit a terminal. What needs a person
// comes first, then what is at work, what waits, what has ended. Pure.

import type { RunView, TaskView } from '../wire/views.ts';
import { costWords } from './budget-words.ts';
import { count, elapsed, fill, shortCost, tokens } from './figures.ts';
import type { Paint, Style } from './paint.ts';
import { plainLine } from './plain-text.ts';
import { shownTasks } from './shown-tasks.ts';
import { cutToWidth, padToWidth, textWidth } from './width.ts';

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
}

/** At most `rows` lines of at most `columns` columns. */
export function sheetLines(sheet: Sheet): string[] {
  const { runs, columns, rows, paint } = sheet;
  const all = runs.flatMap((run) => shownTasks(run).map((task) => ({ ...rowOf(task), name: nameOf(run, task, runs) })));
  const ordered = groups.flatMap((group) => all.filter((row) => row.group === group));
  // Heading, totals and footer come on top.
  const room = Math.max(1, rows - 3);
  const shown = ordered.length > room ? ordered.slice(0, Math.max(1, room - 1)) : ordered;
  const nameWidth = Math.min(Math.max(5, ...shown.map(({ name }) => textWidth(name))), Math.floor(columns * 0.4), 40);
  const line = (cells: Cells, style: Style | null = null): string =>
    fitted(layOut(cells, columns, nameWidth), columns, paint, style);
  const needsYou = all.some(({ group }) => group === 'needs you') || runs.some(({ exhausted }) => exhausted.length > 0);
  const footer = `${needsYou ? 'signalbox inbox: what needs you; ' : ''}${sheet.footer}`;
  const lines = [line(heading, 'dim'), ...shown.map((row) => line(cellsOf(row, sheet)))];
  const hidden = ordered.slice(shown.length);
  if (hidden.length > 0) lines.push(paint('dim', cutToWidth(`… and ${tally(hidden)}`, columns)));
  lines.push(cutToWidth(totals(sheet, ordered), columns), paint('dim', cutToWidth(footer, columns)));
  return lines.slice(-Math.max(1, rows));
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

export function rowOf(task: TaskView): Row {
  const { asks, question, outcome, attempt, wait } = task;
  if (outcome !== null) return { group: 'ended', task, ...ended(outcome) };
  const [ask] = asks;
  const asked = ask !== undefined ? askWords(ask) : question?.state === 'open' ? plainLine(question.message) : null;
  if (asked !== null) return { group: 'needs you', task, state: 'needs you', style: 'yellow', doing: asked };
  if (attempt === null || task.state !== 'active') {
    return { group: 'waiting', task, state: 'waiting', style: 'dim', doing: plainLine(wait ?? '') };
  }
  const state = workWords[attempt.state] ?? plainLine(attempt.state);
  return { group: 'working', task, state, style: 'cyan', doing: plainLine(doing(task)) };
}

/** Enough to tell what it is about; all of it is in the inbox. */
function askWords({ tool, input }: TaskView['asks'][number]): string {
  return plainLine(`may it use ${tool}? ${JSON.stringify(input) ?? ''}`);
}

const workWords: Readonly<Record<string, string>> = {
  preparing: 'preparing',
  resting: 'resting',
  launching: 'starting',
  running: 'working',
  saving: 'saving',
  proving: 'checking',
  landing: 'landing',
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

/** Each part is the agent's word or a few of ours; the whole is made plain by the caller. */
function doing({ attempt, wait, progress }: TaskView): string {
  if (wait !== null) return `waits: ${wait}`;
  const stopping = attempt?.stopping?.reason ?? 'finished';
  if (stopping !== 'finished') return `ending (${stopping})`;
  const parts = [
    (attempt?.n ?? 1) > 1 ? `attempt ${attempt?.n}${attempt?.why ? ` (${attempt.why})` : ''}` : '',
    attempt?.url ?? '',
    (progress?.retries ?? 0) > 0 ? `${progress?.retries} retries` : '',
    progress === null || progress.lastTool === null ? '' : `${progress.lastTool} (${progress.toolCalls})`,
    progress?.lastText ?? '',
  ];
  return parts.filter((part) => part !== '').join('  ');
}

type Cells = readonly [name: Cell, state: Cell, time: Cell, tokens: Cell, cost: Cell, context: Cell, doing: Cell];
type Cell = string | { readonly text: string; readonly style: Style | null };

const heading: Cells = ['AGENT', 'STATE', 'TIME', 'TOKENS', 'COST', 'CONTEXT', 'DOING'];

function cellsOf({ name, task, state, style, doing: words }: NamedRow, { now, endedAt }: Sheet): Cells {
  const { attempt, usage, progress } = task;
  const end = task.outcome === null ? now : endedAt.get(task.id);
  const took = attempt === null || end === undefined ? '' : elapsed(end - attempt.startedAt);
  const used = tokens(usage);
  return [
    name,
    { text: state, style },
    took,
    used === 0 ? '' : count(used),
    attempt === null ? '' : shortCost(usage),
    fill(progress?.contextTokens ?? null, progress?.contextWindow ?? null),
    words,
  ];
}

interface Placed {
  readonly text: string;
  readonly style: Style | null;
}

/** What is least missed goes first where there is little room. The agent's own words stand last: no width can be sure. */
function layOut(cells: Cells, columns: number, nameWidth: number): Placed[] {
  const [name, state, time, tokensCell, costCell, context, words] = cells;
  const left = (cell: Cell, width: number): Placed => placed(cell, (text) => padToWidth(text, width));
  const right = (cell: Cell, width: number): Placed => placed(cell, (text) => text.padStart(width));
  return [
    left(name, nameWidth),
    left(state, 9),
    ...(columns >= 36 ? [right(time, 7)] : []),
    ...(columns >= 76 ? [right(tokensCell, 6)] : []),
    ...(columns >= 56 ? [right(costCell, 8)] : []),
    ...(columns >= 90 ? [right(context, 7)] : []),
    placed(words, (text) => text),
  ];
}

function placed(cell: Cell, shape: (text: string) => string): Placed {
  return typeof cell === 'string' ? { text: shape(cell), style: null } : { text: shape(cell.text), style: cell.style };
}

function fitted(cells: readonly Placed[], columns: number, paint: Paint, style: Style | null): string {
  let left = columns;
  const parts: string[] = [];
  for (const cell of cells) {
    const text = cutToWidth(cell.text, left);
    left -= textWidth(text) + 2;
    parts.push(paint(style ?? cell.style, text));
    if (left <= 0) break;
  }
  return parts.join('  ').trimEnd();
}

function nameOf(run: RunView, task: TaskView, runs: readonly RunView[]): string {
  return plainLine(runs.length > 1 ? `${run.name}/${task.name}` : task.name);
}

function totals({ runs, now }: Sheet, rows: readonly Row[]): string {
  const begun = Math.min(...runs.map((run) => run.createdAt));
  const end = runs.every((run) => run.settledAt !== null) ? Math.max(...runs.map((run) => run.settledAt ?? 0)) : now;
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
  for (const { group, state } of rows) {
    const word = group === 'ended' ? state : group;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Array.from(counts, ([word, n]) => `${n} ${word}`).join(', ') || 'nothing';
}
