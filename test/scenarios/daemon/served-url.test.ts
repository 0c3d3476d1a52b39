// An agent that serves something on a port of its block: people are shown where.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from './daemon-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const server = 'require("net").createServer().listen(+process.env.SIGNALBOX_PORT_1, "127.0.0.1")';

it.runIf(process.platform === 'linux')('the URL is shown while something listens, and only then [WS-21]', async () => {
  const script = world.script([
    { write: { path: world.path('begun'), text: '' } },
    { waitFor: world.path('serve') },
    { run: `node -e '${server}' >/dev/null 2>&1 &` },
    { waitFor: world.path('go') },
  ]);
  await world.sb(['run', 'web', '-d', '--script', script]);
  await until(() => world.agents().length === 1, { timeoutMs: 30_000, what: 'the agent' });
  expect((await world.only()).task.attempt?.url).toBe(null);
  world.touch('serve');
  const url = async () => (await world.only()).task.attempt?.url ?? null;
  const shown = await until(url, { timeoutMs: 30_000, what: 'the URL' });
  expect(shown).toMatch(/^http:\/\/localhost:2\d{3}[1]$/);
  expect((await world.sb(['ps'])).stdout).toContain(`, ${shown}`);
  world.touch('go');
  expect((await world.ended()).task.attempt?.url).toBe(null);
});
