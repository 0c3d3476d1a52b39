// The verbs about what agents use up.

import { type Command, Option } from 'commander';
import type { Act } from './verbs-run.ts';

export function addSpending(program: Command, act: Act): void {
  program
    .command('usage [run]')
    .description('what was used: tokens, turns, time and cost, of a run or of all')
    .addOption(new Option('--by <what>', 'what a row is for').choices(['run', 'task', 'role', 'model', 'day']))
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('./usage.ts')).usage));
}
