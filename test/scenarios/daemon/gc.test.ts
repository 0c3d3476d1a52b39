// What is on the disk is listed with sizes and reasons; only what is saved and unused is removed, and saved work stays.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SpaceItemView } from '../../../src/wire/space-views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from './daemon-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const space = async (...args: string[]) => {
  const { code, stdout, stderr } = await world.sb(['gc', '--json', ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as { items: SpaceItemView[]; removed: SpaceItemView[] };
};

it('a running workspace is kept, an ended one goes, and its work is still there [WS-41]', async () => {
  const write = { write: { path: 'made.txt', text: 'made' } };
  const [done, open] = [world.script([write]), world.script([write, { waitFor: world.path('go') }])];
  expect((await world.sb(['run', 'done', '--script', done])).code).toBe(0);
  const { task } = await world.only();
  await world.sb(['run', 'open', '--detach', '--script', open]);
  await until(() => world.agents().length === 1, { timeoutMs: 20_000, what: 'the second to be at work' });

  const before = await space('--dry-run');
  expect(before.removed).toEqual([]);
  const workspaces = before.items.filter(({ kind }) => kind === 'workspace');
  const held = workspaces.find(({ name }) => name !== task.attempt?.id);
  expect(held).toMatchObject({ removable: false });
  expect((await world.sb(['gc', '--dry-run'])).stdout).toMatch(/KiB +kept +workspace/);

  const { removed } = await space();
  expect(removed.map(({ path }) => path)).not.toContain(held?.path);
  for (const { path } of removed) await until(() => !existsSync(path), { what: `${path} to be gone` });
  expect(existsSync(held?.path ?? '')).toBe(true);
  const { gitDir = '', ref } = task.attempt ?? {};
  expect(world.git('--git-dir', gitDir, 'show', `${ref}:made.txt`)).toBe('made');
  const busy = await world.sb(['rm', 'open']);
  expect(busy.code).toBe(2);
  expect(busy.stderr).toContain('has not ended');
  world.touch('go');
  const haveEnded = async () => (await world.list()).every(({ state }) => state === 'ended');
  await until(haveEnded, { timeoutMs: 30_000, what: 'both to end' });
});

it('rm removes the workspaces of ended tasks, and says so twice [WS-41]', async () => {
  expect((await world.sb(['run', 'one', '--script', world.script([{ say: 'hi' }])])).code).toBe(0);
  const { task } = await world.only();
  const gone = await world.sb(['rm', 'one/one']);
  expect(gone.code, gone.stderr).toBe(0);
  expect(gone.stdout).toMatch(/Removed 1 workspace, .*KiB/);
  await until(() => !existsSync(task.attempt?.workspace ?? ''), { what: 'it to be gone' });
  expect((await world.sb(['rm', 'one/one'])).stdout).toContain('Removed 0 workspaces');
  expect((await world.sb(['logs', 'one'])).stdout).toContain('hi');
});
