// Shims that die, descendants that flee, pids that come again.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchDir, readShim } from '../../../src/process/launch/launch-dir.ts';
import { bootId, identify, isAlive, signalProcess } from '../../../src/process/table/process-identity.ts';
import { processTable } from '../../../src/process/table/process-table.ts';
import { must } from '../../../src/std/assert.ts';
import { until } from '../../until.ts';
import { collect, fileHolds, hasNamespaces, kinds, never, openWorld, readOr, type World } from './process-world.ts';

/** Forks twice, clears environment and descriptors, leaves every group and session, ignores TERM. */
const fugitive = `setsid env -i /bin/sh -c 'trap "" TERM HUP; ( while :; do /bin/sleep 0.05; done ) </dev/null >/dev/null 2>&1 3>&- &' `;

describe.each(kinds)('a %s launch', (kind) => {
  let world: World;
  beforeEach(() => {
    world = openWorld(kind);
  });
  afterEach(() => world.close());

  const notAlive = async (launchId: string) => {
    const observation = await world.launches.look(launchId);
    return observation.kind === 'alive' ? null : observation;
  };

  it('whose shim was killed is lost, and none of its processes is left [PROC-10]', async () => {
    const spec = world.sh('setsid sleep 300 & echo up; sleep 300');
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    const shim = must(readShim(launchDir(world.root, spec.launchId)), 'a shim');
    process.kill(shim.pid, 'SIGKILL');
    expect(await collect(world.launches, spec.launchId)).toEqual({ ending: { kind: 'lost' }, lines: ['up'] });
    expect(await world.marked(spec.launchId)).toEqual([]);
    expect(await world.launches.start(spec, never)).toEqual({ kind: 'lost' });
  });

  it('whose shim is killed at any moment of its start leaves nothing', async () => {
    for (let round = 0; round < 40; round += 1) {
      const spec = world.sh('setsid sleep 300 & sleep 300');
      const dir = launchDir(world.root, spec.launchId);
      const starting = world.launches.start(spec, never);
      const shim = await until(() => readShim(dir), { timeoutMs: 20_000, what: 'the shim to name itself' });
      await delay(round / 2);
      process.kill(shim.pid, 'SIGKILL');
      await starting;
      const ending = await until(() => notAlive(spec.launchId), {
        timeoutMs: 20_000,
        what: 'the shim to be seen dead',
      });
      expect(ending).toEqual({ kind: 'lost' });
      expect(await world.marked(spec.launchId)).toEqual([]);
      expect((await processTable()).filter((row) => row.group === shim.pid && !row.zombie)).toEqual([]);
    }
  });

  it('whose directory was removed by hand is lost, and none of its processes is left [PROC-10]', async () => {
    for (const watched of [true, false]) {
      const spec = world.sh('setsid sleep 300 & echo up; sleep 300');
      const dir = launchDir(world.root, spec.launchId);
      await world.launches.start(spec, never);
      await fileHolds(dir.out);
      const shim = must(readShim(dir), 'a shim');
      const early = watched ? collect(world.launches, spec.launchId) : null;
      rmSync(dir.path, { recursive: true });
      expect((await (early ?? collect(world.launches, spec.launchId))).ending).toEqual({ kind: 'lost' });
      await until(async () => !(await isAlive(shim)), { timeoutMs: 20_000, what: 'the shim to end' });
      expect(await world.marked(spec.launchId)).toEqual([]);
      const group = (await processTable()).filter((row) => row.group === shim.pid && !row.zombie);
      expect(group).toEqual([]);
    }
  });

  it('claimed by a shim that never identified itself is lost, and cannot start afterwards', async () => {
    const spec = world.sh('echo ran');
    const dir = launchDir(world.root, spec.launchId);
    mkdirSync(dir.claim, { recursive: true });
    const leftover = spawn('sleep', ['300'], { env: { ...process.env, SIGNALBOX_SHIM: dir.mark }, stdio: 'ignore' });
    const exited = once(leftover, 'exit');
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'lost' });
    expect((await exited)[1]).toBe('SIGKILL');
    // The late shim finds this and ends.
    expect(() => mkdirSync(dir.go)).toThrow('EEXIST');
  });

  it('of another boot is lost at once, though a process has its pid [PROC-4]', async () => {
    const spec = world.sh('echo ran');
    const dir = launchDir(world.root, spec.launchId);
    mkdirSync(dir.claim, { recursive: true });
    const self = must(await identify(process.pid), 'ourselves');
    writeFileSync(dir.shim, `00000000-another-boot\n${self.pid}\n${self.start}\n`);
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'lost' });
  });

  it('is never stopped by killing another process that got its pid [PROC-4]', async () => {
    const stranger = spawn('sleep', ['300'], { stdio: 'ignore' });
    const pid = must(stranger.pid, 'a pid');
    const infos = [
      { 'child-pid': pid, start: '1' },
      { 'child-pid': pid, 'pid-namespace': 1 },
      // The right namespace, which is not the launch's own.
      { 'child-pid': pid, 'pid-namespace': Number(/\d+/.exec(readlinkSync(`/proc/${pid}/ns/pid`))?.[0]) },
    ];
    for (const info of infos) {
      const spec = world.sh('echo ran');
      const dir = launchDir(world.root, spec.launchId);
      mkdirSync(dir.claim, { recursive: true });
      mkdirSync(dir.go);
      writeFileSync(dir.shim, `${await bootId()}\n${pid}\n1\n`);
      writeFileSync(dir.info, JSON.stringify(info));
      await world.launches.signal(spec.launchId, 'term');
      await world.launches.signal(spec.launchId, 'kill');
      expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'lost' });
    }
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    const identity = must(await identify(pid), 'the stranger');
    await signalProcess({ pid, start: `${identity.start}0` }, 'SIGKILL');
    expect(await isAlive(identity)).toBe(true);
    expect(await isAlive({ ...identity, start: `${identity.start}0` })).toBe(false);
    const exited = once(stranger, 'exit');
    await signalProcess(identity, 'SIGKILL');
    await exited;
    expect(await isAlive(identity)).toBe(false);
  });

  it('with a half-written info is read again', async () => {
    const spec = world.sh('echo up; exec sleep 300');
    await world.launches.start(spec, never);
    const { info } = launchDir(world.root, spec.launchId);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    const whole = readFileSync(info, 'utf8');
    writeFileSync(info, whole.slice(0, whole.length / 2));
    const stopping = world.launches.signal(spec.launchId, 'term');
    await delay(60);
    writeFileSync(info, whole);
    await stopping;
    expect((await collect(world.launches, spec.launchId)).ending).toEqual({ kind: 'ended', status: 143 });
  });

  it('a stopped shim does not keep a launch from being killed', async () => {
    const spec = world.sh('echo up; exec sleep 300');
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    const shim = must(readShim(launchDir(world.root, spec.launchId)), 'a shim');
    process.kill(shim.pid, 'SIGSTOP');
    await world.launches.signal(spec.launchId, 'kill');
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'lost' });
  });

  it('a setsid daemon dies on kill', async () => {
    const spec = world.sh('setsid sleep 300 & echo up; sleep 300');
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    await world.launches.signal(spec.launchId, 'kill');
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'ended', status: 137 });
    expect(await world.marked(spec.launchId)).toEqual([]);
  });

  it('with a daemon that holds the output ends later, but it does end', async () => {
    const spec = world.sh(`setsid env -i /bin/sleep 9 & echo up; exit 6`);
    expect(await world.run(spec)).toEqual({ ending: { kind: 'ended', status: 6 }, lines: ['up'] });
  });
});

// What the two confinements promise differs exactly here.
describe('a daemon that forked twice and cleared its environment', () => {
  it.runIf(hasNamespaces)('dies with its namespace', async () => {
    const before = await fugitives();
    const world = openWorld('namespace');
    const spec = world.sh(`${fugitive}; echo up; sleep 300`);
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    await until(async () => (await fugitives()).length > before.length, { timeoutMs: 20_000, what: 'the fugitive' });
    await world.launches.signal(spec.launchId, 'kill');
    expect(await fugitives()).toEqual(before);
    await world.close();
  });

  it('outlives a plain launch: the documented weakness', async () => {
    const before = await fugitives();
    const world = openWorld('plain');
    const spec = world.sh(`${fugitive}; echo up; sleep 300`);
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    await world.launches.signal(spec.launchId, 'kill');
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'ended', status: 137 });
    const left = (await fugitives()).filter((pid) => !before.includes(pid));
    expect(left).toHaveLength(1);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    await world.close();
  });
});

async function fugitives(): Promise<number[]> {
  const live = (await processTable()).filter((row) => !row.zombie).map((row) => row.pid);
  return live.filter((pid) => readOr(`/proc/${pid}/cmdline`, '').startsWith('/bin/sh\0-c\0trap "" TERM HUP;'));
}
