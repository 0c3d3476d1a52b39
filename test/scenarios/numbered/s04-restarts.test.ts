// S4: an agent asks to be restarted, again and again. Before each relaunch a typed handoff is stored, the next first prompt
// has it within its bounds, and what the first generation found is known to the last.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import { sized } from '../../size.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const handoffMax = 8_000;
const padding = 'and this is what it took to find that out, told at length. '.repeat(6);

function handoff(n: number, lines: number): object {
  const found = Array.from({ length: lines }, (_, i) => `generation ${n}, ${i}: ${padding}`);
  return {
    found: [`fact ${n}: the port of service ${n} is ${4_000 + n}`, ...found],
    changed: [`src/part-${n}.ts`],
    decided: [`part ${n} stays as it is`],
    remaining: [`parts after ${n}`],
    commands: [`npm test -- part-${n}`],
  };
}

/** One session after the other; what each does is its own. */
function script(restarts: number, lines: number, last: readonly object[]): string {
  const sessions = Array.from({ length: restarts }, (_, i) => [
    { write: { path: `part-${i + 1}.txt`, text: `${i + 1}` }, session: i + 1 },
    {
      call: { tool: 'mcp__signalbox__submit_artifact', input: { kind: 'handoff', value: handoff(i + 1, lines) } },
      session: i + 1,
    },
    { say: 'restart me', session: i + 1 },
  ]);
  return world.script([...sessions.flat(), ...last.map((step) => ({ ...step, session: restarts + 1 }))]);
}

/** The first record of each process. */
function prompts(launches: readonly string[]): string[] {
  return launches.map((id) => {
    const records = readFileSync(join(world.home, 'launches', id, 'in'), 'utf8')
      .trim()
      .split('\n');
    const user = records.map((line) => JSON.parse(line) as Told).find(({ type }) => type === 'user');
    return user?.message.content ?? '';
  });
}

interface Told {
  readonly type: string;
  readonly message: { readonly content: string };
}

const handedOver = (prompt: string): string => prompt.slice(prompt.indexOf('You have worked on this before'));

function placesOf(record: readonly RunEvent[], type: RunEvent['type']): number[] {
  return record.flatMap((event, i) => (event.type === type ? i : []));
}

it('S4: five restarts without a person, and the sixth generation knows what the first found [HAND-7] [HAND-8]', async () => {
  const restarts = sized(5, 15);
  const file = script(restarts, 2, [{ write: { path: 'done.txt', text: 'all of it' } }]);
  const { code, stderr } = await world.sb(['run', 'restless', '--script', file]);
  const { run, task } = await world.only();
  expect(code, stderr).toBe(0);
  expect({ attempts: task.attempts, launches: task.attempt?.launches.length }).toEqual({
    attempts: 1,
    launches: restarts + 1,
  });
  const record = await recordOf(world, run.id);
  // Stored, and only then is there another process.
  const stored = record.flatMap((event, i) => (event.type === 'artifact.stored' && event.kind === 'handoff' ? i : []));
  const renewed = placesOf(record, 'session.renewed');
  const intended = placesOf(record, 'launch.intended').slice(1);
  expect([stored.length, renewed.length, intended.length]).toEqual([restarts, restarts, restarts]);
  stored.forEach((place, i) => {
    expect(place).toBeLessThan(renewed[i] ?? 0);
    expect(renewed[i]).toBeLessThan(intended[i] ?? 0);
  });
  const [first = '', ...later] = prompts(task.attempt?.launches ?? []);
  expect(first).toBe('restless');
  later.forEach((prompt, i) => {
    expect(prompt.startsWith('restless\n\n')).toBe(true);
    expect(handedOver(prompt).length).toBeLessThanOrEqual(handoffMax);
    for (let n = 1; n <= i + 1; n++) expect(prompt, `of ${i + 2}`).toContain(`fact ${n}: the port of service ${n} is`);
    expect(prompt).toContain(`- parts after ${i + 1}`);
    expect(prompt).not.toContain(`- parts after ${i}\n`);
  });
  expect(new Set(record.flatMap((event) => (event.type === 'agent.session' ? event.session : []))).size).toBe(
    restarts + 1,
  );
  expect(record.filter(({ type }) => type === 'agent.created')).toHaveLength(1);
  // It worked in one place, and all of it is there.
  expect(placesOf(record, 'workspace.ready')).toHaveLength(1);
  const head = `${run.branch?.head}`;
  const files = world.git('--git-dir', task.attempt?.gitDir ?? '', 'ls-tree', '--name-only', head).split('\n');
  expect(files).toEqual(expect.arrayContaining(['done.txt', 'part-1.txt', `part-${restarts}.txt`]));
});

it('S4: handoffs that are far too long leave room for the first fact, and name where the whole is [HAND-18]', async () => {
  const restarts = 5;
  const file = script(restarts, 60, [{ say: 'There is no more to do.' }]);
  expect((await world.sb(['run', 'talkative', '--script', file])).code).toBe(0);
  const { run, task } = await world.only();
  const last = prompts(task.attempt?.launches ?? []).at(-1) ?? '';
  expect(handedOver(last).length).toBeLessThanOrEqual(handoffMax);
  for (let n = 1; n <= restarts; n++) expect(last).toContain(`fact ${n}: the port of service ${n} is ${4_000 + n}`);
  const record = await recordOf(world, run.id);
  const ids = record.flatMap((event) => (event.type === 'handoff.given' ? (event.artifactId ?? []) : []));
  expect(last).toContain(`[cut: the whole is in ${ids.toReversed().join(', ')}]`);
  const whole = await world.sb(['artifact', 'show', ids[0] ?? '', '--json']);
  expect(whole.stdout).toContain('generation 1, 59');
});

it('S4: a daemon that dies in between changes nothing [HAND-7]', async () => {
  const waits = [{ waitFor: world.path('go') }, { write: { path: 'done.txt', text: 'x' } }];
  await world.sb(['run', 'restless', '--detach', '--script', script(2, 1, waits)]);
  const launches = async (): Promise<number> => (await world.only()).task.attempt?.launches.length ?? 0;
  for (let n = 0; (await launches()) < 3 && n < 200; n++) if (n % 5 === 0) await world.killDaemon();
  world.touch('go');
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(task.attempt?.launches).toHaveLength(3);
  const record = await recordOf(world, run.id);
  expect(placesOf(record, 'handoff.given')).toHaveLength(2);
  expect(prompts(task.attempt?.launches ?? []).at(-1)).toContain('fact 1: the port of service 1 is 4001');
});

it('S4: an agent that always asks for a restart is not restarted for ever [HAND-16]', async () => {
  const value = handoff(1, 0);
  const call = { tool: 'mcp__signalbox__submit_artifact', input: { kind: 'handoff', value } };
  const { code } = await world.sb(['run', 'endless', '--script', world.script([{ call }, { say: 'restart me' }])]);
  expect(code).toBe(1);
  const { task } = await world.only();
  expect(task.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'context-overflow' } });
  expect(task.attempt?.launches).toHaveLength(21);
});
