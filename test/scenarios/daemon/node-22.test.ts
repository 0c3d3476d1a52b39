// The built program on Node 22: plans in TypeScript, which older ones cannot run, and a look at the rest of it.

import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Node22, node22 } from '../../node-22.ts';
import { root } from '../../source-files.ts';
import { type Ended, mainFile, runInOwnProcess } from '../world/cli-process.ts';
import { openWorld, type World } from './daemon-world.ts';

const guide = readFileSync(join(root, 'docs/plans.md'), 'utf8');
const [, sample = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];

let node: Node22;
let world: World;

beforeAll(async () => {
  node = await node22();
}, 6 * 60_000);

beforeEach((context) => {
  world = openWorld();
  if (node.kind === 'there') return;
  // Elsewhere there may be no network; in CI a skipped test would go unnoticed.
  if (process.env['CI'] !== undefined) throw new Error(node.why);
  context.skip(node.why);
});

afterEach(() => world.close());

const sb = (...args: string[]): Promise<Ended> =>
  new Promise((done) => {
    const program = node.kind === 'there' ? node.binary : '';
    const options = { cwd: world.repo, env: world.env, timeout: 60_000 };
    const child = execFile(program, [mainFile, ...args], options, (_, stdout, stderr) => {
      done({ code: child.exitCode, stdout, stderr });
    });
  });

const put = (file: string, text: string): void => writeFileSync(join(world.repo, file), text);

it('a plan in TypeScript is checked, drawn and played [PLAN-16]', async () => {
  const typed = sample.replace("const folder = input('folder'", "const folder: Ref<string> = input('folder'");
  expect(typed).not.toBe(sample);
  put('x.plan.ts', `import type { Ref } from 'signalbox';\n${typed}`);
  put('x.plan.mjs', sample);
  const checked = await sb('plan', 'check', 'x.plan.ts');
  expect(checked).toMatchObject({ code: 0, stdout: 'x.plan.ts: 3 tasks, no problems\n', stderr: '' });
  const same = await runInOwnProcess(['plan', 'graph', 'x.plan.mjs'], world.repo, world.env);
  const drawn = await sb('plan', 'graph', 'x.plan.ts');
  expect(drawn).toMatchObject({ code: 0, stderr: '' });
  expect(same).toEqual(drawn);
  const ran = await sb('run', 'x.plan.ts', '--stubs', '--json', '--input', 'folder=lib');
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'hunt', outcome: 'succeeded' });
});

it('an error in a plan in TypeScript is reported with its place [PLAN-16]', async () => {
  const head = "import { plan, task } from 'signalbox';\n";
  const tasks = "const tasks: Task[] = [\n  task('a', { prompt: 'x', phase: 'reserch' }),\n];\n";
  put('a.plan.ts', `${head}type Task = ReturnType<typeof task>;\n${tasks}export default plan({ name: 'x', tasks });\n`);
  const { code, stderr } = await sb('run', 'a.plan.ts');
  expect(code).toBe(2);
  expect(stderr).toContain('a.plan.ts:4:3: error: there is no phase "reserch"');
  put('b.plan.ts', `${head}const x: number = ;\n`);
  const broken = await sb('plan', 'check', 'b.plan.ts');
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain('b.plan.ts');
});

it('the program starts, runs an agent and shows it [CLI-18]', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(await sb('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  const script = world.script([{ write: { path: 'a.txt', text: 'a\n' } }, { commit: 'Add a' }]);
  const ran = await sb('run', 'add a', '--script', script, '--check', 'test -f a.txt');
  expect(ran.code, ran.stderr).toBe(0);
  if (process.platform === 'linux') {
    expect(readlinkSync(`/proc/${world.daemonPid()}/exe`)).toBe(node.kind === 'there' ? node.binary : '');
  }
  const shown = await sb('ps', '--all');
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain('add-a');
  expect((await sb('down')).code).toBe(0);
});
