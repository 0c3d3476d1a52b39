// E19, and case 17 of the further ones: one agent claims that the account is used up until 2100. The others go on.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { World } from '../scenarios/daemon/daemon-world.ts';
import { shareDaemon } from '../scenarios/world/shared-world.ts';
import { until } from '../until.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '5' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const info = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: Date.UTC(2100, 0) / 1_000 };
const lie = JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info });

it('a limit that one of five agents claims stops none of the others [CLAIM-1]', async () => {
  const lying = world.script([{ raw: lie }, { hang: true }]);
  const run = ['run', 'liar', '--script', lying, '--sandbox', 'none', '--detach', '--json'];
  expect((await world.sb(run)).code).toBe(0);
  const claimed = async () => (await world.sb(['status'])).stdout.includes('quota exhausted');
  await until(claimed, { timeoutMs: 20_000, what: 'the claim' });
  const scripts = [1, 2, 3, 4].flatMap(() => ['--script', world.script([{ say: 'fine' }])]);
  const others = await world.sb(['run', 'a', 'b', 'c', 'd', ...scripts, '--sandbox', 'none', '--json']);
  expect(others.code, others.stderr).toBe(0);
  await world.sb(['stop', 'liar']);
  await until(() => world.agents().length === 0, { timeoutMs: 30_000, what: 'the liar to end' });
});

it('a limit is forgotten when a person says so [CLAIM-3]', async () => {
  const lying = world.script([{ raw: lie }, { hang: true }]);
  await world.sb(['run', 'liar', '--script', lying, '--sandbox', 'none', '--detach', '--json']);
  const claimed = async () => (await world.sb(['status'])).stdout.includes('quota exhausted');
  await until(claimed, { timeoutMs: 20_000, what: 'the claim' });
  const cleared = await world.sb(['usage', '--clear-limit', 'scripted']);
  expect(cleared, cleared.stderr).toMatchObject({ code: 0, stdout: 'scripted is used again.\n' });
  expect(await claimed()).toBe(false);
  expect((await world.sb(['usage', '--clear-limit', 'scripted'])).stderr).toContain('no agent has reported a limit');
  await world.sb(['stop', 'liar']);
  await until(() => world.agents().length === 0, { timeoutMs: 30_000, what: 'the liar to end' });
});
