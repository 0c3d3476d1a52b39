// S14: an agent that waits for a permission holds no slot: others work meanwhile, and it reads the answer when it has one
// again.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { recordOf } from '../crash/storm-record.ts';
import { killAll, openWorld, type World } from '../daemon/daemon-world.ts';
import { detached, runEnd, runOf, taskEnd, taskNamed } from '../spending/limits-world.ts';
import { asksOf } from '../world/inbox-world.ts';
import { waitsFor } from '../world/wait-words.ts';

let world: World;

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: '2' });
});

afterEach(() => world.close());

const asking = { write: { path: 'wanted.txt', text: 'x' }, ask: true };

const run = (name: string, steps: readonly object[]) =>
  detached(world, [name, '--script', world.script(steps), '--sandbox', 'none']);

const waits = async (runId: string, name: string) => waitsFor(taskNamed(await runOf(world, runId), name));

describe('S14: two agents ask on a host with two slots', () => {
  it('a third runs meanwhile, the answers wait for a slot, and both end well, over kill -9 [GATE-13] [GATE-14]', async () => {
    const [one, two] = [await run('one', [asking]), await run('two', [asking])];
    const both = async () => (await asksOf(world)).length === 2;
    await until(both, { timeoutMs: 30_000, what: 'both questions' });
    const third = await run('third', [{ say: 'fine' }]);
    expect((await taskEnd(world, third.id, 'third')).outcome?.kind).toBe('succeeded');
    await world.killDaemon();
    await world.up();
    expect(await asksOf(world)).toHaveLength(2);

    const busy = [
      await run('long', [{ waitFor: world.path('go') }]),
      await run('longer', [{ waitFor: world.path('go') }]),
    ];
    const working = async () => (await runOf(world, busy[1]?.id ?? '')).tasks[0]?.attempt?.state === 'running';
    await until(working, { timeoutMs: 30_000, what: 'both slots to be taken' });
    expect((await world.sb(['approve', 'one'])).code).toBe(0);
    expect(await waits(one.id, 'one')).toBe(
      'a slot to resume with the answer: all 2 are taken (raise "slots" in your configuration)',
    );
    expect(await waits(two.id, 'two')).toMatch(/^a person: may it use Write\? \(ask_.+\), since \d\d:\d\d/);
    await world.killDaemon();
    await world.up();
    expect(await waits(one.id, 'one')).toBe(
      'a slot to resume with the answer: all 2 are taken (raise "slots" in your configuration)',
    );

    world.touch('go');
    expect((await runEnd(world, one.id)).outcome).toBe('succeeded');
    expect((await world.sb(['approve', 'two'])).code).toBe(0);
    expect((await runEnd(world, two.id)).outcome).toBe('succeeded');
    const record = await recordOf(world, one.id);
    const order = record.events.map(({ type }) => type).filter((type) => /^ask\.|parked/.test(type));
    expect(order).toEqual(['ask.opened', 'attempt.parked', 'ask.answered', 'attempt.unparked']);
    expect(record.of('launch.intended')).toHaveLength(1);
  });

  it('one that is lost with its shim while it waits asks again when it has a slot [GATE-23]', async () => {
    const one = await run('one', [asking]);
    await until(async () => (await asksOf(world)).length === 1, { timeoutMs: 30_000, what: 'the question' });
    const [first] = await asksOf(world);
    await world.killDaemon();
    killAll(world);
    await world.up();
    const again = async () => (await asksOf(world)).find(({ id }) => id !== first?.id);
    await until(again, { timeoutMs: 30_000, what: 'the question to be asked again' });
    expect((await world.sb(['approve', 'one'])).code).toBe(0);
    expect((await runEnd(world, one.id)).outcome).toBe('succeeded');
  });
});
