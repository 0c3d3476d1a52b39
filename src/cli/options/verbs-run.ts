// The options of `run`: the verb that has the most.

import { type Command, Option } from 'commander';
import type { Verb } from '../client/context.ts';
import { amount, collect, count, positive, whole } from './option-values.ts';

/** Makes an action of what loads a verb. */
export type Act = <Options>(load: () => Promise<Verb<Options>>) => (...given: unknown[]) => Promise<void>;

export function addRun(program: Command, act: Act): void {
  program
    .command('run [prompt|plan...]')
    .description('run a plan file, or each prompt as a task, in the git repository you are in')
    .option('--input <name=value>', 'of a plan: an input; may be repeated', collect)
    .option('--dry-run', 'of a plan: only tell what could run together and what it could cost')
    .option('--stubs', 'of a plan: play it with scripted agents and example outputs; nobody is paid')
    .option('--strict', 'of a plan: writers that would have to take turns are an error')
    .option('--file <file>', 'prompts from a file, parted by lines of "---"; "-" is stdin; may be repeated', collect)
    .option('--script <file>', 'script of the scripted agent; once for all prompts, or once for each', collect)
    .option('--check <command>', 'a command that must exit 0 on the work; may be repeated', collect)
    .option('--retries <n>', 'attempts after a failed one', count, 0)
    .addOption(retryHow())
    .option('--send-backs <n>', 'how often work that lacks evidence goes back to its author; 2', count)
    .option('--conflicts <n>', 'further tries for work that does not fit what was integrated meanwhile; 2', count)
    .addOption(onConflict())
    .option('--timeout <seconds>', 'time for one attempt', positive)
    .option('--max-usd <dollars>', 'what the run may spend, as 5 or $5; in place of what its plan says', amount('usd'))
    .option('--max-tokens <n>', 'tokens that it may use, as 200k or 2M', amount('tokens'))
    .option('--max-turns <n>', 'requests to a model that it may make', amount('turns'))
    .option('--max-time <time>', 'how long its agents may work, added up, as 90s, 30m or 2h', amount('time'))
    .option('--max-agents <n>', 'agents that there may ever be, over all attempts', whole)
    .option('--depth <n>', 'how deep agents may ask for agents; 1: not at all; 4', whole)
    .option('--agents-in-all <n>', 'agents that agents may ask for in the whole run; 200', whole)
    .option('--effort <level>', 'how hard the model thinks, where the harness has it')
    .option('--set <name=value>', 'any other setting of the harness, e.g. turnsMax=20; may be repeated', collect)
    .option('--stall <seconds>', 'silence in the middle of a turn that counts as a stall; 900', positive)
    .option('--tool-stall <seconds>', 'the same while a tool of the agent is at work; 3600', positive)
    .option('--memory-max <MiB>', 'memory of an agent and all it starts', positive)
    .option('--output-max <MiB>', 'what an agent may print', positive)
    .option('--processes-max <n>', 'processes of an agent', positive)
    .option('--harness <name>', 'the kind of agent')
    .addOption(sandbox())
    .option('--argv <command>', 'for --harness command: a shell command; "$1" is the prompt')
    .option('--model <name>', 'the model, where the harness has one')
    .option('--writes <glob>', 'paths the work may change: tasks that share one take turns; may be repeated', collect)
    .option('--reads <glob>', 'paths that nobody may be changing meanwhile; may be repeated', collect)
    .option('--allow <rule>', 'what an agent may do unasked, as "Bash(npm test:*)"; may be repeated', collect)
    .option('--ask <rule>', 'what an agent must ask for, also in a sandbox; may be repeated', collect)
    .option('--deny <rule>', 'what an agent may not do; may be repeated', collect)
    .option('--name <name>', 'name of the run')
    .option('--base <name>', 'start from this branch, tag or commit, or from "worktree": your files as they are now')
    .option('--into <branch>', 'when all has succeeded, merge it into this branch, tested, and move that')
    .option('--checkout', 'with --into: a clean checkout of the branch may move with it')
    .option('--needs-chain', 'each prompt needs the one before it')
    .option('--needs <a:b>', 'prompt number a needs prompt number b; may be repeated', collect)
    .option(
      '--together',
      'bring all work onto one branch, where the next task starts; the default for tasks that need others',
    )
    .option('--plan', 'let a planner split the prompt into a plan; it is shown, and run when you say so')
    .option('--yes', 'run it without asking: a plan of --plan, or one that could spend more than it confirms')
    .option('-d, --detach', 'do not wait for its end')
    .option('--json', 'JSON on stdout, prose on stderr')
    .action(act(async () => (await import('../run/run.ts')).run));
}

function retryHow(): Option {
  const option = new Option(
    '--retry-how <how>',
    'fresh, the default, continue: with the session and work there are, or auto: as the record suggests',
  );
  return option.choices(['fresh', 'continue', 'auto']);
}

function onConflict(): Option {
  const option = new Option(
    '--on-conflict <what>',
    'when it fits at no try: ask a person what becomes of it, the default, or fail',
  );
  return option.choices(['ask', 'fail']);
}

function sandbox(): Option {
  const option = new Option('--sandbox <kind>', 'workspace, the default where it works, or none');
  return option.choices(['workspace', 'none']);
}
