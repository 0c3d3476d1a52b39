// The verbs about what agents use up, and how many they may become.

import { type Command, Option } from 'commander';
import { amountKinds } from '../../std/amount.ts';
import { limitOptions } from './limit-options.ts';
import { amount, size, whole } from './option-values.ts';
import type { Act } from './verbs-run.ts';

export function addSpending(program: Command, act: Act): void {
  program
    .command('usage [run]')
    .description('what was used: tokens, turns, time and cost, of a run or of all')
    .addOption(
      new Option('--by <what>', 'what a row is for; usually a run, and of one run a task').choices([
        'run',
        'task',
        'role',
        'model',
        'day',
      ]),
    )
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('../verbs/view/usage.ts')).usage));
  program
    .command('budget [run] [task]')
    .description('what a run and its tasks may spend and have spent; with an amount sets it, also while they run')
    .option('--usd <amount>', 'money, as in 5 or 0.50', amount('usd'))
    .option('--tokens <amount>', 'tokens read and written anew, as in 200k or 2M', amount('tokens'))
    .option('--turns <n>', 'requests to the model', amount('turns'))
    .option('--time <time>', 'how long agents may work, added up, as in 90s, 30m or 2h', amount('time'))
    .option('--agents <n>', 'agents that there may ever be, over all attempts', whole)
    .addOption(new Option('--clear <what...>', 'lift this limit').choices([...amountKinds, 'agents']))
    .option('--tree', 'of a matrix: for all its tasks together')
    .option('--day', 'instead of a run: what all runs may spend in a day')
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('../verbs/view/budget.ts')).budget));
  const limits = program
    .command('limits <run>')
    .description('how much its agents may make of themselves; with a number sets it, also while they run');
  for (const { option, about } of limitOptions) limits.option(`--${option} <n>`, about, size);
  limits
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('../verbs/view/limits.ts')).limits));
}
