// The verbs around plans: what is wrong with one, what it looks like, and what it can use.

import type { Command } from 'commander';
import { collect } from './option-values.ts';
import type { Act } from './verbs-run.ts';

export function addPlans(program: Command, act: Act): void {
  const plan = program.command('plan').description('work on a plan');
  plan
    .command('check <file>')
    .description('what is wrong with a plan, with line and column; starts nothing')
    .option('--strict', 'writers that would have to take turns are an error')
    .option('--input <name=value>', 'an input of the plan; may be repeated', collect)
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('./plan-check.ts')).planCheck));
  program
    .command('roles [role]')
    .description('the roles that a plan can use here, or one of them whole')
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('./roles.ts')).roles));
}
