// `signalbox budget`: shows or sets what a run, its tasks or a day may spend.

import { userInfo } from 'node:os';
import { localTime } from '../../../std/clock.ts';
import { defined } from '../../../std/defined.ts';
import { Fault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type BudgetView, budgetList, type LimitView } from '../../../wire/budget-views.ts';
import { type RunView, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find, namesOf } from '../../client/find-id.ts';
import { amount, budgetWords, optionOf, raiseCommand, whoseWords } from '../../text/budget-text.ts';
import { tableLines } from '../../text/table.ts';

/** Amounts in whole units. */
export interface BudgetOptions {
  readonly usd?: number;
  readonly tokens?: number;
  readonly turns?: number;
  readonly time?: number;
  readonly agents?: number;
  readonly clear?: readonly string[];
  readonly tree?: boolean;
  readonly day?: boolean;
  readonly json?: boolean;
}

export const budget: Verb<BudgetOptions> = async (context, words, options) => {
  const { client, terminal } = context;
  const target = await targetOf(context, words, options);
  const change = changeOf(options);
  if (change === null && target.of === 'tree')
    throw new Fault('bad_request', '--tree sets a budget: give an amount, for example --usd 5');
  const { runId, of, taskId } = target;
  const path = runId === null ? '/day-budget' : `/runs/${runId}/budgets`;
  const { budgets: all } =
    change === null
      ? await client.get(path, budgetList)
      : await client.post(path, runId === null ? change : { ...change, of, taskId }, budgetList);
  const budgets = taskId === null ? all : all.filter((each) => each.taskId === taskId);
  const set = change === null ? null : (all.find((each) => each.of === of && each.taskId === taskId) ?? null);
  if (options.json === true) await terminal.print(`${shownJson({ budgets })}\n`);
  else await terminal.print(`${budgetLines(budgets, { runId, taskId, set, now: Date.now() }).join('\n')}\n`);
  return exits.ok;
};

interface Target extends Pick<BudgetView, 'of' | 'taskId'> {
  /** null: the budget of the day. */
  readonly runId: string | null;
}

async function targetOf(
  context: Context,
  [word, taskWord]: readonly string[],
  options: BudgetOptions,
): Promise<Target> {
  if (options.day === true) {
    if (word !== undefined) throw new Fault('bad_request', '--day is the budget of all runs: leave the run out');
    if (options.tree === true) throw new Fault('bad_request', '--tree needs a task and does not go with --day');
    if (options.agents !== undefined) {
      throw new Fault('bad_request', 'a day has no budget for agents: agents are counted per run');
    }
    return { runId: null, of: 'day', taskId: null };
  }
  if (word === undefined) throw new Fault('bad_request', 'name a run, or use --day');
  const found = await find(context, word);
  const run = await context.client.get(`/runs/${found.runId}`, runView);
  const taskId = taskWord === undefined ? onlyTask(run, word, found.taskId) : taskIn(run, taskWord);
  if (taskId === null && options.tree === true) throw new Fault('bad_request', '--tree needs a task: name one');
  return { runId: found.runId, taskId, of: taskId === null ? 'run' : options.tree === true ? 'tree' : 'task' };
}

/** A run of one prompt has the name of its task; here the run is meant. */
function onlyTask(run: RunView, word: string, taskId: string | null): string | null {
  return run.name === word ? null : taskId;
}

function taskIn(run: RunView, word: string): string {
  const task = run.tasks.find(({ id, name }) => id === word || name === word);
  if (task === undefined) throw new Fault('not_found', `this run has no task "${word}": ${namesOf(run)}`);
  return task.id;
}

/** The given limits, in whole units; null = none. */
export function limitsOf({ usd, tokens, turns, time, agents }: BudgetOptions): Record<string, number> | null {
  const set = defined({ microUsd: usd, tokens, turns, timeMs: time, agents });
  return Object.keys(set).length === 0 ? null : set;
}

/** null: show only. */
function changeOf(options: BudgetOptions): object | null {
  const { clear = [] } = options;
  const set = limitsOf(options);
  if (set === null && clear.length === 0) return null;
  const cleared = Object.entries(optionOf).filter(([, option]) => clear.includes(option));
  return { set: set ?? {}, clear: cleared.map(([what]) => what), by: userInfo().username };
}

export interface Shown {
  readonly runId: string | null;
  /** null: the whole run. */
  readonly taskId: string | null;
  /** The budget just set; null = none. */
  readonly set: BudgetView | null;
  readonly now: number;
}

const rowsMax = 100;

export function budgetLines(budgets: readonly BudgetView[], { runId, taskId, set, now }: Shown): string[] {
  const rows = budgets.flatMap((each) => each.limits.map((limit) => rowOf(each, limit)));
  if (rows.length === 0) {
    const whose = runId === null ? 'The day' : taskId === null ? 'The run' : 'The task';
    const words = [runId ?? '--day', ...(taskId === null ? [] : [taskId])].join(' ');
    return [`${whose} has no budget. To set one: signalbox budget ${words} --usd 5`];
  }
  const table = [['WHOSE', 'WHAT', 'LIMIT', 'SPENT', 'RESERVED', 'LEFT'], ...rows.slice(0, rowsMax)];
  if (rows.length > rowsMax) table.push([`… and ${rows.length - rowsMax} more: --json`]);
  const over = set?.limits.filter(({ limit, spent }) => spent >= limit) ?? [];
  return [
    ...tableLines(table, { left: 2 }),
    ...(over.length === 0
      ? []
      : [`Already exhausted: ${budgetWords(over)}. Agents under this budget pause until you raise it.`]),
    ...budgets.flatMap(({ exhausted }) => {
      if (exhausted === null) return [];
      const since = exhausted.since === null ? '' : `since ${localTime(exhausted.since, now)}: `;
      return [plainLine(`${since}${exhausted.words}`), `  raise it: ${raiseCommand(runId ?? '', exhausted)}`];
    }),
  ];
}

function rowOf(each: BudgetView, { what, limit, spent, reserved }: LimitView): string[] {
  const amounts = [limit, spent, reserved, Math.max(0, limit - spent - reserved)];
  const words = what === 'microUsd' ? 'cost' : optionOf[what];
  return [plainLine(whoseWords(each)), words, ...amounts.map((units) => amount(what, units))];
}
