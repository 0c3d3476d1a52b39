// The verbs and their options, as one tree for parsing, help and completion. A verb's module is loaded only when it is
// called, so that every verb starts fast.

import { Argument, Command } from 'commander';
import { coAuthorOption, commitsOption } from './history-options.ts';
import { jsonOption as json, verboseOption, whole } from './option-values.ts';
import { addArtifacts } from './verbs-artifacts.ts';
import { addAsks } from './verbs-asks.ts';
import { addHome, addLogin } from './verbs-home.ts';
import { addPlans } from './verbs-plan.ts';
import { type Act, addAdopt, addRun } from './verbs-run.ts';
import { addSpending } from './verbs-spending.ts';

export function buildProgram(version: string, act: Act): Command {
  const program = new Command('signalbox')
    .description(
      'Runs coding agents, each in its own process, workspace and sandbox, and records everything in a journal.',
    )
    .version(version)
    .configureHelp({ subcommandTerm: termOf })
    .addHelpText('after', exitHelp)
    .showSuggestionAfterError()
    .showHelpAfterError('"signalbox help" lists the verbs, "signalbox help <verb>" the options of one.')
    .exitOverride();
  addRun(program, act);
  addAdopt(program, act);
  addViews(program, act);
  addSpending(program, act);
  addPlans(program, act);
  addControl(program, act);
  addAsks(program, act);
  addResults(program, act);
  addArtifacts(program, act);
  addHome(program, act);
  addLogin(program, act);
  addCompletion(program, act);
  return program;
}

/** The list of all verbs has room for a name and a sentence; "help <verb>" shows arguments and options. */
function termOf(command: Command): string {
  const words = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  return command.parent?.parent === null ? command.name() : [command.name(), ...words].join(' ');
}

const exitHelp = `
Exit codes:
  0    ok
  1    failed: no task of the run succeeded, the run was stopped, the daemon
       refused the request, or the journal is damaged
  2    usage error: wrong arguments, no git repository, or an agent that is
       missing, too old or not logged in
  3    a person has to decide: see "signalbox inbox"
  4    a budget or quota is exhausted
  5    the daemon or its home directory does not work
  6    partial: some tasks of the run succeeded, some did not
  70   a bug in Signalbox; agents continue
  130  left with Ctrl-C; the run continues

Name a run or task by its name, run/task, its id, or a unique beginning of one.
A task's name is looked up in the newest run first. Where the argument is
optional, the newest run of this repository is meant.`;

function addViews(program: Command, act: Act): void {
  program
    .command('ps [run]')
    .description('list runs and tasks')
    .option('-a, --all', 'also ended runs of this repository, newest first')
    .option('-A, --everywhere', 'the same for all repositories')
    .option('--page <n>', 'with --all: the next runs', whole)
    .option('-w, --watch', 'keep updating; for one run, until it ends')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/ps.ts')).ps));
  program
    .command('logs [task|run]')
    .description('print the transcript of an agent')
    .option('-f, --follow', 'keep printing until it ends')
    .option('--check <name>', 'print the output of this check instead')
    .option('--json', 'the raw transcript or check output')
    .action(act(async () => (await import('../verbs/view/logs.ts')).logs));
  program
    .command('attach <task>')
    .description('follow the conversation of an agent; type a line to steer it')
    .option('--json', 'the raw transcript')
    .action(act(async () => (await import('../verbs/view/attach.ts')).attach));
  program
    .command('messages <run> [message]')
    .description('list messages to agents with delivery status, or print one')
    .option('--dead', 'only messages that can no longer be delivered')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/messages.ts')).messages));
  program
    .command('teams <run>')
    .description('list teams of agents: members, states and shared task list')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/teams.ts')).teams));
  program
    .command('events [run]')
    .description('print the events of a run')
    .option('-f, --follow', 'keep printing until it ends')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/events.ts')).events));
}

function addControl(program: Command, act: Act): void {
  program
    .command('send <task> <text...>')
    .description('send a message to the agent of a task')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/send.ts')).send));
  program
    .command('interrupt <task>')
    .description('end the turn of an agent; the agent waits for your next message')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/interrupt.ts')).interrupt));
  program
    .command('pause [run]')
    .description('hold all agents, or those of a run, at their next tool round; nothing new starts')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/pause.ts')).pause));
  program
    .command('unpause [run]')
    .description('let agents that were paused go on in their sessions')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/pause.ts')).unpause));
  program
    .command('stop <run|task>')
    .description('stop a run or task; its work is kept')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/stop.ts')).stop));
  program
    .command('resume <run>')
    .description('retry every task of a run that did not succeed')
    .option('-d, --detach', 'return at once instead of following the run')
    .option(...verboseOption)
    .option(...json)
    .action(act(async () => (await import('../verbs/act/resume.ts')).resume));
  program
    .command('retry <task>')
    .description('retry one failed task and the tasks skipped because of it')
    .option('-d, --detach', 'return at once instead of following the run')
    .option(...verboseOption)
    .option(...json)
    .action(act(async () => (await import('../verbs/act/retry.ts')).retry));
}

function addResults(program: Command, act: Act): void {
  program
    .command('review [task|run]')
    .description('summarize finished work: prompt, changes and evidence')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/review.ts')).review));
  program
    .command('land [run|task]')
    .description('land a run, or one of its tasks, in a branch of yours, merged and checked first')
    .option('--into <branch>', 'the branch to move (default: the one that the run started from, else the current one)')
    .option('--checkout', 'update the checkout of that branch, if it is clean (default)')
    .option('--no-checkout', 'never update a checkout: the work then waits on a branch of its own')
    .addOption(commitsOption())
    .addOption(coAuthorOption())
    .option('-e, --edit', 'edit the commit messages first, in your editor')
    .option('--open-pr', 'do not move the branch: push the work and open a pull request with gh')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/land.ts')).land));
  program
    .command('queue')
    .description('list work that waits to be integrated or landed')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/queue.ts')).queue));
  program
    .command('diff [task|run]')
    .description('show what a task changed, or all integrated work of a run')
    .option('--stat', 'only file names and line counts')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/diff.ts')).diff));
  program
    .command('output <task>')
    .description('print the output of a task as JSON')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/output.ts')).output));
  program
    .command('take [task|run]')
    .description('fetch work into a new branch of your repository')
    .option('--branch <name>', 'name of the branch (default: signalbox/<run>/<task>, signalbox-run/<run>)')
    .option('--force', 'overwrite a branch that holds other commits')
    .option(...json)
    .action(act(async () => (await import('../verbs/act/take.ts')).take));
}

function addCompletion(program: Command, act: Act): void {
  program
    .command('completion')
    .description('print the completion script for your shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(act(async () => (await import('../verbs/home/completion.ts')).completion));
  program
    .command('complete [words...]', { hidden: true })
    .action(act(async () => (await import('../verbs/home/complete.ts')).completeFrom(program)));
}
