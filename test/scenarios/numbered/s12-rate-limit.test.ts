// S12: a service that refuses. What one agent learns of its account all agents of it know, over all runs and over a kill of
// the daemon: they wait without a process, one tries, all go on with the sessions they had.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { detached, recordOf, runEnd, runOf, submit, taskNamed } from '../spending/limits-world.ts';
import { waitsFor } from '../world/wait-words.ts';

let world: World;

beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '8' });
  await world.up();
});

afterEach(() => world.close());

const timeoutMs = 90_000;
const done = { write: { path: 'done', text: 'yes' } };
const script = (...steps: object[]) => ({ settings: { script: JSON.stringify(steps) } });

/** Launches, in the order of the journal, with the time of their intent. */
function launchesOf(record: readonly RunEvent[]): { launchId: string; resume: boolean; at: number }[] {
  return record.flatMap((event) => (event.type === 'launch.intended' ? [event] : []));
}

function of<T extends RunEvent['type']>(record: readonly RunEvent[], type: T): Extract<RunEvent, { type: T }>[] {
  return record.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

const outcomes = (run: RunView) => run.tasks.map(({ outcome }) => outcome?.kind);

describe('S12: eight agents of which six get 429', () => {
  it('fall back to few, try again once each and window, and all finish in their sessions [QUOTA-1] [QUOTA-3]', async () => {
    const refused = [{ waitFor: world.path('now') }, { refuse: { status: 429, times: 2, delayMs: 20 } }, done];
    const calm = [{ waitFor: world.path('go') }, done];
    const names = Array.from({ length: 8 }, (_, i) => `t${i}`);
    const tasks = names.map((name, i) => ({ name, prompt: name, ...script(...(i < 6 ? refused : calm)) }));
    const { id } = await submit(world, tasks);
    await until(() => world.agents().length === 8, { timeoutMs, what: 'eight agents at work' });
    world.touch('now');
    await until(async () => of(await recordOf(world, id), 'attempt.parked').length >= 6, {
      timeoutMs,
      what: 'six parked',
    });
    world.touch('go');
    const run = await runEnd(world, id, timeoutMs);
    expect(outcomes(run)).toEqual(names.map(() => 'succeeded'));
    expect(run.tasks.map(({ attempts }) => attempts)).toEqual(names.map(() => 1));
    const record = await recordOf(world, id);
    const again = launchesOf(record).filter(({ resume }) => resume);
    expect(again).toHaveLength(6);
    // Between a refusal and the first try lies a window of a second or more, and only one agent tries.
    const last = Math.max(...of(record, 'attempt.limited').map(({ at }) => at));
    const tries = launchesOf(
      record.slice(
        0,
        record.findIndex(({ type }) => type === 'attempt.served'),
      ),
    );
    expect(tries.filter(({ resume }) => resume)).toHaveLength(1);
    expect((tries.at(-1)?.at ?? 0) - last).toBeGreaterThanOrEqual(1_000);
  });

  it('with a service that never recovers try ever more rarely, one at a time [QUOTA-2] [QUOTA-8]', async () => {
    const never = script({ refuse: { status: 529, delayMs: 10 } });
    const { id } = await submit(
      world,
      ['a', 'b', 'c', 'd'].map((name) => ({ name, prompt: name, ...never })),
    );
    const tries = async () => launchesOf(await recordOf(world, id)).filter(({ resume }) => resume);
    await until(async () => (await tries()).length >= 3, { timeoutMs, what: 'three tries' });
    const times = (await tries()).map(({ at }) => at);
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(3_000);
    expect((gaps[1] ?? 0) / (gaps[0] ?? 1)).toBeGreaterThan(1);
    await world.sb(['stop', id]);
    expect(outcomes(await runEnd(world, id))).toEqual(['stopped', 'stopped', 'stopped', 'stopped']);
  });
});

describe('S12: an exhausted account', () => {
  it('is left alone by every run until its reset, over a kill -9, and then resumes its sessions [QUOTA-5]', async () => {
    const resetsAt = Math.ceil(Date.now() / 1_000) + 15;
    const limited = [{ say: 'I begin' }, { rateLimit: { resetsAt }, once: true }, { fail: 'quota', once: true }, done];
    // Two report it: the claim of one alone would stop nobody else.
    const first = await submit(
      world,
      ['a', 'z'].map((name) => ({ name, prompt: name, ...script(...limited) })),
    );
    const parked = async (name = 'a') => waitsFor(taskNamed(await runOf(world, first.id), name));
    const both = async () => [await parked(), await parked('z')].every((words) => words.startsWith('quota until '));
    await until(both, { timeoutMs, what: 'the wait for the quota' });
    expect(world.agents()).toEqual([]);
    await world.killDaemon();
    await world.up();
    const second = await submit(world, [{ name: 'b', prompt: 'b', ...script(done) }], 'other');
    await until(async () => waitsFor(taskNamed(await runOf(world, second.id), 'b')).startsWith('quota until '), {
      timeoutMs,
      what: 'the other run to wait too',
    });
    expect(await parked()).toMatch(/^quota until \d\d:\d\d:\d\d$/);
    expect(world.agents()).toEqual([]);
    expect(outcomes(await runEnd(world, first.id, timeoutMs))).toEqual(['succeeded', 'succeeded']);
    expect(outcomes(await runEnd(world, second.id, timeoutMs))).toEqual(['succeeded']);
    const again = launchesOf(await recordOf(world, first.id)).at(-1);
    expect(again).toMatchObject({ resume: true });
    expect(again?.at).toBeGreaterThanOrEqual(resetsAt * 1_000);
    const started = of(await recordOf(world, second.id), 'attempt.started')[0];
    expect(started?.at).toBeGreaterThanOrEqual(resetsAt * 1_000);
  });

  it('does not hold up a task with a fallback model, and fails one that is not to wait [QUOTA-6] [QUOTA-7]', async () => {
    const resetsAt = Math.ceil(Date.now() / 1_000) + 3_600;
    const limited = script({ rateLimit: { resetsAt }, once: true }, { fail: 'quota', once: true }, done);
    const { id } = await submit(world, [
      { name: 'spare', prompt: 'a', onQuota: 'fallback', fallback: ['smaller'], ...limited },
      { name: 'proud', prompt: 'b', onQuota: 'stop', ...limited },
      { name: 'next', prompt: 'c', onQuota: 'stop', needs: ['spare'], ...script(done) },
    ]);
    const run = await runEnd(world, id, timeoutMs);
    expect(outcomes(run)).toEqual(['succeeded', 'failed', 'failed']);
    const unparked = of(await recordOf(world, id), 'attempt.unparked');
    expect(unparked).toEqual([expect.objectContaining({ model: 'smaller' })]);
    const { code } = await world.sb(['ps', id, '--json']);
    expect(code).toBe(0);
  });

  it('is reported to a person who starts a run meanwhile, and by status [QUOTA-10]', async () => {
    const resetsAt = Math.ceil(Date.now() / 1_000) + 3_600;
    const { id } = await submit(world, [
      { name: 'proud', prompt: 'b', onQuota: 'stop', ...script({ rateLimit: { resetsAt } }, { fail: 'quota' }) },
    ]);
    await runEnd(world, id, timeoutMs);
    const words = /account scripted: quota exhausted; next try at [\d: -]+/;
    const late = await world.sb(['run', 'late', '--detach']);
    expect([late.code, late.stderr]).toEqual([0, expect.stringMatching(words)]);
    expect((await world.sb(['status'])).stdout).toMatch(words);
    // A limit that one agent claims does not hold back another: it may be at work.
    await world.sb(['stop', 'late']);
  });
});

it('S12: a service that fails for a moment costs no attempt [QUOTA-3]', async () => {
  const run = await detached(world, [
    'go',
    '--script',
    world.script([{ refuse: { status: 500, times: 2, delayMs: 20 } }, done]),
  ]);
  const ended = await runEnd(world, run.id, timeoutMs);
  expect(outcomes(ended)).toEqual(['succeeded']);
  expect(ended.tasks[0]?.attempts).toBe(1);
});
