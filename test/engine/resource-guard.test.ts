// The guard's own promises: it looks, it sends, it freezes and thaws.

import { describe, expect, it } from 'vitest';
import { startEngine } from '../../src/engine/engine.ts';
import { foldProgress, noProgress } from '../../src/model/session/agent-activity.ts';
import type { Measure } from '../../src/model/spending/caps.ts';
import { openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { until } from '../until.ts';
import { options, quietWorld, submit } from './quiet-world.ts';

const well: Measure = { outBytes: 10, errBytes: 0, memoryBytes: 10, processes: 1 };

async function guarded(
  measure: () => Measure,
  freeBytes: () => number,
  test: (
    world: ReturnType<typeof quietWorld> & { frozen: Set<string> },
    run: () => Promise<string | null>,
  ) => Promise<void>,
): Promise<void> {
  const world = quietWorld(openMemoryJournal());
  const frozen = new Set<string>();
  const launches = {
    ...world.ports.launches,
    measureAll: async (ids: readonly `launch_${string}`[]) => new Map(ids.map((id) => [id, measure()] as const)),
    freeze: async (id: string) => void frozen.add(id),
    thaw: async (id: string) => void frozen.delete(id),
  };
  const ports = { ...world.ports, launches, freeBytes: async () => freeBytes() };
  const engine = await startEngine(ports, { ...options, guard: { everyMs: 5, freeBytesMin: 100 } });
  try {
    const [runId, command] = submit('a', '1');
    const tasks = command.tasks.map((task) => ({ ...task, caps: { ...task.caps, stallMs: 40, memoryBytes: 1_000 } }));
    await engine.send(runId, { ...command, tasks });
    await until(() => world.started.length === 1, { what: 'the agent is started' });
    const reason = () => engine.look(({ runs }) => runs.get(runId)?.live.values().next().value?.stop?.reason ?? null);
    await test({ ...world, frozen }, reason);
  } finally {
    await engine.stop();
  }
}

describe('the guard', () => {
  it('stops an agent over its caps at once [CAP-1]', async () => {
    await guarded(
      () => ({ ...well, memoryBytes: 2_000 }),
      () => 1e9,
      async (world, reason) => {
        expect(await until(reason, { what: 'it is stopped' })).toBe('out-of-memory');
        await until(() => world.signalled.length > 0, { what: 'it is killed' });
      },
    );
  });

  it('stops an agent that is silent in the middle of a turn, and not one that prints [CAP-2]', async () => {
    let bytes = 0;
    let speaks = true;
    await guarded(
      () => ({ ...well, outBytes: speaks ? ++bytes : bytes }),
      () => 1e9,
      async (_world, reason) => {
        const begun = bytes;
        await until(() => bytes > begun + 20, { what: 'it speaks for many windows' });
        expect(await reason()).toBeNull();
        speaks = false;
        expect(await until(reason, { what: 'it is stopped' })).toBe('stall');
      },
    );
  });

  it('freezes agents when the disk is nearly full, thaws them when there is room, and stops nobody [CAP-3]', async () => {
    let free = 50;
    await guarded(
      () => well,
      () => free,
      async (world, reason) => {
        await until(() => world.frozen.size === 1, { what: 'it is frozen' });
        expect(world.warnings).toContain('agents are frozen: the disk is nearly full');
        free = 120; // Above the floor, but not by half as much again.
        await until(() => world.frozen.size === 1, { what: 'it stays frozen' });
        free = 151;
        await until(() => world.frozen.size === 0, { what: 'it is thawed' });
        expect(await reason()).not.toBe('disk');
      },
    );
  });
});

it('freezes agents also when the rest of its measurement fails [CAP-3]', async () => {
  const failing = (): never => {
    throw new Error('no room to measure');
  };
  await guarded(
    failing,
    () => 50,
    async (world) => {
      await until(() => world.frozen.size === 1, { what: 'it is frozen' });
    },
  );
});

describe('progress', () => {
  it("is a fold of the agent's events [PRG-1]", () => {
    const progress = noProgress();
    foldProgress(progress, { kind: 'text', text: 'x'.repeat(500), within: null });
    foldProgress(progress, { kind: 'toolCall', id: '1', tool: 'Bash', what: 'npm test', input: {}, within: null });
    foldProgress(progress, { kind: 'backgroundStarted', id: 'b', what: 'server' });
    foldProgress(progress, { kind: 'context', tokens: 1_234 });
    foldProgress(progress, { kind: 'garbage', text: '?' });
    expect(progress).toMatchObject({ toolCalls: 1, lastCall: 'npm test', contextTokens: 1_234, garbageLines: 1 });
    expect(progress.lastText).toHaveLength(200);
    expect([...progress.background]).toEqual(['b']);
    expect([...progress.toolsOpen.keys()]).toEqual(['1']);
    foldProgress(progress, { kind: 'toolResult', id: '1', isError: false, text: '' });
    expect(progress.toolsOpen.size).toBe(0);
  });
});
