// The verbs about usage, budgets and limits.

import { type Command, Option } from 'commander';
import { amountKinds } from '../../std/amount.ts';
import { limitOptions } from './limit-options.ts';
import { amount, jsonOption as json, size, whole } from './option-values.ts';
import type { Act } from './verbs-run.ts';

export function addSpending(program: Command, act: Act): void {
  program
    .command('usage [run]')
    .description('show tokens, turns, time and cost of one run or of all runs')
    .addOption(
      new Option('--by <what>', 'one row per … (default: run; for a single run: task)').choices([
        'run',
        'task',
        'role',
        'model',
        'day',
      ]),
    )
    .option('--clear-limit <account>', 'forget the limit of an account that agents reported: they use it again at once')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/usage.ts')).usage));
  program
    .command('budget [run] [task]')
    .description('show or set what runs and tasks may spend, also while they run')
    .option('--usd <amount>', 'money, for example 5 or 0.50', amount('usd'))
    .option('--tokens <amount>', 'tokens without cache reads, for example 200k or 2M', amount('tokens'))
    .option('--turns <n>', 'model requests', amount('turns'))
    .option('--time <time>', 'working time of all agents added up, for example 90s, 30m or 2h', amount('time'))
    .option('--agents <n>', 'agents in total, over all attempts', whole)
    .addOption(new Option('--clear <what...>', 'remove this limit').choices([...amountKinds, 'agents']))
    .option('--tree', 'for a matrix: one budget for all its tasks together')
    .option('--day', 'instead of a run: what all runs together may spend per day')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/budget.ts')).budget));
  const limits = program.command('limits <run>').description('show or set limits on agents spawned by agents');
  for (const { option, about } of limitOptions) limits.option(`--${option} <n>`, about, size);
  limits.option(...json).action(act(async () => (await import('../verbs/view/limits.ts')).limits));
}
