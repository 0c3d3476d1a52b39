// A scripted agent at the work of one task of an example: `node main.mjs <example> <task>` in the workspace of the agent. It
// reads its prompt as any agent does, works with real files and commands, and prints the task's output.

import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [example, task] = process.argv.slice(2);
const { agents } = await import(`./${example}.mjs`);
const session = JSON.parse(readFileSync(`${process.env.HOME}/session.json`, 'utf8'));
/** Without the marks around what others gave. */
const prompt = session.prompt.replaceAll(/<\/?task-output[^>]*>/g, '');

const output = await agents[task]({
  prompt,
  /** Inputs of a synthesis, as its prompt lists them: a heading, and the quoted value. */
  inputs: [...prompt.matchAll(/^### (\S+), from task "(\S+)"\n((?:>.*\n?)+)/gm)].map(([, id, from, quoted]) => ({
    id,
    from,
    value: JSON.parse(quoted.replaceAll(/^> ?/gm, '')),
  })),
  read: (path) => readFileSync(path, 'utf8'),
  write(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  },
  /** Runs a command and gives its status and what it printed. */
  run(command) {
    try {
      return { status: 0, text: execSync(`${command} 2>&1`, { encoding: 'utf8' }).trim() };
    } catch (error) {
      return { status: error.status, text: String(error.stdout).trim() };
    }
  },
  /** Ends the agent where the prompt lacks something that the plan promises it. */
  expectTold(...words) {
    const missing = words.filter((word) => !prompt.includes(word));
    if (missing.length > 0) throw new Error(`not in the prompt of ${task}: ${missing.join(', ')}\n${prompt}`);
  },
});
if (output !== undefined) console.log(JSON.stringify(output));
