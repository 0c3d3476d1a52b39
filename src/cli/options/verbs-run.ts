// The options of `run`.

import { type Command, Option } from 'commander';
import type { Verb } from '../client/context.ts';
import { coAuthorOption, commitsOption } from './history-options.ts';
import { amount, collect, count, jsonOption, positive, verboseOption, whole } from './option-values.ts';

/** Turns a function that loads a verb into an action for commander. */
export type Act = <Options>(load: () => Promise<Verb<Options>>) => (...given: unknown[]) => Promise<void>;

export function addRun(program: Command, act: Act): void {
  program
    .command('run [prompt|plan...]')
    .description('run a plan file, or each prompt as a task, in this repository')
    .option('--input <name=value>', 'plan only: value of an input (repeatable)', collect)
    .option('--dry-run', 'plan only: show what can run in parallel and the worst-case cost; start nothing')
    .option('--stubs', 'plan only: rehearse with scripted agents and example outputs, free of charge')
    .option('--strict', 'plan only: treat tasks that write the same paths as an error')
    .option('--file <file>', 'read prompts from a file, separated by "---" lines; "-" is stdin (repeatable)', collect)
    .option('--script <file>', 'script for --harness scripted; give one for all prompts or one per prompt', collect)
    .option('--check <command>', 'a command that must exit 0 on the work (repeatable)', collect)
    .option('--retries <n>', 'further attempts after a failed one', count, 0)
    .addOption(retryHow())
    .option('--send-backs <n>', 'how often work without evidence goes back to its author (default: 2)', count)
    .addOption(conflicts())
    .addOption(onConflict())
    .option('--timeout <seconds>', 'time limit for one attempt', positive)
    .option('--max-usd <dollars>', 'budget of the run in dollars, for example 5; overrides the plan', amount('usd'))
    .option('--max-tokens <n>', 'budget of the run in tokens, for example 200k or 2M', amount('tokens'))
    .option('--max-turns <n>', 'budget of the run in model requests', amount('turns'))
    .option('--max-time <time>', 'working time of all its agents added up, for example 90s, 30m or 2h', amount('time'))
    .option('--max-agents <n>', 'agents in total, over all attempts', whole)
    .option('--depth <n>', 'how deep agents may spawn agents; 1 means not at all (default: 4)', whole)
    .option('--agents-in-all <n>', 'agents that agents may spawn in the whole run (default: 200)', whole)
    .option('--effort <level>', 'reasoning effort, if the harness supports it')
    .option('--set <name=value>', 'any other harness setting, for example turnsMax=20 (repeatable)', collect)
    .option('--stall <seconds>', 'silence within a turn that counts as a stall (default: 900)', positive)
    .option('--tool-stall <seconds>', 'silence while a tool runs that counts as a stall (default: 3600)', positive)
    .addOption(passedOn())
    .addOption(servers())
    .addOption(attached())
    .option('--memory-max <MiB>', 'memory limit per agent, with all processes it starts', positive)
    .option('--output-max <MiB>', 'output limit per agent', positive)
    .option('--processes-max <n>', 'process limit per agent', positive)
    .option('--harness <name>', 'which kind of agent to run')
    .addOption(sandbox())
    .option('--argv <command>', 'for --harness command: the shell command; "$1" is the prompt')
    .option('--model <name>', 'the model, if the harness has models')
    .option(
      '--writes <glob>',
      'paths the task may change; tasks that share a path run one after the other (repeatable)',
      collect,
    )
    .option('--reads <glob>', 'paths that no other task may change meanwhile (repeatable)', collect)
    .option(
      '--allow <rule>',
      'a tool call that needs no permission, for example "Bash(npm test:*)" (repeatable)',
      collect,
    )
    .option('--ask <rule>', 'a tool call that needs your permission, even in a sandbox (repeatable)', collect)
    .option('--deny <rule>', 'a tool call that is refused (repeatable)', collect)
    .option('--name <name>', 'name of the run')
    .option('--base <name>', 'start from this branch, tag or commit, or from "worktree": your uncommitted files')
    .option('--into <branch>', 'when every task succeeded, land the run in this branch of yours')
    .option('--checkout', 'with --into: also update a clean checkout of that branch')
    .addOption(commitsOption())
    .addOption(coAuthorOption())
    .option('--needs-chain', 'each prompt needs the one before it')
    .option('--needs <a:b>', 'prompt number a needs prompt number b (repeatable)', collect)
    .option('--apart', 'keep the work of each prompt by itself: different ways to the same end, of which you take one')
    .option('--plan', 'let a planner agent split the prompt into a plan; it is shown and runs after you confirm')
    .option('--yes', 'do not ask for confirmation: of a plan from --plan, or of a high worst-case cost')
    .option('-d, --detach', 'return at once instead of following the run')
    .option(...verboseOption)
    .option(...jsonOption)
    .action(act(async () => (await import('../run/run.ts')).run));
}

export function addAdopt(program: Command, act: Act): void {
  program
    .command('adopt <session> [prompt]')
    .description('continue a session of Claude Code that you began by hand, as a task')
    .option('--base <name>', 'start from this branch, tag or commit (default: worktree, your uncommitted files)')
    .option('--check <command>', 'a command that must exit 0 on the work (repeatable)', collect)
    .option('--model <name>', 'the model')
    .addOption(sandbox())
    .option('-d, --detach', 'return at once instead of following the run')
    .option(...verboseOption)
    .option(...jsonOption)
    .action(act(async () => (await import('../verbs/act/adopt.ts')).adopt));
}

function passedOn(): Option {
  return new Option('--env <name>', 'a variable of your environment that agents get (repeatable)').argParser(collect);
}

function servers(): Option {
  const about = 'an MCP server that agents get, instead of all; "none" for none (repeatable)';
  return new Option('--mcp <name>', about).argParser(collect);
}

function attached(): Option {
  const about = 'an image that every prompt carries: PNG, JPEG, GIF or WebP (repeatable)';
  return new Option('--attach <file>', about).argParser(collect);
}

function retryHow(): Option {
  const option = new Option(
    '--retry-how <how>',
    'start the next attempt fresh (default), continue the session and work, or choose by how it failed (auto)',
  );
  return option.choices(['fresh', 'continue', 'auto']);
}

function conflicts(): Option {
  const about = 'further attempts for work that conflicts with work integrated meanwhile (default: 2)';
  return new Option('--conflicts <n>', about).argParser(count);
}

function onConflict(): Option {
  const option = new Option(
    '--on-conflict <what>',
    'if conflicts remain after all attempts: ask a person (default) or fail',
  );
  return option.choices(['ask', 'fail']);
}

function sandbox(): Option {
  const option = new Option('--sandbox <kind>', 'confine agents to their workspace (default), or none');
  return option.choices(['workspace', 'none']);
}
