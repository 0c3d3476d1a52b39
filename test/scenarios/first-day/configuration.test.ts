// A repository whose configuration says how it is set up and checked: what `init` writes applies at once, committed or not, and
// a mistake in it is reported with its line while agents go on.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.repo, name)), { recursive: true });
    writeFileSync(join(world.repo, name), text);
  }
}

const configure = (text: string): void => put({ '.signalbox/config.yaml': text });
const setups = (): number => world.text('setups').split('\n').length - 1;
/** An agent that is a command. */
const agent = (command: string): string[] => ['--argv', command];

it('init proposes what the repository shows, writes on --yes only, and overwrites nothing [CONF-6]', async () => {
  put({ 'package.json': '{"scripts":{"test":"node --test"}}' });
  const asked = await world.sb(['init']);
  expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('signalbox init --yes')]);
  expect(asked.stdout).toContain('checks:\n  - npm test\n');
  expect(world.git('status', '--porcelain')).toBe('?? package.json');
  const written = await world.sb(['init', '--yes']);
  expect([written.code, written.stdout]).toEqual([0, asked.stdout]);
  expect((await world.sb(['config'])).stdout).toMatch(/^checks +\["npm test"\] +\.signalbox\/config\.yaml:\d+$/m);
  const again = await world.sb(['init', '--yes']);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
});

it('setup and checks of the configuration hold for prompts and plans, committed or not [CONF-5]', async () => {
  put({ 'package-lock.json': '{}\n', '.gitignore': 'installed\n' });
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'a lockfile');
  const setup = `echo ran >>'${world.path('setups')}' && mkdir installed && echo 1 >installed/version`;
  configure(`setup: ${JSON.stringify(setup)}\nchecks:\n  - test -e installed/version -a -e made\n`);
  const prompts = await world.sb(['run', 'make it', ...agent('test -e installed/version && touch made')]);
  expect(prompts.code, prompts.stdout + prompts.stderr).toBe(0);
  const wrong = await world.sb(['run', 'make it', ...agent('touch other'), '--send-backs', '0']);
  expect(wrong.code, wrong.stdout).toBe(1);
  writeFileSync(
    world.path('p.plan.yaml'),
    'name: p\ndefaults: { harness: scripted }\ntasks:\n' +
      `  a: { prompt: x, settings: { script: '[{"write": {"path": "made", "text": "x"}}]' } }\n` +
      `  b: { prompt: x, checks: [], settings: { script: '[{"write": {"path": "else", "text": "x"}}]' } }\n`,
  );
  const plan = await world.sb(['run', world.path('p.plan.yaml')]);
  expect(plan.code, plan.stdout + plan.stderr).toBe(0);
  const planned = (await world.list()).at(-1);
  expect(planned?.tasks.map(({ outcome }) => outcome?.kind)).toEqual(['succeeded', expect.any(String)]);
  expect(planned?.tasks[0]?.attempt?.checks?.find(({ check }) => check.startsWith('test-e'))).toMatchObject({
    passed: true,
  });
  // Workspaces and checks share what the first one made.
  expect(setups()).toBe(1);
});

it('a setup that fails is reported with its command [CONF-5]', async () => {
  configure('setup: echo no network >&2; false\n');
  const { code, stdout } = await world.sb(['run', 'make it', ...agent('touch made')]);
  expect(code).toBe(1);
  expect(stdout).toContain('the setup "echo no network >&2; false" failed: exit 1: no network');
});

it('a configuration that appears, changes and breaks while agents work disturbs none of them [CONF-7]', async () => {
  const working = world.start([
    'run',
    'work',
    ...agent(`while [ ! -e '${world.path('go')}' ]; do sleep 0.05; done; touch made`),
  ]);
  await until(async () => (await world.list())[0]?.tasks[0]?.state === 'active', { timeoutMs: 30_000, what: 'work' });
  configure('checks: [test -e nothing]\n');
  const next = await world.sb(['run', 'work', ...agent('touch made'), '--send-backs', '0']);
  expect(next.code, next.stdout).toBe(1);
  configure('cheks: [true]\nharness: claude\n');
  for (const args of [['work'], ['--plan', 'work']]) {
    const broken = await world.sb(['run', ...args]);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain(
      '.signalbox/config.yaml:1:1: error: "cheks" is not known here\n  did you mean "checks"?',
    );
  }
  expect((await world.sb(['config'])).code).toBe(2);
  expect((await world.sb(['ps'])).code).toBe(0);
  expect(await world.list()).toHaveLength(2);
  rmSync(join(world.repo, '.signalbox'), { recursive: true });
  world.touch('go');
  const { code, stdout, stderr } = await working.ended;
  expect(code, stdout + stderr).toBe(0);
});

it('limits of the configuration hold for runs that set none [CONF-2]', async () => {
  configure('limits: { max-parallel: 1, budget: { turns: 7 }, agents: { depth: 2 } }\n');
  await world.sb(['run', 'work', '--script', world.script([{ say: 'x' }]), '--detach']);
  const { run } = await world.ended();
  const [created] = await recordOf(world, run.id);
  expect(created).toMatchObject({
    type: 'run.created',
    run: { limits: { parallelMax: 1, budget: { turns: 7 }, children: { depthMax: 2 } } },
  });
});

it('in a repository without tests init says that nothing would prove the work; a prompt of one word runs [CONF-6]', async () => {
  const { stderr, stdout } = await world.sb(['init']);
  expect(stderr).toContain('No tests were found here: nothing would prove the work');
  expect(stdout).toContain('# checks: [make test]');
  const { code } = await world.sb(['run', 'x', ...agent('touch made')]);
  expect([code, (await world.only()).task.name]).toEqual([0, 'x']);
});

it('100 prompts are 100 tasks, each with a name of its own', async () => {
  const prompts = Array.from({ length: 100 }, (_, i) => `write note ${i}`);
  const { code, stderr } = await world.sb(['run', ...prompts, '--detach', '--script', world.script([{ say: 'x' }])]);
  expect(code, stderr).toBe(0);
  const { run } = await world.only();
  expect(new Set(run.tasks.map(({ name }) => name)).size).toBe(100);
  expect((await world.sb(['stop', run.id])).code).toBe(0);
  await world.ended();
});
