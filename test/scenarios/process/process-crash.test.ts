// The supervisor is a real process that is killed with -9, over and over; the launch must not notice.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LaunchSpec } from '../../../src/ports/launch-port.ts';
import { until } from '../../until.ts';
import { collect, compiledLaunches, fileHolds, kinds, never, openWorld, readOr, type World } from './process-world.ts';

const supervisorPath = join(import.meta.dirname, 'process-supervisor.mjs');
let modules: string;
beforeAll(() => {
  modules = compiledLaunches();
});

describe.each(kinds)('a %s launch', (kind) => {
  let world: World;
  beforeEach(() => {
    world = openWorld(kind);
  });
  afterEach(() => world.close());

  const journal = () => join(world.home, 'journal');
  const done = () => join(world.home, 'done');

  function supervise(spec: LaunchSpec, extra: { closeInherited?: true; stdio?: 'pipe' } = {}): ChildProcess {
    const task = { kind, root: world.root, spec, journal: journal(), done: done(), ...extra };
    return spawn(process.execPath, [supervisorPath, modules, JSON.stringify(task)], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit', extra.stdio ?? 'ignore', extra.stdio ?? 'ignore'],
    });
  }

  it('loses and doubles no line of 10,000 while its supervisor is killed again and again [PROC-2] [PROC-3]', async () => {
    // Its last lines wait until there were kills enough, on however slow a machine.
    const program = `let n = 0; const timer = setInterval(() => {
      if (n === 9980 && !require('fs').existsSync('enough')) return;
      let text = ''; for (let i = 0; i < 20; i += 1) text += 'line ' + ++n + ' ' + 'é'.repeat(n % 97) + '\\n';
      process.stdout.write(text); if (n === 10000) { clearInterval(timer); process.exitCode = 42 } }, 15)`;
    const spec = world.spec(['node', '-e', program]);
    let kills = 0;
    while (readOr(done(), '') === '') {
      const supervisor = supervise(spec);
      const exited = once(supervisor, 'exit');
      if (kills < 100) {
        await once(supervisor.stdout ?? supervisor, 'data');
        await Promise.race([exited, delay(Math.random() * 150)]);
        // The whole process group, as a closing terminal or an impatient parent would.
        if (supervisor.exitCode === null && supervisor.pid) {
          process.kill(-supervisor.pid, 'SIGKILL');
          kills += 1;
          if (kills === 20) writeFileSync(join(world.work, 'enough'), '');
        }
      }
      await exited;
    }
    expect(kills).toBeGreaterThanOrEqual(20);
    expect(JSON.parse(readFileSync(done(), 'utf8'))).toEqual({ kind: 'ended', status: 42 });
    const records = readFileSync(journal(), 'utf8').trimEnd().split('\n');
    const lines = records.flatMap((record) => JSON.parse(record).lines as string[]);
    expect(lines.length).toBe(10_000);
    expect(lines).toEqual(Array.from({ length: 10_000 }, (_, i) => `line ${i + 1} ${'é'.repeat((i + 1) % 97)}`));
  });

  it('runs exactly once wherever in its start the supervisor is killed [PROC-1]', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 24; round += 1) {
      const spec = world.sh(`echo ran >>ran-${round}; read -r line`);
      const supervisor = supervise(spec);
      const exited = once(supervisor, 'exit');
      await once(supervisor.stdout ?? supervisor, 'data');
      const from = performance.now();
      // From before the directory exists to well after the claim.
      while (performance.now() - from < round * 4) await new Promise((resolve) => setImmediate(resolve));
      supervisor.kill('SIGKILL');
      await exited;
      seen.add((await world.launches.look(spec.launchId)).kind);
      expect((await world.launches.start(spec, never)).kind).toBe('alive');
      await fileHolds(join(world.work, `ran-${round}`));
      await world.launches.write(spec.launchId, 0, 'go\n');
      expect((await collect(world.launches, spec.launchId)).ending).toEqual({ kind: 'ended', status: 0 });
      expect(readFileSync(join(world.work, `ran-${round}`), 'utf8')).toBe('ran\n');
    }
    expect([...seen].sort()).toEqual(['absent', 'alive']);
  });

  it('inherits no descriptor that the starter of its supervisor left open', async () => {
    // The shell's own descriptors on its program close when it starts one.
    const spec = world.spec(['ls', '-l', '/proc/self/fd']);
    await once(supervise(spec, { closeInherited: true, stdio: 'pipe' }), 'exit');
    const { lines } = await collect(world.launches, spec.launchId);
    const links = lines.filter((line) => line.includes(' -> ') && !line.includes(' -> /proc/'));
    const names = links.map((link) => / (\d+) -> (?:pipe:\[\d+\]|.*\/pair\.fifo(?: \(deleted\))?)$/.exec(link)?.[1]);
    expect(names).toEqual(['0', '1', '2']);
  });

  it('is adopted by a new supervisor, which stops it', async () => {
    const spec = world.sh('echo up; while :; do sleep 0.1; done');
    const supervisor = supervise(spec);
    await until(() => readOr(journal(), '') !== '', { timeoutMs: 20_000, what: 'the first commit' });
    supervisor.kill('SIGKILL');
    await once(supervisor, 'exit');
    expect((await world.launches.look(spec.launchId)).kind).toBe('alive');
    expect(await world.launches.list()).toEqual([spec.launchId]);
    await world.launches.signal(spec.launchId, 'kill');
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'ended', status: 137 });
  });
});
