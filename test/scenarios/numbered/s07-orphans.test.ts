// S7: what agents start and let go of ends with them, also after Signalbox was killed and came back; what only has the same
// name lives on.

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { allAlive, daemonsOf, endedRun, endProcess, runOf } from '../crash/storm-daemon.ts';
import { isAlive, openWorld, type World } from '../daemon/daemon-world.ts';
import { hasNamespaces } from '../process/process-world.ts';

const agentsCount = 20;
const grandchildren = 10;
const stubs = 2;
const stopMaxMs = 10_000;
const timeoutMs = 60_000;

let world: World;
let users: number[];

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: String(agentsCount) });
  users = [];
});

afterEach(async () => {
  users.forEach(endProcess);
  await world.close();
});

it.runIf(hasNamespaces)(
  `S7: ${agentsCount} agents with ${agentsCount * (grandchildren + stubs)} processes of theirs, stopped after Signalbox was killed, leave none within ${stopMaxMs / 1000} s [CLI-5] [PROC-5]`,
  async () => {
    makePrograms();
    users = ['grandchild', 'stub'].map(startAsUser);
    const prompts = Array.from({ length: agentsCount }, (_, i) => `agent ${i + 1}`);
    const script = world.script([
      { run: familyOf() },
      { append: { path: world.path('begun'), text: 'x' } },
      { waitFor: world.path('go') },
    ]);
    const started = await world.sb(['run', ...prompts, '--detach', '--script', script]);
    const runId = started.stdout.split('\n')[0] ?? '';
    await until(() => world.text('begun').length === agentsCount, { timeoutMs, what: 'all agents to begin' });
    const all = (): boolean => family().length === agentsCount * (grandchildren + stubs);
    await until(all, { timeoutMs, what: 'all their processes' });
    const agents = world.agents().map(({ pid }) => pid);
    expect(agents).toHaveLength(agentsCount);
    const before = [...agents, ...family()];

    await world.killDaemon();
    expect(allAlive(before)).toBe(true);
    await world.sb(['up']);
    const run = await runOf(world, runId);
    expect(run.tasks.map(({ attempt }) => attempt?.launchState)).toEqual(prompts.map(() => 'live'));
    expect(allAlive(before)).toBe(true);

    const stoppedAt = performance.now();
    expect(await world.sb(['stop', runId])).toMatchObject({ code: 0 });
    const survivors = (): number[] => {
      const mine = new Set([...users, ...daemonsOf(world)]);
      return world.processes().flatMap(({ pid }) => (mine.has(pid) ? [] : [pid]));
    };
    const left = stopMaxMs - (performance.now() - stoppedAt);
    await until(() => survivors().length === 0, { timeoutMs: left, what: `the end of ${survivors().join(' ')}` });
    expect(users.map(isAlive)).toEqual([true, true]);
    expect((await endedRun(world, runId)).outcome).toBe('stopped');
    expect(survivors()).toEqual([]);
  },
);

/** Programs that wait for ever without a child of their own, and are known by their path whatever their environment. */
function makePrograms(): void {
  execFileSync('mkfifo', [world.path('never')]);
  for (const name of ['grandchild', 'stub']) {
    writeFileSync(world.path(name), `#!/bin/sh\nread -r line <'${world.path('never')}'\n`);
    chmodSync(world.path(name), 0o755);
  }
}

/** Shell commands that leave ten grandchildren and two stubs, and are over at once. */
function familyOf(): string {
  const [grandchild, stub] = [world.path('grandchild'), world.path('stub')];
  const quiet = '</dev/null >/dev/null 2>&1';
  const plain = Array.from({ length: grandchildren - 2 }, () => `(${grandchild} ${quiet} &)`);
  const ownSession = `(setsid ${grandchild} ${quiet} &)`;
  const forkedTwice = `(cd / && env -i setsid sh -c '(${grandchild} &)' ${quiet} &)`;
  return [...plain, ownSession, forkedTwice, ...Array.from({ length: stubs }, () => `${stub} ${quiet} &`)].join('\n');
}

function startAsUser(name: string): number {
  const child = spawn(world.path(name), { stdio: 'ignore', detached: true });
  child.unref();
  return child.pid ?? 0;
}

function family(): number[] {
  const programs = ['grandchild', 'stub'].map((name) => world.path(name));
  return world
    .processes()
    .filter(({ pid, command }) => !users.includes(pid) && programs.some((program) => command.endsWith(` ${program}`)))
    .map(({ pid }) => pid);
}
