// S19: shared state. Many agents that start at once and for long leave every file whole, at every moment; and of all who
// race for one launch exactly one gets it.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeNamespace } from '../../../src/process/confine.ts';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import { openWorld, readOr, type World } from '../daemon/daemon-world.ts';

import { compiledLaunches } from '../process/process-world.ts';

const agents = 11;
const starts = sized(10, 1_000);

describe('S19: many concurrent starts', () => {
  let world: World;

  beforeEach(() => {
    world = openWorld({ SIGNALBOX_SLOTS: String(agents) });
  });

  afterEach(() => world.close());

  it(`S19: ${agents} clients with ${starts} agents each leave every file whole at any moment`, {
    timeout: 120_000 + agents * starts * 1_500,
  }, async () => {
    const script = world.script([
      { say: 'I remember this.' },
      { write: { path: 'one', text: '1' } },
      { write: { path: 'two', text: '2' } },
    ]);
    const looked = { files: 0, torn: [] as string[], over: false };
    // All clients begin on a fresh home: the first of them start the daemon, together.
    const clients = Array.from({ length: agents }, async () => {
      for (let n = 0; n < starts; n += 10) {
        const prompts = Array.from({ length: Math.min(10, starts - n) }, (_, i) => `task ${n + i}`);
        const { code, stderr } = await world.sb(['run', ...prompts, '--script', script, '--json']);
        expect(code, stderr).toBe(0);
      }
    });
    const all = Promise.all(clients).finally(() => (looked.over = true));
    await until(
      async () => {
        lookAtFiles(world.home, looked);
        // A look costs more than a pause of `until`, and the agents need the machine.
        await delay(50);
        return looked.over;
      },
      { timeoutMs: 100_000 + agents * starts * 1_500, what: 'all clients to end' },
    );
    await all;
    lookAtFiles(world.home, looked);
    expect(looked.torn).toEqual([]);
    expect(looked.files).toBeGreaterThan(agents * starts);
    const sessions = readdirSync(join(world.home, 'agents'));
    expect(sessions).toHaveLength(agents * starts);
    const ids = sessions.map((agent) => {
      const file = join(world.home, 'agents', agent, 'session.json');
      return (JSON.parse(readFileSync(file, 'utf8')) as { id?: string; sessionId?: string }).id;
    });
    expect(new Set(ids).size).toBe(agents * starts);
    expect(await world.sb(['verify'])).toMatchObject({ code: 0 });
  });
});

/** Reads what agents and daemon keep for each other as JSON, as anybody might at any time. */
function lookAtFiles(home: string, looked: { files: number; torn: string[] }): void {
  for (const agent of listed(join(home, 'agents'))) check(join(home, 'agents', agent, 'session.json'), looked);
  check(join(home, 'daemon.json'), looked);
}

function check(file: string, looked: { files: number; torn: string[] }): void {
  const text = readOr(file, 'null');
  try {
    JSON.parse(text);
    looked.files += 1;
  } catch {
    looked.torn.push(`${file}: ${JSON.stringify(text.slice(0, 200))}`);
  }
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const { works: hasNamespaces } = await probeNamespace();
const racers = 5;
const startsEach = 10;
const races = sized(10, 1_000);

describe.each(hasNamespaces ? ['plain', 'namespace'] : ['plain'])('S19: a race for one launch (%s)', (kind) => {
  it(`S19: of ${racers * startsEach} concurrent starts of one launch exactly one succeeds, ${races} times [PROC-1]`, {
    timeout: 120_000 + races * 3_000,
  }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'signalbox-race-'));
    const modules = compiledLaunches();
    const team = Array.from({ length: racers }, () => openRacer(modules, place, kind));
    try {
      for (let n = 1; n <= races; n++) {
        const seen = (await Promise.all(team.map((racer) => racer.race(`race-${n}`)))).flat();
        expect(seen).toHaveLength(racers * startsEach);
        // All see the same process, or that it has ended.
        const pids = new Set(seen.flatMap(({ identity }) => identity?.pid ?? []));
        expect(pids.size, JSON.stringify(seen)).toBeLessThanOrEqual(1);
        await until(() => readOr(join(place, 'launches', `race-${n}`, 'rc')) === '0\n', { what: `race ${n} to end` });
        expect(readOr(join(place, `ran-race-${n}`))).toBe('ran\n');
      }
    } finally {
      await Promise.all(team.map((racer) => racer.close()));
      await until(() => processesAt(place) === 0, { timeoutMs: 20_000, what: 'all shims to be gone' });
      rmSync(place, { recursive: true, force: true });
    }
  });
});

interface Seen {
  readonly kind: string;
  readonly identity?: { readonly pid: number };
}

/** A process of its own that starts the given launch, many times at once. */
function openRacer(
  modules: string,
  place: string,
  kind: string,
): { race(launchId: string): Promise<Seen[]>; close(): Promise<void> } {
  const program = resolve(import.meta.dirname, '../spending/limits-racer.mjs');
  const child = spawn(process.execPath, [program, modules, place, kind, String(startsEach)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((done) => child.once('close', () => done()));
  const waiting: ((seen: Seen[]) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Seen[]));
  return {
    race: (launchId) =>
      new Promise((done) => {
        waiting.push(done);
        child.stdin.write(`${launchId}\n`);
      }),
    async close() {
      child.stdin.end();
      await gone;
    },
  };
}

function processesAt(place: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readOr(`/proc/${pid}/cmdline`).includes(place)).length;
}
