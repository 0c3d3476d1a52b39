// The verbs about the daemon, its home directory and credentials.

import type { Command } from 'commander';
import { jsonOption as json } from './option-values.ts';
import type { Act } from './verbs-run.ts';

export function addHome(program: Command, act: Act): void {
  program
    .command('up')
    .description('start the daemon')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/up.ts')).up));
  program
    .command('down')
    .description('stop the daemon; running agents continue')
    .option('--stop-agents', 'stop the agents first; their work is kept')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/down.ts')).down));
  program
    .command('status')
    .description('show the state of the daemon')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/status.ts')).status));
  program
    .command('doctor')
    .description('show what works here, what is degraded and how to fix it')
    .option('--fix', 'fix what can be fixed safely, and report what was done')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/doctor.ts')).doctor));
  program
    .command('config')
    .description('show the configuration that holds here, and where each value is from')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/config.ts')).config));
  program
    .command('init')
    .description('propose a configuration for this repository, from its package manager and tests')
    .option('--yes', 'write it without asking')
    .action(act(async () => (await import('../verbs/home/init.ts')).init));
  program
    .command('trust')
    .description("show what this repository's MCP servers, hooks and skills would run, and let agents have them")
    .option('--yes', 'trust it without asking')
    .option('--check', 'only show it; exit code 3 while it is not trusted')
    .option('--revoke', 'trust it no longer')
    .option('--list', 'list the repositories that you trust')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/trust.ts')).trust));
  program
    .command('gc')
    .description('list everything in the home by size; remove workspaces whose work is saved')
    .option('--dry-run', 'only list; remove nothing')
    .option('--setups', 'also remove cached setup results, even recently used ones')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/gc.ts')).gc));
  program
    .command('rm <run|task>')
    .description('remove an ended run with all it left on the disk, or the workspaces of a task')
    .option('--yes', 'remove the run without asking')
    .option('--force', 'remove the run even if work of it is in no branch of yours')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/rm.ts')).rm));
  program
    .command('verify [run|commit]')
    .description('check the journal, or a run or commit with all its signatures')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/verify.ts')).verify));
  program
    .command('daemon', { hidden: true })
    .option('--report')
    .action(act(async () => (await import('../verbs/home/daemon.ts')).daemon));
}

export function addLogin(program: Command, act: Act): void {
  program
    .command('login [harness]')
    .description('show or store the credentials an agent needs')
    .option('--token-stdin', 'read the key or token from stdin')
    .option('--check', "ask the agent's own program whether it accepts the credential; sends no model request")
    .option(...json)
    .action(act(async () => (await import('../verbs/home/login.ts')).login));
  program
    .command('logout <harness>')
    .description('remove the stored credential')
    .action(act(async () => (await import('../verbs/home/login.ts')).logout));
}
