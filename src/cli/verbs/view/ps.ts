// `signalbox ps`: lists runs and tasks; --watch keeps updating.

import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { mostTelling, shownTasks } from '../../../wire/shown-tasks.ts';
import { statusView } from '../../../wire/status-views.ts';
import { type RunList, type RunView, runList, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { find } from '../../client/find-id.ts';
import { checkoutTop } from '../../client/user-git.ts';
import { budgetWords, exhaustedLines } from '../../text/budget-text.ts';
import { clockNote } from '../../text/clock-note.ts';
import { seconds } from '../../text/event-text.ts';
import { taskWords } from '../../text/summary.ts';
import { indent, inFamilies } from '../../text/task-tree.ts';
import { pausedWords } from '../../text/wait-text.ts';
import { wrapLine } from '../../text/wrap-line.ts';

export interface PsOptions {
  readonly all?: boolean;
  readonly everywhere?: boolean;
  readonly page?: number;
  readonly json?: boolean;
  readonly watch?: boolean;
}

export const ps: Verb<PsOptions> = async (context, [word], options) => {
  const { json, watch } = options;
  const all = options.all === true || options.everywhere === true || options.page !== undefined;
  const { client, terminal } = context;
  const run = word === undefined ? null : await client.get(`/runs/${(await find(context, word)).runId}`, runView);
  if (watch === true) {
    const { watchRun, watchRuns } = await import('../../terminal/watch-runs.ts');
    return run === null ? watchRuns(context, json === true) : watchRun(context, run, json === true);
  }
  const list: RunList =
    run !== null
      ? { runs: [run], unreadable: [], more: false }
      : await client.get(all ? await pageOf(context, options) : '/runs?all=0', runList);
  const clock = clockNote(list.runs.flatMap(timesOf), Date.now());
  if (clock !== null) terminal.note(clock);
  if (list.runs.some(({ state }) => state !== 'ended') && (await client.get('/status', statusView)).frozen) {
    terminal.note(
      'Agents are frozen because the disk is nearly full. They continue when there is space; "signalbox gc" frees some.',
    );
  }
  for (const { id, reason } of list.unreadable) terminal.note(`${id} cannot be read: ${plainLine(reason)}`);
  if (json === true) {
    await terminal.print(`${shownJson(list)}\n`);
    return exits.ok;
  }
  if (list.runs.length === 0) {
    await terminal.print(all ? 'There are no runs here. Runs of all repositories: signalbox ps -A\n' : noneActive);
  }
  for (const each of list.runs) await terminal.print(runLines(each, Date.now(), terminal.columns));
  if (list.more) {
    const { everywhere = false, page = 1 } = options;
    terminal.note(`Earlier runs: signalbox ps ${everywhere ? '-A' : '--all'} --page ${page + 1}`);
  }
  return exits.ok;
};

const noneActive = 'No run is active. Ended runs: signalbox ps --all\n';

/** Of the repository in the current directory; outside of one, of all. */
async function pageOf({ place }: Context, { everywhere = false, page = 1 }: PsOptions): Promise<string> {
  const top = everywhere ? null : await checkoutTop(place, here());
  const repo = top === null ? '' : `&repo=${encodeURIComponent(top)}`;
  return `/runs?page=${page}&limit=${pageSize}${repo}`;
}

/** Of a page, how many fit on a few screens. */
const pageSize = 20;

function timesOf({ createdAt, endedAt, tasks }: RunView): number[] {
  return [createdAt, endedAt ?? 0, ...tasks.map(({ attempt }) => attempt?.startedAt ?? 0)];
}

/** A later landing opens an ended run again; its duration is that of its tasks. */
function endOf({ endedAt, tasks }: RunView, now: number): number {
  return endedAt === null ? now : Math.max(...tasks.map((task) => task.endedAt ?? endedAt));
}

function runLines(run: RunView, now: number, columns: number): string {
  const took = seconds(Math.max(0, endOf(run, now) - run.createdAt));
  const relatives = inFamilies(shownTasks(run));
  const names = new Map(relatives.map(({ task, depth }) => [task.id, `${indent(depth)}${task.name}`]));
  const { shown, rest } = mostTelling(relatives.map(({ task }) => task));
  const width = Math.max(...shown.map(({ id }) => (names.get(id) ?? '').length));
  const head = `${run.id}  ${plainLine(run.name)}  ${run.outcome ?? run.state}  ${took}`;
  const tasks = shown.map((task) => `  ${(names.get(task.id) ?? '').padEnd(width)}  ${taskWords(task)}`);
  const paused = run.paused === null ? [] : [`  waits for ${plainLine(pausedWords(run.paused, now))}`];
  const reached = run.reached.map(({ words }) => `  ${plainLine(words)}`);
  const budget = run.budget.length === 0 ? [] : [`  budget: ${budgetWords(run.budget)}`];
  const short = exhaustedLines(run).map((line) => `  ${line}`);
  const lines = [head, ...paused, ...budget, ...short, ...reached].flatMap((line) => wrapLine(line, columns, 4));
  lines.push(...tasks.flatMap((line) => wrapLine(line, columns, width + 4)));
  return `${[...lines, ...(rest === '' ? [] : [`  … and ${rest}`])].join('\n')}\n`;
}
