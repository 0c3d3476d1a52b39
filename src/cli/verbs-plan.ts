// The verbs around plans: what a plan can use.

import type { Command } from 'commander';
import type { Act } from './verbs-run.ts';

export function addPlans(program: Command, act: Act): void {
  program
    .command('roles [role]')
    .description('the roles that a plan can use here, or one of them whole')
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('./roles.ts')).roles));
}
