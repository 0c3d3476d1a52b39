// The verbs by which people answer asks.

import type { Command } from 'commander';
import { amount, collect, whole } from './option-values.ts';
import type { Act } from './verbs-run.ts';

const json = ['--json', 'JSON on stdout, prose on stderr'] as const;

export function addAsks(program: Command, act: Act): void {
  program
    .command('inbox')
    .description('what waits for you: permissions, questions, gates, exhausted budgets, with how to answer')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/inbox.ts')).inbox));
  const remember = ['--remember', 'also for the same call in the rest of the run'] as const;
  const rememberTool = ['--remember-tool', 'also for every call of this tool in the rest of the run'] as const;
  program
    .command('approve <ask|task...>')
    .description('let an agent do what it asked for, or pass a gate')
    .option('-m, --message <text>', "the answer to an agent's question; at a gate, why")
    .option('--set <field=value>', 'fill in a field of the form of a gate; may be repeated', collect)
    .option('--choose <what>', 'where more is asked than yes or no: what follows, as inbox shows it')
    .option(...remember)
    .option(...rememberTool)
    .option(...json)
    .action(act(async () => (await import('../verbs/act/answer.ts')).approve));
  program
    .command('reject <ask|task...>')
    .description('refuse what an agent asked for, or reject at a gate')
    .option('-m, --message <text>', 'why; an agent is told')
    .option(...remember)
    .option(...rememberTool)
    .option(...json)
    .action(act(async () => (await import('../verbs/act/answer.ts')).reject));
  program
    .command('answer <ask|task> [words...]')
    .description(
      "answer anything in the inbox: an agent's question in words, others with yes, no or a choice, a budget with amounts",
    )
    .option('-m, --message <text>', 'why; an agent is told')
    .option('--set <field=value>', 'fill in a field of the form of a gate; may be repeated', collect)
    .option('--usd <amount>', 'of an exhausted budget: money, as in 5 or 0.50', amount('usd'))
    .option('--tokens <amount>', 'tokens read and written anew, as in 200k or 2M', amount('tokens'))
    .option('--turns <n>', 'requests to the model', amount('turns'))
    .option('--time <time>', 'how long agents may work, added up, as in 90s, 30m or 2h', amount('time'))
    .option('--agents <n>', 'agents that there may ever be, over all attempts', whole)
    .option(...json)
    .action(act(async () => (await import('../verbs/act/answer.ts')).answer));
}
