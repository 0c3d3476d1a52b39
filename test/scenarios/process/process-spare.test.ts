// Shims that wait for their order: what happens to them, and to their directories, when something goes wrong in between.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launchDir } from '../../../src/process/launch/launch-dir.ts';
import { discard, giveOrder, lendDirectory, takeShim } from '../../../src/process/launch/spare-shim.ts';
import { environmentText } from '../../../src/process/launch/spawn.ts';
import { until } from '../../until.ts';
import { collect, never, openWorld, type World } from './process-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld('plain');
});
afterEach(() => world.close());

const spares = () => readdirSync(world.root).filter((name) => name.startsWith('.spare-'));
const waiting = () => until(() => spares()[0] ?? null, { what: 'a shim to wait' });
const ok = { kind: 'ended', status: 0 };

it('leftovers of a dead supervisor with the same pid are removed', async () => {
  // In a container the daemon has the same pid at every start.
  const left = Array.from({ length: 50 }, (_, i) => join(world.root, `.spare-${process.pid}-${i + 1}`));
  for (const path of left) mkdirSync(path, { recursive: true });
  for (const path of left) writeFileSync(join(path, 'in'), 'old\n');
  expect(await world.run(world.sh('exit 0'))).toEqual({ ending: ok, lines: [] });
  await waiting();
  expect(spares()).toHaveLength(1);
});

it('a shim in a directory of its own writes where the launch is, whatever another supervisor ordered [PROC-1]', async () => {
  const spec = world.sh('read -r line; echo "$line"');
  const dir = launchDir(world.root, spec.launchId);
  const other = await takeShim(world.root);
  const ours = await takeShim(world.root);
  expect(lendDirectory(other, dir)).toBe(true);
  expect(lendDirectory(ours, dir)).toBe(false);
  // The other one's order comes last, and its shim too late.
  const command = `sh -c '. /dev/fd/3; exec sh -c "read -r line; echo \\$line"'`;
  writeFileSync(join(dir.path, 'order'), `export SIGNALBOX_SHIM=${dir.mark}\nwarm=yes\nset -- ${command}\n`);
  giveOrder(ours, { directory: dir.path, isLent: false }, environmentText(dir, spec));
  await until(() => readdirSync(dir.path).includes('go'), { what: 'the launch to begin' });
  discard(ours);
  discard(other);
  await world.launches.write(spec.launchId, 0, 'said\n');
  expect(await collect(world.launches, spec.launchId)).toEqual({ ending: ok, lines: ['said'] });
});

it('the next launch starts at once though all directories were removed by hand', async () => {
  await world.run(world.sh('exit 0'));
  await waiting();
  rmSync(world.root, { recursive: true });
  expect(await world.run(world.sh('echo up'))).toEqual({ ending: ok, lines: ['up'] });
});

it('many concurrent starts, some aborted, leave one waiting shim and each launch in one state', async () => {
  const specs = Array.from({ length: 6 }, () => world.sh('echo up; read -r line'));
  const starts = specs.map((spec, i) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), i);
    return world.launches.start(spec, i % 2 === 0 ? never : stop.signal);
  });
  await Promise.allSettled(starts);
  for (const spec of specs) {
    await world.launches.start(spec, never);
    await world.launches.write(spec.launchId, 0, 'end\n');
    expect(await collect(world.launches, spec.launchId)).toEqual({ ending: ok, lines: ['up'] });
  }
  await until(() => spares().length === 1, { what: 'one shim to wait' });
});
