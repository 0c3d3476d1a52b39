// The budget of a day, which all runs on a host share.

import { expect, it } from 'vitest';
import { type Engine, startEngine } from '../../src/engine/engine.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { type Clock, localDay } from '../../src/std/clock.ts';
import { createMemoryDisk, openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { until } from '../until.ts';
import { options, quietWorld, submit } from './quiet-world.ts';

/** A clock that stands still until it is set. */
function handClock(at: number): Clock & { set(at: number): void } {
  let now = at;
  let waiting: { at: number; ring: () => void }[] = [];
  return {
    now: () => now,
    wake(at, ring) {
      const entry = { at, ring };
      if (at <= now) setImmediate(ring);
      else waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    set(at) {
      now = at;
      const due = waiting.filter((each) => each.at <= now);
      waiting = waiting.filter((each) => each.at > now);
      for (const { ring } of due) ring();
    },
  };
}

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 1, turns: 1 };

const spend = (engine: Engine, run: string) =>
  engine.send(`run_${run}`, {
    type: 'output',
    launchId: `launch_${run}1-1-1`,
    from: 0,
    to: 1,
    codec: '{}',
    replies: [],
    facts: [{ kind: 'usage', model: 'm', usage }],
  });

it('covers all runs together, over restarts, until the day is over or it is raised [BUD-14]', async () => {
  const clock = handClock(new Date(2026, 10, 16, 12).getTime());
  const disk = createMemoryDisk();
  const start = async () => {
    const world = quietWorld(openMemoryJournal(disk));
    return { world, engine: await startEngine({ ...world.ports, clock }, options) };
  };
  const first = await start();
  await first.engine.setDayBudget({ turns: 1 }, 'ann');
  await first.engine.send(...submit('a', '1'));
  await until(async () => (await spend(first.engine, 'a')).kind === 'accepted', { what: 'a turn is told' });
  await first.engine.send(...submit('b', '1'));
  await first.engine.stop();
  expect(first.world.started).toEqual(['launch_a1-1-1']);

  const { world, engine } = await start();
  const exhausted = () => engine.look(({ runs }) => [...runs.values()].map((run) => run.spending.dayExhausted));
  const words = 'the budget of the day 2026-11-16 is exhausted: 1 of 1 turns';
  await until(async () => (await exhausted()).every((each) => each === words), { what: 'both runs know it' });
  expect(world.started).toEqual([]);
  clock.set(localDay(clock.now()).endsAt);
  await until(() => world.started.length === 1, { what: 'the second begins on the next day' });
  expect(await exhausted()).toEqual([null, null]);

  await until(async () => (await spend(engine, 'b')).kind === 'accepted', { what: 'a turn is told' });
  await engine.send(...submit('c', '1'));
  expect(await exhausted()).not.toContain(null);
  await engine.setDayBudget({ turns: 2 }, 'ann');
  await until(() => world.started.length === 2, { what: 'the third begins when there is more' });
  await engine.stop();
});

it('ends with the day, also during an append [BUD-14]', async () => {
  const clock = handClock(new Date(2026, 10, 16, 12).getTime());
  const journal = openMemoryJournal();
  let storing = (): void => {};
  const slow: Journal = { ...journal, append: (parts) => journal.append(parts).finally(() => storing()) };
  const world = quietWorld(slow);
  const engine = await startEngine({ ...world.ports, clock }, options);
  await engine.setDayBudget({ turns: 0 }, 'ann');
  await engine.send(...submit('a', '1'));
  storing = () => clock.set(localDay(clock.now()).endsAt);
  await engine.send('run_a', { type: 'setBudget', scope: { of: 'run' }, budget: { turns: 9 }, by: 'ann' });
  storing = () => {};
  const exhausted = () => engine.look(({ runs }) => runs.get('run_a')?.spending.dayExhausted);
  await until(async () => (await exhausted())?.includes('2026-11-17') === true, {
    what: 'the next day to be looked at',
  });
  await engine.stop();
});

it('of time counts ended and running processes [BUD-14]', async () => {
  const clock = handClock(new Date(2026, 10, 16, 12).getTime());
  const world = quietWorld(openMemoryJournal());
  const engine = await startEngine({ ...world.ports, clock }, options);
  await engine.setDayBudget({ timeMs: 60_000 }, 'ann');
  await engine.send(...submit('a', '1', '2'));
  const running = () =>
    engine.look(({ runs }) => [...runs.values()].flatMap((run) => [...run.live.values()]).map(({ state }) => state));
  await until(async () => (await running()).join() === 'running,running', { what: 'two agents run' });
  clock.set(clock.now() + 10_000);
  await engine.send('run_a', { type: 'down', launchId: 'launch_a1-1-1', status: 1, turn: null });
  expect(await engine.look(({ host }) => host.ran)).toEqual({ '2026-11-16': 10_000 });
  clock.set(clock.now() + 39_000);
  const exhausted = () => engine.look(({ runs }) => [...runs.values()].map((run) => run.spending.dayExhausted));
  await engine.send('run_a', { type: 'tick' });
  expect(await exhausted()).toEqual([null]);
  clock.set(clock.now() + 1_000);
  await until(async () => (await exhausted())[0] !== null, { what: 'the time of the day to be over' });
  await engine.stop();
});

it('is counted during turns, of all agents together: it is exceeded by at most one request [BUD-14]', async () => {
  const world = quietWorld(openMemoryJournal());
  const engine = await startEngine(world.ports, options);
  await engine.setDayBudget({ turns: 4 }, 'ann');
  await engine.send(...submit('a', '1'));
  await engine.send(...submit('b', '1'));
  /** A tool round of a run's agent that has made so many requests; whether it may go on. */
  const round = async (run: string, turns: number): Promise<boolean | null> => {
    const parts = [{ model: 'm', usage: { ...usage, turns } }];
    const { kind } = await engine.send(`run_${run}`, {
      type: 'output',
      launchId: `launch_${run}1-1-1`,
      from: turns - 1,
      to: turns,
      codec: '{}',
      replies: [],
      facts: [
        { kind: 'metered', parts },
        { kind: 'round', requestId: 'r' },
      ],
    });
    if (kind !== 'accepted') return null;
    return engine.lookRun(`run_${run}`, (found) => found?.live.get(`attempt_${run}1-1`)?.parking.brake === null);
  };
  await until(async () => (await round('a', 1)) === true, { what: 'the first agent to ask' });
  await until(async () => (await round('b', 1)) === true, { what: 'the second agent to ask' });
  expect(await round('a', 2)).toBe(true);
  expect(await engine.look(({ runs }) => runs.get('run_a')?.spending.dayExhausted)).toBeNull();
  expect(await round('b', 2)).toBe(false);
  expect(await engine.look(({ runs }) => [...runs.values()].map((run) => run.spending.dayExhausted))).not.toContain(
    null,
  );
  await engine.send(...submit('c', '1'));
  expect(world.started).toHaveLength(2);
  await engine.stop();
});
