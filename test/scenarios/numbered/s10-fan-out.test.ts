// S10: fan-out. Plans that would become hundreds of agents meet two caps: how many at once, and how many ever. Both hold over a
// kill of the daemon; a task that does not start says why, and a person is notified once.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { recordOf, runEnd, runOf, submit } from '../spending/limits-world.ts';
import { waitsFor } from '../world/wait-words.ts';

let world: World;

beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '50' });
  await world.up();
});

afterEach(() => world.close());

const timeoutMs = 120_000;
const [atOnce, ever, wanted] = [sized(4, 20), sized(6, 25), 361];

it('S10: five tasks that would become 361 become as many as the limit allows, over a restart [BUD-4] [BUD-20]', async () => {
  const items = Array.from({ length: wanted - 5 }, (_, i) => `n${i}`);
  const script = (...steps: object[]) => ({ settings: { script: JSON.stringify(steps) } });
  const leads = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    name,
    prompt: name,
    ...script({ write: { path: name, text: 'x' } }),
  }));
  const many = { name: 'many', prompt: 'one of many', kind: 'matrix', items, needs: ['a'], keeps: false } as const;
  const waiting = script({ waitFor: world.path('go') });
  const { id } = await submit(world, [...leads, { ...many, ...waiting }], 'many', { agents: ever }, atOnce);
  const agentsEver = async () => (await recordOf(world, id)).filter(({ type }) => type === 'agent.created').length;
  await until(async () => (await agentsEver()) === ever, { timeoutMs, what: 'as many agents as there may ever be' });
  expect(world.agents().length).toBeLessThanOrEqual(atOnce);

  await world.killDaemon();
  await world.up();
  world.touch('go');
  const openTasks = async () => (await runOf(world, id)).tasks.filter(({ state }) => state === 'ready');
  await until(async () => world.agents().length === 0 && (await openTasks()).length === wanted - ever, {
    timeoutMs,
    what: 'all that may work to have worked',
  });
  const words = `budget: the budget of the run is exhausted: ${ever} of ${ever} agents`;
  for (const task of await openTasks()) expect(waitsFor(task)).toBe(words);
  expect(await agentsEver()).toBe(ever);
  const told = (await recordOf(world, id)).filter(({ type }) => type === 'ask.opened');
  expect(told).toHaveLength(1);
  const inbox = await world.sb(['inbox']);
  expect(inbox.code).toBe(3);
  expect(inbox.stdout).toContain(`signalbox budget ${id} --agents`);
  await world.sb(['stop', id]);
  expect((await runEnd(world, id, timeoutMs)).outcome).toBe('stopped');
  expect(await agentsEver()).toBe(ever);
});
