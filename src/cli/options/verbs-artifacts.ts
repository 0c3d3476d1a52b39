// The verbs about artifacts, and `why`: where an integrated line comes from.

import { type Command, Option } from 'commander';
import { jsonOption as json } from './option-values.ts';
import type { Act } from './verbs-run.ts';

export function addArtifacts(program: Command, act: Act): void {
  program
    .command('artifacts [run]')
    .description('list the artifacts of a run: outputs, reports, verdicts, …')
    .option('--task <task>', 'only artifacts of this task')
    .addOption(kind('only artifacts of this kind'))
    .option(...json)
    .action(act(async () => (await import('../verbs/view/artifacts.ts')).artifacts));
  const artifact = program.command('artifact').description('show or export one artifact');
  artifact
    .command('show <id|task>')
    .description('print the content of an artifact; of a report, its text')
    .addOption(kind('if you name a task: which kind of its artifacts'))
    .option(...json)
    .action(act(async () => (await import('../verbs/view/artifact-show.ts')).artifactShow));
  artifact
    .command('export <id|task> [file]')
    .description('write an artifact to a file, byte for byte, and its seal to <file>.seal.json; "-" is stdout')
    .addOption(kind('if you name a task: which kind of its artifacts'))
    .option('--force', 'overwrite an existing file')
    .action(act(async () => (await import('../verbs/view/artifact-export.ts')).artifactExport));
  program
    .command('why <file:line>')
    .description('show which task, agent, prompt and checks a line comes from')
    .option('--rev <rev>', 'look the line up in this revision of your repository (default: HEAD)')
    .option('--run <run>', 'look the line up on the branch of this run')
    .option(...json)
    .action(act(async () => (await import('../verbs/view/why.ts')).why));
}

function kind(words: string): Option {
  const option = new Option('--kind <kind>', words);
  return option.choices(['output', 'finding', 'patch-plan', 'file-set', 'verdict', 'handoff', 'conflict', 'report']);
}
