// A daemon keeps the environment that it was started with: a command whose own has changed says so, in one line.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

it('variables that changed after the daemon started are named with what to do, never with their values [CONF-11]', async () => {
  const run = (env: Record<string, string> = {}) => world.sb(['run', 'look', '--argv', 'true'], { env });
  expect((await run()).stderr.split('\n')).toEqual(['Agent: a command (--argv)', '']);
  const path = `/elsewhere:${world.env['PATH']}`;
  const { stderr } = await run({ PATH: path, ANTHROPIC_API_KEY: 'sk-ant-api-new', EDITOR: 'vi' });
  const [, line = ''] = stderr.split('\n');
  expect(line).toMatch(/^(PATH, ANTHROPIC_API_KEY|ANTHROPIC_API_KEY, PATH) have changed since the daemon started/);
  expect(line).toContain('"signalbox down", then this command again');
  expect(stderr).not.toContain('sk-ant-api-new');
  expect((await world.sb(['status', '--json'], { env: {} })).stdout).not.toContain('sk-ant-api-new');
  await world.sb(['down']);
  expect((await run({ PATH: path, ANTHROPIC_API_KEY: 'sk-ant-api-new' })).stderr).not.toContain('changed since');
});
