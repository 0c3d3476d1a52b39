// A block of ports for each attempt: no two have the same, and none is given that is in use.

import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import { type Ground, makeDirectory, never, orderFor } from './git-repositories.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory();
});
afterEach(() => ground.remove());

const prepare = (n: number) => ground.workspaces.prepare(orderFor(ground, n), never);
const environment = (n: number) => ground.workspaces.environment(`attempt_1-${n}`);
const firstOf = async (n: number) => Number((await environment(n))['SIGNALBOX_PORT']);
const held = () => readdir(join(ground.root, 'ports'));

it('concurrent attempts have blocks of ten ports that do not overlap, also after a restart [WS-12]', async () => {
  await Promise.all([1, 2, 3, 4].map(prepare));
  const all = (await Promise.all([1, 2, 3, 4].map(environment))).flatMap((each) => Object.values(each));
  expect(all).toHaveLength(40);
  expect(new Set(all).size).toBe(40);
  const told = await environment(1);
  expect(Object.keys(told).slice(0, 3)).toEqual(['SIGNALBOX_PORT', 'SIGNALBOX_PORT_1', 'SIGNALBOX_PORT_2']);
  const reopened = await openWorkspaces({ root: ground.root });
  await reopened.prepare(orderFor(ground, 1), never);
  expect(await reopened.environment('attempt_1-1')).toEqual(told);
});

it('a block is free again when the work is saved [WS-12]', async () => {
  await prepare(1);
  expect(await held()).toHaveLength(1);
  await ground.workspaces.save(orderFor(ground, 1), never);
  expect(await held()).toEqual([]);
  expect(await environment(1)).toEqual({});
  // An attempt that goes on has ports again.
  await prepare(1);
  expect(await held()).toHaveLength(1);
});

it('a block with a port in use is not assigned [WS-12]', async () => {
  await prepare(1);
  const first = await firstOf(1);
  await ground.workspaces.save(orderFor(ground, 1), never);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(first + 7, '127.0.0.1', resolve));
  try {
    await prepare(1);
    expect(await firstOf(1)).not.toBe(first);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
