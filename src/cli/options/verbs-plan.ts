// The verbs about plans and the roles they use.

import { type Command, Option } from 'commander';
import { collect, jsonOption as json } from './option-values.ts';
import type { Act } from './verbs-run.ts';

export function addPlans(program: Command, act: Act): void {
  const plan = program.command('plan').description('check, draw or create a plan file (docs/plans.md)');
  plan
    .command('check <file>')
    .description('list the problems of a plan with line and column; starts nothing')
    .option('--strict', 'treat tasks that write the same paths, and so would run one after the other, as an error')
    .option('--input <name=value>', 'an input of the plan (repeatable)', collect)
    .option(...json)
    .action(act(async () => (await import('../verbs/home/plan-check.ts')).planCheck));
  plan
    .command('graph <file>')
    .description('draw which task needs which')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'mermaid', 'json']).default('text'))
    .action(act(async () => (await import('../verbs/home/plan-graph.ts')).planGraph));
  plan
    .command('new [file]')
    .description('write an example plan to start from; overwrites nothing')
    .action(act(async () => (await import('../verbs/home/plan-new.ts')).planNew));
  program
    .command('roles [role]')
    .description('list the roles that a plan can use here, or print one')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/roles.ts')).roles));
}
