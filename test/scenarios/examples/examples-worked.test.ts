// The examples at work on small repositories: each agent is a scripted one that does the task's work, and all else is the
// example's own: its commands, checks, conditions, matrices, accounts of a synthesis, and what is integrated on the branch of the run.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type RunView, taskOutput } from '../../../src/wire/views.ts';
import { root } from '../../source-files.ts';
import type { World } from '../daemon/daemon-world.ts';
import { type Registry, startRegistry } from '../daemon/npm-registry.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { type Files, samples } from './example-samples.ts';
import { type Account, type Work, type Worked, worked } from './worked-examples.ts';

interface Plan {
  readonly defaults: Record<string, unknown>;
  readonly tasks: Record<string, Record<string, unknown>>;
}

const planOf = (name: string): Plan =>
  parse(readFileSync(join(root, `examples/${name}/${name}.plan.yaml`), 'utf8')) as Plan;
/** Every check installs packages, and a busy machine takes its time over it. */
const timeoutMs = 300_000;
const hasJq = spawnSync('jq', ['--version']).status === 0;
// The compiler and Vitest, which the samples use.
const openWorld = shareDaemon({ SIGNALBOX_SANDBOX_READ: join(root, 'node_modules') });
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry('left-pad', ['1.1.0', '1.3.0']);
});
afterAll(() => registry.close());

function commit(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(world.repo, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (path === '.signalbox/setup') chmodSync(file, 0o755);
  }
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', 'Add the sample');
}

/** The example as it is, but for its agents: each is a scripted one that runs the program of its task. */
function staged(name: string, { steps = () => ({}) }: Worked): string {
  // Beside the repository, where sandboxes let agents read.
  cpSync(join(import.meta.dirname, 'agents'), world.path('agents'), { recursive: true });
  const plan = planOf(name);
  plan.defaults['harness'] = 'scripted';
  const work: Work = (task, verb) => ({
    [verb]: `'${process.execPath}' '${world.path('agents/main.mjs')}' ${name} ${task}`,
  });
  for (const [task, spec] of Object.entries(plan.tasks)) {
    if (spec['prompt'] === undefined) continue;
    const script = steps(work)[task] ?? [work(task, spec['output'] === undefined ? 'run' : 'outputOf')];
    spec['settings'] = { script: JSON.stringify(script) };
    // A model of the real agent.
    delete spec['model'];
  }
  const file = world.path(`${name}.plan.yaml`);
  writeFileSync(file, JSON.stringify(plan));
  return file;
}

async function logsOfFailed({ tasks }: RunView): Promise<string> {
  const failed = tasks.filter(({ outcome, attempt }) => outcome?.kind === 'failed' && attempt !== null);
  const logs = failed.map(async ({ id, name }) => `${name}:\n${(await world.sb(['logs', id])).stdout}`);
  return (await Promise.all(logs)).join('\n');
}

const endedAs = ({ tasks }: RunView, kind: string): string[] =>
  tasks.filter(({ name, outcome }) => outcome?.kind === kind && !name.startsWith('phase.')).map(({ name }) => name);

async function expectAccount(run: RunView, name: string, { used, rejected }: Account): Promise<void> {
  const task = run.tasks.find((each) => each.name === name);
  const { output } = await world.client().get(`/tasks/${task?.id}/output`, taskOutput);
  const idOf = (from: string): string =>
    run.tasks.find((each) => each.name === from)?.attempt?.id.replace('attempt_', 'artifact_') ?? `of ${from}`;
  const { sources } = output as { sources: { used: string[]; rejected: { id: string; reason: string }[] } };
  expect([...sources.used].sort()).toEqual(used.map(idOf).sort());
  expect(sources.rejected.map(({ id }) => id).sort()).toEqual(rejected.map(idOf).sort());
}

it('every example has a worked test, and the release its own file [EX-3]', () => {
  const folders = readdirSync(join(root, 'examples')).filter((name) => name !== 'README.md');
  expect(Object.keys(worked).concat('release').sort()).toEqual(folders.sort());
});

/** Tasks of the plan that have checks, and of which none was passed on the very files of the work. */
function unchecked({ tasks }: RunView, plan: Plan): string[] {
  const checked = Object.keys(plan.tasks).filter((name) => plan.tasks[name]?.['checks'] !== undefined);
  const members = tasks.filter(({ name, attempt }) => attempt !== null && checked.includes(name.split('.')[0] ?? ''));
  expect(members.length).toBeGreaterThanOrEqual(checked.length);
  const isProof = ({ tree, passed }: { tree: string | null; passed: boolean }): boolean => tree !== null && passed;
  return members.filter(({ attempt }) => attempt?.checks?.some(isProof) !== true).map(({ name }) => name);
}

async function expectWorked(name: string, example: Worked): Promise<void> {
  commit(samples[name]?.(registry) ?? {});
  const inputs = (example.inputs ?? []).flatMap((input) => ['--input', input]);
  const { code, stdout, stderr } = await world.sb(['run', staged(name, example), '--json', ...inputs]);
  const run = JSON.parse(stdout) as RunView;
  if (code !== (example.code ?? 0)) throw new Error(`it exited with ${code}\n${stderr}${await logsOfFailed(run)}`);
  expect(endedAs(run, 'succeeded').sort()).toEqual([...example.succeeded].sort());
  expect(endedAs(run, 'failed').sort()).toEqual([...(example.failed ?? [])].sort());
  expect(endedAs(run, 'omitted')).toEqual([]);
  expect(unchecked(run, planOf(name))).toEqual([]);
  for (const [task, account] of Object.entries(example.accounts ?? {})) await expectAccount(run, task, account);
  const checkout = world.path('branch');
  const gitDir = run.tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir ?? '';
  mkdirSync(checkout);
  world.git('--git-dir', gitDir, '--work-tree', checkout, 'checkout', run.branch?.head ?? '', '--', '.');
  for (const [path, texts] of Object.entries(example.integrated)) {
    const text = readFileSync(join(checkout, path), 'utf8');
    for (const words of texts) expect(text).toContain(words);
  }
  expect((example.notIntegrated ?? []).filter((path) => existsSync(join(checkout, path)))).toEqual([]);
}

for (const [name, example] of Object.entries(worked)) {
  const works = it.skipIf(example.jq === true && !hasJq);
  works(`${name} works with agents that do its work [EX-3]`, { timeout: timeoutMs }, () => expectWorked(name, example));
}
