// The engine's own promises, each shown alone.

import { describe, expect, it } from 'vitest';
import { createInbox } from '../../src/engine/command-queue.ts';
import { loadRun } from '../../src/engine/load-stream.ts';
import { writeRun } from '../../src/model/snapshot.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { Fault } from '../../src/std/fault.ts';
import { createMemoryDisk, openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { until } from '../until.ts';
import { submit, withEngine } from './quiet-world.ts';

/** A journal whose next appends wait for `open()`. */
function gated(journal: Journal): Journal & { shut(): void; open(): void } {
  let gate: Promise<void> = Promise.resolve();
  let release = (): void => {};
  return {
    ...journal,
    async append(parts) {
      await gate;
      return journal.append(parts);
    },
    shut() {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    },
    open: () => release(),
  };
}

/** A journal that takes nothing while it is full, and cannot be read while it is torn. */
function fillable(journal: Journal) {
  const state = { full: false, torn: false, refused: [] as string[] };
  return Object.assign(state, {
    ...journal,
    append: async (parts: Parameters<Journal['append']>[0]) => {
      if (!state.full) return journal.append(parts);
      state.refused.push(...parts.map(({ stream }) => stream));
      throw new Fault('disk_full', 'no space');
    },
    read: async (...asked: Parameters<Journal['read']>) => {
      if (state.torn) throw new Fault('store_failed', 'it cannot be read');
      return journal.read(...asked);
    },
  });
}

describe('the engine', () => {
  it('answers, shows and starts nothing before it is stored [ENG-1]', async () => {
    const journal = gated(openMemoryJournal());
    await withEngine(journal, async (engine, world) => {
      await until(async () => (await journal.head('host/test')) !== null, { what: 'the host is configured' });
      journal.shut();
      const seen: string[] = [];
      const answer = engine.send(...submit('a', '1')).then(() => seen.push('answered'));
      await until(() => engine.status.waiting === 0, { what: 'the tick took the order' });
      const shown = engine.look((ledger) => ledger.runs.size).then((runs) => seen.push(`shown ${runs}`));
      await new Promise((resolve) => setImmediate(resolve));
      expect(seen).toEqual([]);
      expect(world.started).toEqual([]);
      journal.open();
      await Promise.all([answer, shown]);
      expect(seen.sort()).toEqual(['answered', 'shown 1']);
      await until(() => world.started.length === 1, { what: 'the agent is started' });
    });
  });

  it('reads again and decides again when another writer was first [ENG-2]', async () => {
    const disk = createMemoryDisk();
    await withEngine(openMemoryJournal(disk), async (one) => {
      await withEngine(openMemoryJournal(disk), async (two) => {
        const answers = await Promise.all([
          one.send(...submit('a', '1', '2')),
          two.send(...submit('b', '1', '2')),
          two.send(...submit('c', '1')),
          one.send(...submit('d', '1')),
        ]);
        expect(answers.map((answer) => answer.kind)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
        const heads = await openMemoryJournal(disk).heads({ prefix: 'run_' });
        expect(heads.map((head) => head.stream)).toEqual(['run_a', 'run_b', 'run_c', 'run_d']);
      });
    });
  });

  it('reports at once when the journal accepts nothing, forgets what was not stored, and goes on later [ENG-3]', async () => {
    const journal = openMemoryJournal();
    let full = false;
    const failing: Journal = {
      ...journal,
      append(parts) {
        return full ? Promise.reject(new Fault('disk_full', 'no space')) : journal.append(parts);
      },
    };
    await withEngine(failing, async (engine) => {
      await engine.send(...submit('a', '1'));
      full = true;
      await expect(engine.send(...submit('b', '1'))).rejects.toMatchObject({ code: 'disk_full' });
      await expect(engine.send(...submit('c', '1'))).rejects.toMatchObject({ code: 'disk_full' });
      expect(engine.status.trouble?.code).toBe('disk_full');
      expect(await engine.look((ledger) => [...ledger.runs.keys()])).not.toContain('run_c');
      full = false;
      await until(() => engine.status.trouble === null, { what: 'the journal takes again' });
      expect(await engine.send(...submit('b', '1'))).toEqual({ kind: 'accepted' });
      expect(await engine.look((ledger) => [...ledger.runs.keys()])).toEqual(['run_a', 'run_b']);
    });
  });

  it('shows no decision while the journal accepts nothing [ENG-1] [ENG-3]', async () => {
    const journal = fillable(openMemoryJournal());
    await withEngine(journal, async (engine) => {
      await engine.send(...submit('a', '1'));
      await until(() => engine.lookRun('run_a', (run) => run?.live.get('attempt_a1-1')?.state === 'running'), {
        what: 'it is at work',
      });
      const views = () =>
        Promise.all([
          engine.look(({ runs, host }) => [...runs.keys(), host.seq]),
          engine.lookRun('run_a', (run) => (run === null ? null : writeRun(run))),
          engine.lookRun('run_b', (run) => run),
        ]);
      const before = await views();
      journal.full = true;
      await expect(engine.send('run_a', { type: 'stopRun', by: 'x' })).rejects.toMatchObject({ code: 'disk_full' });
      expect(journal.refused).toContain('run_a');
      expect(await views()).toEqual(before);
      await until(() => engine.send(...submit('b', '1')).catch(() => journal.refused.includes('run_b')), {
        what: 'the engine has decided on another run',
      });
      expect(await views()).toEqual(before);
      journal.full = false;
      await until(() => engine.status.trouble === null, { what: 'the journal takes again' });
      expect(await views()).toEqual(before);
    });
  });

  it('shows nothing while the journal cannot be read, and says why [ENG-10]', async () => {
    const journal = fillable(openMemoryJournal());
    await withEngine(journal, async (engine) => {
      await engine.send(...submit('a', '1'));
      journal.full = true;
      journal.torn = true;
      await expect(engine.send('run_a', { type: 'stopRun', by: 'x' })).rejects.toMatchObject({ code: 'disk_full' });
      await expect(engine.look(({ runs }) => runs.size)).rejects.toMatchObject({ code: 'store_failed' });
      await expect(engine.lookRun('run_a', (run) => run)).rejects.toMatchObject({ code: 'store_failed' });
      journal.full = false;
      journal.torn = false;
      await until(() => engine.status.trouble === null, { what: 'the journal takes again' });
      expect(await engine.lookRun('run_a', (run) => run?.state)).toBe('running');
    });
  });

  it('leaves a run alone whose journal cannot be read, names it, and goes on with the others [ENG-5]', async () => {
    const disk = createMemoryDisk();
    await withEngine(openMemoryJournal(disk), async (engine) => {
      await engine.send(...submit('bad', '1'));
      await engine.send(...submit('good', '1'));
    });
    const events = disk.streams.get('run_bad')?.events ?? [];
    const [first] = events;
    if (first !== undefined) events[0] = { ...first, type: 'run.created@9' };
    await withEngine(openMemoryJournal(disk), async (engine, world) => {
      expect([...engine.status.quarantined.keys()]).toEqual(['run_bad']);
      expect(await engine.send('run_bad', { type: 'stopRun', by: 'x' })).toMatchObject({
        kind: 'refused',
        refusal: { reason: expect.stringContaining('run_bad') as string },
      });
      expect(await engine.send('run_good', { type: 'stopRun', by: 'x' })).toEqual({ kind: 'accepted' });
      expect(world.warnings).toContain('run is left alone: its record cannot be read');
    });
  });

  it('notices a tick that takes too long while it lasts [ENG-6]', async () => {
    const journal = gated(openMemoryJournal());
    await withEngine(
      journal,
      async (engine, world) => {
        await engine.send(...submit('a', '1'));
        journal.shut();
        const answer = engine.send(...submit('b', '1'));
        await until(() => engine.status.slowTicks > 0, { what: 'the slow tick is noticed' });
        expect(world.warnings).toContain('tick takes too long');
        journal.open();
        expect(await answer).toEqual({ kind: 'accepted' });
      },
      { tickLimitMs: 20 },
    );
  });

  it('ends no process when it is stopped, and the next one starts none twice [ENG-9] [ENG-8]', async () => {
    const disk = createMemoryDisk();
    await withEngine(openMemoryJournal(disk), async (engine, world) => {
      await engine.send(...submit('a', '1'));
      const running = async () => (await loadRun(openMemoryJournal(disk), 'run_a'))?.live.values().next().value?.state;
      await until(async () => (await running()) === 'running', { what: 'the agent runs' });
      await engine.stop();
      expect(world.signalled).toEqual([]);
    });
    await withEngine(openMemoryJournal(disk), async (engine, world) => {
      await until(() => engine.status.runningEffects > 0, { what: 'it is watched again' });
      expect(world.started).toEqual([]);
    });
  });

  it('shares slots fairly: the run that holds fewest goes first [HOST-3] [HOST-2]', async () => {
    const journal = openMemoryJournal();
    await withEngine(journal, async (engine) => {
      await engine.send(...submit('a', '1', '2', '3', '4', '5'));
      await engine.send(...submit('b', '1', '2'));
      expect(await engine.look(({ host }) => [...host.held.values()])).toEqual(['run_a', 'run_a', 'run_a', 'run_a']);
    });
    await withEngine(
      journal,
      async (engine) => {
        await until(() => engine.look(({ host }) => host.held.size === 6), { what: 'two more slots are used' });
        expect((await engine.look(({ host }) => [...host.held.values()])).slice(4)).toEqual(['run_b', 'run_b']);
      },
      { slots: 6 },
    );
    await withEngine(
      journal,
      async (engine) => {
        await until(() => engine.look(({ host }) => host.slots === 1), { what: 'fewer slots' });
        expect(await engine.look(({ host }) => host.held.size)).toBe(6);
      },
      { slots: 1 },
    );
  });

  it('starts from a snapshot and the events after it [EV-4] [JRN-10]', async () => {
    const disk = createMemoryDisk();
    const state = async () => {
      const run = await loadRun(openMemoryJournal(disk), 'run_a');
      return run === null ? null : writeRun(run);
    };
    await withEngine(
      openMemoryJournal(disk),
      async (engine) => {
        await engine.send(...submit('a', '1', '2'));
        await engine.send('run_a', { type: 'stopTask', taskId: 'task_a2', by: 'x' });
        await until(() => disk.snapshots.has('run_a'), { what: 'a snapshot is kept' });
      },
      { snapshotEvery: 2 },
    );
    const restored = await state();
    disk.snapshots.clear();
    expect(restored).not.toBeNull();
    expect(await state()).toBe(restored);
  });
});

describe('the command queue', () => {
  it('makes senders wait when it is full and drops nothing [ENG-4]', async () => {
    const inbox = createInbox(2, () => {});
    const answered: number[] = [];
    const sent = [0, 1, 2, 3, 4].map((i) => inbox.send('run_1', { type: 'tick' }).then(() => answered.push(i)));
    expect([inbox.waiting, inbox.held]).toEqual([2, 3]);
    const taken = [...inbox.take(10), ...inbox.take(10), ...inbox.take(10)];
    for (const entry of taken) entry.answer({ kind: 'accepted' });
    await Promise.all(sent);
    expect(answered).toEqual([0, 1, 2, 3, 4]);
    expect([inbox.waiting, inbox.held]).toEqual([0, 0]);
  });

  it('fails waiting senders when it is closed [ENG-4]', async () => {
    const inbox = createInbox(1, () => {});
    const waiting = [inbox.send('run_1', { type: 'tick' }), inbox.send('run_1', { type: 'tick' })];
    inbox.close(new Fault('store_closed', 'over'));
    for (const sent of [...waiting, inbox.send('run_1', { type: 'tick' })]) {
      await expect(sent).rejects.toMatchObject({ code: 'store_closed' });
    }
  });

  it('starts one agent and no more while memory is low, and goes on later [HOST-6]', async () => {
    await withEngine(
      openMemoryJournal(),
      async (engine, world) => {
        world.memory = 100;
        await engine.send(...submit('a', '1', '2'));
        await until(() => world.started.length === 1, { what: 'the first agent' });
        const waits = await engine.look(({ runs, host }) =>
          [...(runs.get('run_a')?.tasks.values() ?? [])].map((task) => task.state === 'ready' && host.scarce),
        );
        expect(waits).toEqual([false, 'memory: 0 MiB are free']);
        world.memory = 1e12;
        await until(() => world.started.length === 2, { what: 'the second agent' });
        expect(world.warnings).toEqual(['nothing is started: memory is scarce', 'there is memory again']);
      },
      { freeMemoryMin: 1_000 },
    );
  });
});
