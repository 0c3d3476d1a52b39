// The verbs of the command line and their options. Each verb is a file of its own.

import { Command, InvalidArgumentError, Option } from 'commander';
import { attach } from './attach.ts';
import type { Verb } from './context.ts';
import { daemon } from './daemon.ts';
import { approve, reject } from './decide.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { down } from './down.ts';
import { events } from './events.ts';
import { inbox } from './inbox.ts';
import { login, logout } from './login.ts';
import { logs } from './logs.ts';
import { ps } from './ps.ts';
import { resume } from './resume.ts';
import { retry } from './retry.ts';
import { run } from './run.ts';
import { send } from './send.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';
import { take } from './take.ts';
import { up } from './up.ts';
import { verify } from './verify.ts';

const exitHelp = `
Exit codes:
  0    ok
  1    failed: a run that did not succeed wholly, an order that was refused, a damaged journal
  2    usage: what was asked makes no sense, or not here: no repository, or an agent that is missing, too old or not
       logged in
  3    a person has to decide
  4    a budget or quota is used up
  5    trouble with the daemon or its home
  130  left with Ctrl-C; the run goes on

A run or task is named by its id, a unique beginning of it, a run's name, or a task's name in the newest run.`;

export type Act = <Options>(verb: Verb<Options>) => (...given: unknown[]) => Promise<void>;

export function buildProgram(version: string, act: Act): Command {
  const program = new Command('signalbox')
    .description('Runs coding agents from outside: each in its own process and workspace, with a record of everything.')
    .version(version)
    .addHelpText('after', exitHelp)
    .showSuggestionAfterError()
    .exitOverride();
  addRun(program, act);
  program
    .command('ps [run]')
    .description('what is running')
    .option('-a, --all', 'also what has ended')
    .option('-w, --watch', 'go on showing it; of a named run until it ends')
    .option(...json)
    .action(act(ps));
  program
    .command('logs <task|run>')
    .description('what an agent said')
    .option('-f, --follow', 'go on until it ends')
    .option('--json', 'the transcript as it is')
    .action(act(logs));
  program
    .command('attach <task>')
    .description('the conversation of an agent as it goes on; type a line to steer it')
    .option('--json', 'the transcript as it is')
    .action(act(attach));
  program
    .command('events <run>')
    .description('the record of a run, event by event')
    .option('-f, --follow', 'go on until it ends')
    .option(...json)
    .action(act(events));
  program.command('stop <run|task>').description('stop it; its work is kept').action(act(stop));
  program
    .command('resume <run>')
    .description('do again what did not succeed')
    .option('-d, --detach', 'do not wait for its end')
    .option(...json)
    .action(act(resume));
  program
    .command('retry <task>')
    .description('try a task again that did not succeed, and what was skipped for its sake')
    .option('-d, --detach', 'do not wait for its end')
    .option(...json)
    .action(act(retry));
  addGates(program, act);
  addWork(program, act);
  program.command('send <task> <text...>').description('say something to the agent of a task').action(act(send));
  program
    .command('verify [run]')
    .description('check the journal against its hashes')
    .option(...json)
    .action(act(verify));
  program.command('up').description('start the daemon').action(act(up));
  program
    .command('down')
    .description('end the daemon; agents go on')
    .option('--stop-agents', 'stop them first; their work is kept')
    .action(act(down));
  program
    .command('status')
    .description('the state of the daemon')
    .option(...json)
    .action(act(status));
  program
    .command('doctor')
    .description('what works on this machine, what is weaker, and how to mend it')
    .option('--fix', 'mend what can be mended safely, and say what was done')
    .option(...json)
    .action(act(doctor));
  addLogin(program, act);
  program.command('daemon', { hidden: true }).option('--report').action(act(daemon));
  return program;
}

function addLogin(program: Command, act: Act): void {
  program
    .command('login [harness]')
    .description('what an agent needs to be let in; stores it for you')
    .option('--token-stdin', 'take the key or token from stdin')
    .option('--check', "ask the agent's own program whether it would use it; no model is asked")
    .option(...json)
    .action(act(login));
  program.command('logout <harness>').description('remove what login stored').action(act(logout));
}

function addGates(program: Command, act: Act): void {
  program
    .command('inbox')
    .description('what waits for you')
    .option(...json)
    .action(act(inbox));
  const remember = ['--remember', 'also for the same call in the rest of the run'] as const;
  const rememberTool = ['--remember-tool', 'also for every call of this tool in the rest of the run'] as const;
  program
    .command('approve <question|task...>')
    .description('let an agent do what it asked for')
    .option('-m, --message <text>', 'an answer to a question of the agent')
    .option(...remember)
    .option(...rememberTool)
    .action(act(approve));
  program
    .command('reject <question|task...>')
    .description('refuse it')
    .option('-m, --message <text>', 'what the agent is told')
    .option(...remember)
    .option(...rememberTool)
    .action(act(reject));
}

const json = ['--json', 'JSON on stdout, prose on stderr'] as const;

function addRun(program: Command, act: Act): void {
  program
    .command('run <prompt...>')
    .description('run each prompt as a task, in the git repository you are in')
    .option('--script <file>', 'script of the scripted agent; once for all prompts, or once for each', collect)
    .option('--check <command>', 'a command that must exit 0 on the work; may be repeated', collect)
    .option('--retries <n>', 'attempts after a failed one', count, 0)
    .option('--timeout <seconds>', 'time for one attempt', positive)
    .option('--effort <level>', 'how hard the model thinks, where the harness has it')
    .option('--set <name=value>', 'any other setting of the harness, e.g. turnsMax=20; may be repeated', collect)
    .option('--stall <seconds>', 'silence in the middle of a turn that counts as a stall', positive)
    .option('--memory-max <MiB>', 'memory of an agent and all it starts', positive)
    .option('--output-max <MiB>', 'what an agent may print', positive)
    .option('--processes-max <n>', 'processes of an agent', positive)
    .option('--harness <name>', 'the kind of agent')
    .addOption(sandboxOption())
    .option('--argv <command>', 'for --harness command: a shell command; "$1" is the prompt')
    .option('--model <name>', 'the model, where the harness has one')
    .option('--writes <glob>', 'paths the work may change: tasks that share one take turns; may be repeated', collect)
    .option('--reads <glob>', 'paths that nobody may be changing meanwhile; may be repeated', collect)
    .option('--allow <rule>', 'what an agent may do unasked, as "Bash(npm test:*)"; may be repeated', collect)
    .option('--ask <rule>', 'what an agent must ask for, also in a sandbox; may be repeated', collect)
    .option('--deny <rule>', 'what an agent may not do; may be repeated', collect)
    .option('--name <name>', 'name of the run')
    .option('--base <name>', 'start from this branch, tag or commit, or from "worktree": your files as they are now')
    .option('--needs-chain', 'each prompt needs the one before it')
    .option('--needs <a:b>', 'prompt number a needs prompt number b; may be repeated', collect)
    .option('-d, --detach', 'do not wait for its end')
    .option(...json)
    .action(act(run));
}

function sandboxOption(): Option {
  return new Option('--sandbox <kind>', 'workspace, the default where it works, or none').choices([
    'workspace',
    'none',
  ]);
}

function addWork(program: Command, act: Act): void {
  program
    .command('diff <task>')
    .description('what a task changed')
    .option('--stat', 'only which files, and how much')
    .option(...json)
    .action(act(diff));
  program
    .command('take <task>')
    .description("bring a task's work into a branch of your repository; your checkout is not touched")
    .option('--branch <name>', 'name of the branch (default: signalbox/<run>/<task>)')
    .option('--force', 'replace a branch that has something else')
    .option(...json)
    .action(act(take));
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function count(value: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new InvalidArgumentError('it takes a number.');
  return Number(value);
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('it takes a number above 0.');
  return number;
}
