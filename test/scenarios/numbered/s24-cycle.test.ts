// S24, the part about plans: tasks that wait for each other in a circle are refused at once, with the circle named, by the
// plan's check, by `run`, and by the daemon itself.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const circle = `name: round
tasks:
  build: { prompt: build, needs: [ship] }
  test: { prompt: test, needs: [build] }
  ship: { prompt: ship, needs: [test] }
`;

it('S24: a plan with a cycle is refused at once, with the cycle and its place [PLAN-3]', async () => {
  writeFileSync(join(world.repo, 'round.plan.yaml'), circle);
  for (const args of [
    ['plan', 'check', 'round.plan.yaml'],
    ['run', 'round.plan.yaml'],
    ['run', 'round.plan.yaml', '--stubs'],
  ]) {
    const { code, stderr } = await world.sb(args);
    expect(code, args.join(' ')).toBe(2);
    expect(stderr).toMatch(
      /round\.plan\.yaml:3:\d+: error: these wait for each other: "build" needs "ship" needs "test" needs "build"/,
    );
  }
  expect(await world.list()).toEqual([]);
});

it('S24: the daemon refuses a cycle too, from any client [GRAPH-6]', async () => {
  await world.up();
  const task = (name: string, needs: string[]) => ({ name, prompt: name, needs });
  const tasks = [task('build', ['ship']), task('test', ['build']), task('ship', ['test'])];
  const request = { id: clientIds.run(), name: 'round', repo: { path: world.repo }, tasks };
  const { status, body } = await ask(world, 'POST', '/runs', request);
  expect(status).toBe(409);
  expect(JSON.stringify(body)).toContain('build → ship → test → build');
  expect(await world.list()).toEqual([]);
});
