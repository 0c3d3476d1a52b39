// The verbs about the daemon, its home and what agents are let in with.

import type { Command } from 'commander';
import type { Act } from './verbs-run.ts';

const json = ['--json', 'JSON on stdout, prose on stderr'] as const;

export function addHome(program: Command, act: Act): void {
  program
    .command('up')
    .description('start the daemon')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/up.ts')).up));
  program
    .command('down')
    .description('end the daemon; agents go on')
    .option('--stop-agents', 'stop them first; their work is kept')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/down.ts')).down));
  program
    .command('status')
    .description('the state of the daemon')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/status.ts')).status));
  program
    .command('doctor')
    .description('what works on this machine, what is weaker, and how to mend it')
    .option('--fix', 'mend what can be mended safely, and say what was done')
    .option(...json)
    .action(act(async () => (await import('../verbs/home/doctor.ts')).doctor));
  program
    .command('gc')
    .description('remove workspaces whose work is saved and that nobody uses, and tell what else lies on the disk')
    .option('--dry-run', 'only tell')
    .option('--setups', 'also what setups made, however lately it was used')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/gc.ts')).gc));
  program
    .command('rm <run|task>')
    .description('remove the workspaces of something that has ended; what was saved of them stays')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/gc.ts')).rm));
  program
    .command('verify [run|commit]')
    .description('check the journal against its hashes; a run or commit also for signatures, trailers and artifacts')
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
    .description('what an agent needs to be let in; stores it for you')
    .option('--token-stdin', 'take the key or token from stdin')
    .option('--check', "ask the agent's own program whether it would use it; no model is asked")
    .option(...json)
    .action(act(async () => (await import('../verbs/home/login.ts')).login));
  program
    .command('logout <harness>')
    .description('remove what login stored')
    .action(act(async () => (await import('../verbs/home/login.ts')).logout));
}
