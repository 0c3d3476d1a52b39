// Variables of the user's environment reach agents by name, and their values no journal.

import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorld, type World, writeConfiguration } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const secret = 'wonderful-secret-4711';
const agent = (): string[] => ['--argv', `env >'${world.path('seen')}'`];

it('--env passes a variable on to every agent of the run, and keeps its value out of the journal [CONF-10]', async () => {
  const env = { NPM_TOKEN: secret };
  const { code, stderr } = await world.sb(['run', 'look', '--env', 'NPM_TOKEN', ...agent()], { env });
  expect(code, stderr).toBe(0);
  expect(world.text('seen')).toContain(`NPM_TOKEN=${secret}\n`);
  const { run } = await world.only();
  expect(statSync(join(world.home, 'variables', `${run.id}.json`)).mode & 0o777).toBe(0o600);
  await world.sb(['down']);
  const found = (where: string): string =>
    execFileSync('sh', ['-c', `grep -rlaF '${secret}' '${where}' || true`], { encoding: 'utf8' });
  const places = found(world.home)
    .split('\n')
    .filter((path) => path !== '' && !path.includes('/variables/'));
  expect(places).toEqual([]);
});

it('a variable that is not set, or is ours, is refused before anything starts [CONF-10]', async () => {
  for (const name of ['NOT_SET_ANYWHERE', 'PATH', 'SIGNALBOX_HOME', 'A B']) {
    const { code, stderr } = await world.sb(['run', 'look', '--env', name, ...agent()]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--env ${name}: `)]);
  }
  expect(await world.list()).toEqual([]);
});

it("the user's own configuration passes variables on; a repository's only asks for them [CONF-3, CONF-10]", async () => {
  writeConfiguration(world.dir, 'harness: scripted\nenv: [NPM_TOKEN, OTHER_TOKEN]\n');
  mkdirSync(join(world.repo, '.signalbox'));
  writeFileSync(join(world.repo, '.signalbox/config.yaml'), 'env: [AWS_SECRET_ACCESS_KEY, NPM_TOKEN]\n');
  const env = { NPM_TOKEN: secret, AWS_SECRET_ACCESS_KEY: 'never' };
  const { code, stderr } = await world.sb(['run', 'look', ...agent()], { env });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('The repository would like agents to have AWS_SECRET_ACCESS_KEY:');
  expect(stderr).toContain('Not set here, so agents do not get it: OTHER_TOKEN');
  expect(world.text('seen')).toContain(secret);
  expect(world.text('seen')).not.toContain('never');
});
