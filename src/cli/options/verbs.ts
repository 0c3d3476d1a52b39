// The verbs and their options, as a tree that is parsed, helped from and completed from. A verb's own file is read only
// when it is called, so that each starts as fast as it can.

import { Argument, Command } from 'commander';
import { exitHelp } from './exit-help.ts';
import { addArtifacts } from './verbs-artifacts.ts';
import { addGates } from './verbs-asks.ts';
import { addHome, addLogin } from './verbs-home.ts';
import { addPlans } from './verbs-plan.ts';
import { type Act, addRun } from './verbs-run.ts';
import { addSpending } from './verbs-spending.ts';

export function buildProgram(version: string, act: Act): Command {
  const program = new Command('signalbox')
    .description('Runs coding agents from outside: each in its own process and workspace, with a record of everything.')
    .version(version)
    .addHelpText('after', exitHelp)
    .showSuggestionAfterError()
    .showHelpAfterError('"signalbox help" and "signalbox help <verb>" say what there is.')
    .exitOverride();
  addRun(program, act);
  addLooking(program, act);
  addSpending(program, act);
  addPlans(program, act);
  addOrders(program, act);
  addGates(program, act);
  addWork(program, act);
  addArtifacts(program, act);
  addHome(program, act);
  addLogin(program, act);
  addCompletion(program, act);
  return program;
}

const json = ['--json', 'JSON on stdout, prose on stderr'] as const;

function addLooking(program: Command, act: Act): void {
  program
    .command('ps [run]')
    .description('what is running')
    .option('-a, --all', 'also what has ended')
    .option('-w, --watch', 'go on showing it; of a named run until it ends')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/ps.ts')).ps));
  program
    .command('logs <task|run>')
    .description('what an agent said')
    .option('-f, --follow', 'go on until it ends')
    .option('--check <name>', 'instead what a check of the task printed')
    .option('--json', 'the transcript, or what the check printed, as it is')
    .action(act(async () => (await import('../verbs/view/logs.ts')).logs));
  program
    .command('attach <task>')
    .description('the conversation of an agent as it goes on; type a line to steer it')
    .option('--json', 'the transcript as it is')
    .action(act(async () => (await import('../verbs/view/attach.ts')).attach));
  program
    .command('messages <run> [message]')
    .description('what its agents were told by others and by you, and whether they read it; or one message whole')
    .option('--dead', 'only what nobody will read any more')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/messages.ts')).messages));
  program
    .command('teams <run>')
    .description('the teams that its agents have made: members, what each is at, and the list they share')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/teams.ts')).teams));
  program
    .command('events <run>')
    .description('the record of a run, event by event')
    .option('-f, --follow', 'go on until it ends')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/events.ts')).events));
}

function addOrders(program: Command, act: Act): void {
  program
    .command('send <task> <text...>')
    .description('say something to the agent of a task')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/send.ts')).send));
  program
    .command('stop <run|task>')
    .description('stop it; its work is kept')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/stop.ts')).stop));
  program
    .command('resume <run>')
    .description('do again what did not succeed')
    .option('-d, --detach', 'do not wait for its end')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/resume.ts')).resume));
  program
    .command('retry <task>')
    .description('try a task again that did not succeed, and what was skipped for its sake')
    .option('-d, --detach', 'do not wait for its end')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/retry.ts')).retry));
}

function addWork(program: Command, act: Act): void {
  program
    .command('review <task|run>')
    .description('what there is to know before you take the work: asked, changed, proved, and what nobody looked at')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/review.ts')).review));
  program
    .command('land <run>')
    .description('all that has been integrated of a run goes into a branch of your repository, merged and tested first')
    .option('--into <branch>', 'the branch to move (default: none; it goes to signalbox-run/<run>)')
    .option('--checkout', 'where that branch is checked out, and clean: let its files move with it')
    .option('--open-pr', 'move nothing: push it beside the branch and open a pull request with your gh')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/land.ts')).land));
  program
    .command('queue')
    .description('what is on its way to a branch')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/queue.ts')).queue));
  program
    .command('diff <task|run>')
    .description('what a task changed, or all that has been integrated of a run')
    .option('--stat', 'only which files, and how much')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/diff.ts')).diff));
  program
    .command('output <task>')
    .description('what a task has given, as JSON')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/output.ts')).output));
  program
    .command('take <task|run>')
    .description("bring a task's work, or a run's, into a branch of your repository; your checkout is not touched")
    .option('--branch <name>', 'name of the branch (default: signalbox/<run>/<task>, signalbox-run/<run>)')
    .option('--force', 'replace a branch that has something else')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/take.ts')).take));
}

function addCompletion(program: Command, act: Act): void {
  program
    .command('completion')
    .description('what your shell needs to complete words of signalbox')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(act(async () => (await import('../verbs/home/completion.ts')).completion));
  program
    .command('complete [words...]', { hidden: true })
    .action(act(async () => (await import('../verbs/home/complete.ts')).completeFrom(program)));
}
