// Measuring and freezing launches, on real processes.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LineBatch } from '../../../src/ports/launch-port.ts';
import { measureAll } from '../../../src/process/table/measure.ts';
import { until } from '../../until.ts';
import { kinds, never, openWorld, type World } from './process-world.ts';

const hoarder = `const kept = []; for (let i = 0; i < 8; i++) kept.push(Buffer.alloc(16 << 20, 1));
  require('child_process').spawn('sleep', ['1000']); console.log('ready'); setInterval(() => kept.length, 1000);`;

describe.each(kinds)('a %s launch', (kind) => {
  let world: World;
  beforeEach(() => {
    world = openWorld(kind);
  });
  afterEach(() => world.close());

  it('is measured with all its processes: memory, processes, output [CAP-1]', async () => {
    const spec = world.spec([process.execPath, '-e', hoarder]);
    await world.launches.start(spec, never);
    const measure = await until(
      async () => {
        const found = (await measureAll(world.root, [spec.launchId])).get(spec.launchId);
        return found !== undefined && found.outBytes > 0 && found.processes >= 2 ? found : null;
      },
      { what: 'it has printed and started its child' },
    );
    expect(measure.memoryBytes).toBeGreaterThan(128 << 20);
    expect(measure.memoryBytes).toBeLessThan(600 << 20);
    expect(measure.outBytes).toBe(6);
    await world.launches.signal(spec.launchId, 'kill');
    expect((await measureAll(world.root, [spec.launchId, 'nobody'])).size).toBe(0);
  });

  it('that is idle is not measured each time, but as soon as it prints', async () => {
    const spec = world.sh('echo up; read line <go; echo more; exec sleep 1000');
    const go = join(world.work, 'go');
    execFileSync('mkfifo', [go]);
    await world.launches.start(spec, never);
    const [lines, leaving] = [[] as string[], new AbortController()];
    const keep = async (batch: LineBatch) => void lines.push(...batch.lines);
    const watching = world.launches.watch(spec.launchId, 0, keep, leaving.signal).catch(() => undefined);
    const look = async () => (await measureAll(world.root, [spec.launchId])).get(spec.launchId);
    await until(() => lines.includes('up'), { what: 'it is up' });
    const isStill = async () => {
      const measure = await look();
      // The very same object: nothing was measured.
      return measure !== undefined && measure === (await look());
    };
    await until(isStill, { what: 'it does nothing' });
    await writeFile(go, 'go\n');
    await until(() => lines.includes('more'), { what: 'it goes on' });
    expect((await look())?.outBytes).toBe(8);
    leaving.abort();
    await watching;
  });

  it('is frozen with all its processes, goes on when thawed, and can be killed while frozen [CAP-3]', async () => {
    const ticker = world.sh('while :; do echo tick; sleep 0.01; done');
    await world.launches.start(ticker, never);
    const bytes = () => Buffer.byteLength(world.file(ticker.launchId, 'out'));
    await until(() => bytes() > 0, { what: 'it ticks' });
    await world.launches.freeze(ticker.launchId);
    const states = async () =>
      (await world.marked(ticker.launchId))
        .map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0])
        .filter((state) => state === 'T');
    expect((await states()).length).toBeGreaterThan(0);
    const frozenAt = bytes();
    await world.launches.freeze(ticker.launchId);
    expect(bytes()).toBe(frozenAt);
    await world.launches.thaw(ticker.launchId);
    await until(() => bytes() > frozenAt, { what: 'it ticks again' });
    await world.launches.freeze(ticker.launchId);
    await world.launches.signal(ticker.launchId, 'kill');
    expect(await world.marked(ticker.launchId)).toEqual([]);
  });
});
