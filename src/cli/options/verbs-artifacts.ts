// The verbs about what tasks give, and where an integrated line comes from.

import { type Command, Option } from 'commander';
import type { Act } from './verbs-run.ts';

const json = ['--json', 'JSON on stdout, prose on stderr'] as const;

export function addArtifacts(program: Command, act: Act): void {
  program
    .command('artifacts [run]')
    .description('what the tasks of a run have given, as it is kept: docs/artifacts.md')
    .option('--task <task>', 'only of this task')
    .addOption(kind('only of this kind'))
    .option(...json)
    .action(act(async () => (await import('../verbs/view/artifacts.ts')).artifacts));
  const artifact = program.command('artifact').description('look into one artifact, or take it out');
  artifact
    .command('show <id|task>')
    .description('what is in it; a report as prose')
    .addOption(kind('of a task: the one of this kind'))
    .option(...json)
    .action(act(async () => (await import('../verbs/view/artifact-show.ts')).artifactShow));
  artifact
    .command('export <id|task> [file]')
    .description('write it to a file, byte for byte, and its seal to <file>.seal.json; "-" is stdout')
    .addOption(kind('of a task: the one of this kind'))
    .option('--force', 'replace a file that is there')
    .action(act(async () => (await import('../verbs/view/artifact-export.ts')).artifactExport));
  program
    .command('why <file:line>')
    .description('where an integrated line comes from: task, agent, prompt, checks, and what it was made of')
    .option('--rev <rev>', 'the line as it is in this revision of your repository (default: HEAD)')
    .option('--run <run>', 'the line as it is on the branch of this run')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/why.ts')).why));
}

function kind(words: string): Option {
  const option = new Option('--kind <kind>', words);
  return option.choices(['output', 'finding', 'patch-plan', 'file-set', 'verdict', 'handoff', 'conflict', 'report']);
}
