// The verbs by which people answer: what agents ask, and what is asked at gates.

import type { Command } from 'commander';
import { collect } from './option-values.ts';
import type { Act } from './verbs-run.ts';

const json = ['--json', 'JSON on stdout, prose on stderr'] as const;

export function addGates(program: Command, act: Act): void {
  program
    .command('inbox')
    .description('what waits for you: questions of agents, gates, used-up budgets')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/inbox.ts')).inbox));
  const remember = ['--remember', 'also for the same call in the rest of the run'] as const;
  const rememberTool = ['--remember-tool', 'also for every call of this tool in the rest of the run'] as const;
  program
    .command('approve <question|task...>')
    .description('let an agent do what it asked for, or pass a gate')
    .option('-m, --message <text>', "the answer to an agent's question; at a gate, why")
    .option('--set <field=value>', 'fill in a field of the form of a gate; may be repeated', collect)
    .option('--choose <what>', 'where more is asked than yes or no: what follows, as inbox shows it')
    .option(...remember)
    .option(...rememberTool)
    .option(...json)
    .action(act(async () => (await import('../verbs/act/answer.ts')).approve));
  program
    .command('reject <question|task...>')
    .description('refuse what an agent asked for, or reject at a gate')
    .option('-m, --message <text>', 'why; an agent is told')
    .option(...remember)
    .option(...rememberTool)
    .option(...json)
    .action(act(async () => (await import('../verbs/act/answer.ts')).reject));
  program
    .command('answer <question|task> [words...]')
    .description('answer what an agent asked, in its words or in yours')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/answer.ts')).answer));
}
