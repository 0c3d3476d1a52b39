// People are reminded of what they have not answered, also by a daemon that was killed, and not after the answer.

import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, readOr, type World, writeConfiguration } from '../daemon/daemon-world.ts';
import { runEnd, submit } from '../spending/limits-world.ts';
import { inboxOf } from '../world/inbox-world.ts';

let world: World;
afterEach(() => world.close());

it('an ask that nobody answers is notified of again, once per period and over kill -9 [ASK-10]', async () => {
  world = openWorld({ SIGNALBOX_NOTIFY: 'cat >>"$SIGNALBOX_HOME/told"' });
  await world.up();
  const { id } = await submit(world, [{ name: 'g', prompt: 'g', kind: 'gate', gate: { message: 'Ship it?' } }]);
  const lines = (): string[] =>
    readOr(join(world.home, 'told'))
      .split('\n')
      .filter((line) => line.includes('"asks'));
  // Set while the daemon runs and the ask is open.
  writeConfiguration(world.dir, 'harness: scripted\nremind: 0.02\n');
  const keys = (): string[] => lines().map((line) => (JSON.parse(line) as { key: string }).key);
  await until(() => keys().length >= 3, { timeoutMs: 20_000, what: 'two reminders' });
  const before = keys().length;
  await world.killDaemon();
  await world.up();
  await until(() => keys().length > before + 1, { timeoutMs: 20_000, what: 'reminders of the next daemon' });
  const [ask] = await inboxOf(world);
  expect((await world.sb(['approve', ask?.id ?? ''])).code).toBe(0);
  await runEnd(world, id);
  const after = keys();
  expect(after[0]).toBe(`asks ${ask?.id}`);
  expect(after.slice(1).every((key) => /#\d+$/.test(key))).toBe(true);
  // At most the one that was being told when the first daemon was killed is told again, under the same key.
  expect(new Set(after).size).toBeGreaterThanOrEqual(after.length - 1);
});
