// An integration that kills its own process with -9 at one of its steps: before or after it starts a git, before it writes, moves
// or removes a file. Arguments: module folder, then the task as JSON. Prints its results if it lives.
import child from 'node:child_process';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, taskJson] = process.argv.slice(2);
const { root, order, dieAt, bad } = JSON.parse(taskJson);

let steps = 0;
const step = () => {
  steps += 1;
  if (steps === dieAt) process.kill(process.pid, 'SIGKILL');
};
const { spawn } = child;
child.spawn = (...args) => {
  step();
  const started = spawn(...args);
  // From here on it is an orphan that still writes.
  step();
  return started;
};
for (const name of ['mkdir', 'writeFile', 'rename', 'unlink', 'rm']) {
  const real = files[name];
  files[name] = (...args) => {
    step();
    return real(...args);
  };
}
syncBuiltinESMExports();

const { createIntegrations } = await import(pathToFileURL(join(modules, 'git', 'integrate', 'integrate.js')).href);
const test = async ({ bare, commit, checks }) => {
  const names = child.execFileSync('git', ['--git-dir', bare, 'ls-tree', '-r', '--name-only', commit], {
    encoding: 'utf8',
  });
  const passed = !names.split('\n').includes(bad);
  return checks.map(({ name }) => ({ check: name, passed, detail: passed ? 'exit 0' : 'exit 1' }));
};
const results = await createIntegrations({ root, test }).integrate(order, new AbortController().signal);
process.stdout.write(JSON.stringify({ steps, results }));
