// The verbs around plans: what is wrong with one, what it looks like, and what it can use.

import { type Command, Option } from 'commander';
import { collect } from './option-values.ts';
import type { Act } from './verbs-run.ts';

export function addPlans(program: Command, act: Act): void {
  const plan = program.command('plan').description('check, draw or begin a plan: docs/plans.md');
  plan
    .command('check <file>')
    .description('what is wrong with a plan, with line and column; starts nothing')
    .option('--strict', 'writers that would have to take turns are an error')
    .option('--input <name=value>', 'an input of the plan; may be repeated', collect)
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('../verbs/home/plan-check.ts')).planCheck));
  plan
    .command('graph <file>')
    .description('what waits for what')
    .addOption(new Option('--format <format>', 'how it is drawn').choices(['text', 'mermaid', 'json']).default('text'))
    .action(act(async () => (await import('../verbs/home/plan-graph.ts')).planGraph));
  plan
    .command('new [file]')
    .description('write a plan to begin with; replaces nothing')
    .action(act(async () => (await import('../verbs/home/plan-new.ts')).planNew));
  program
    .command('roles [role]')
    .description('the roles that a plan can use here, or one of them whole')
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('../verbs/home/roles.ts')).roles));
}
