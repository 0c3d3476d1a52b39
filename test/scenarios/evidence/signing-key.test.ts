// A key that cannot be used keeps work from integration, says why, and loses nothing.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { detached, recordOf, runEnd } from '../spending/limits-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

it('work waits for a damaged signing key, which is reported, and is integrated when it is fixed [PROV-2]', async () => {
  const directory = join(world.home, 'signing');
  for (const path of [world.home, directory]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(directory, 'key.pem'), 'this was a key\n', { mode: 0o600 });
  const script = world.script([{ write: { path: 'a.txt', text: 'a\n' } }]);
  const { id } = await detached(world, ['x', '--script', script]);
  const failed = await until(async () => (await recordOf(world, id)).find(({ type }) => type === 'effect.failed'), {
    timeoutMs: 30_000,
    what: 'it to be told',
  });
  expect(failed).toMatchObject({ effect: 'integrate', code: 'key_unusable' });
  expect(failed).toMatchObject({
    message: expect.stringMatching(/restore it from a backup, or move its directory away/),
  });
  rmSync(directory, { recursive: true });
  const run = await runEnd(world, id);
  expect(run.outcome).toBe('succeeded');
  expect((await world.sb(['verify', id])).code).toBe(0);
});
