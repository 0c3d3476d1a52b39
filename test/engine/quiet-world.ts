// Ports onto a world in which nothing happens by itself: agents start and then say nothing. For tests of the engine's
// own promises; what a lively world does to it is the simulator's business.

import type { EffectContext } from '../../src/engine/effects/run-effect.ts';
import { type Engine, type EngineOptions, startEngine } from '../../src/engine/engine.ts';
import { createScripted } from '../../src/harness/scripted/scripted.ts';
import type { Ports } from '../../src/ports/engine-ports.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { systemClock } from '../../src/std/clock.ts';
import { Fault } from '../../src/std/fault.ts';
import { type Artifact, encodeArtifact } from '../../src/store/artifacts/artifacts.ts';
import { task } from '../model/story.ts';

export const options: EngineOptions = {
  host: 'test',
  slots: 4,
  inboxMax: 100,
  batchMax: 100,
  snapshotEvery: 500,
  tickLimitMs: 60_000,
  guard: { everyMs: 3_600_000, freeBytesMin: 0 },
};

export interface QuietWorld {
  readonly ports: Ports;
  readonly started: string[];
  readonly signalled: string[];
  readonly warnings: string[];
  memory: number;
}

export function quietWorld(journal: Journal): QuietWorld {
  const started: string[] = [];
  const signalled: string[] = [];
  const warnings: string[] = [];
  const artifacts = new Map<string, Artifact>();
  const ports: Ports = {
    clock: systemClock,
    journal,
    launches: {
      async start(spec) {
        started.push(spec.launchId);
        return { kind: 'alive', identity: { bootId: 'b', pid: 2, start: '1' } };
      },
      watch: (_launchId, _offset, _onLines, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      write: async (_launchId, offset, record) => offset + record.length,
      signal: async (launchId) => void signalled.push(launchId),
      measureAll: async () => new Map(),
      freeze: async () => {},
      thaw: async () => {},
      transcriptHash: async () => null,
      keepResult: async (launchId) => `/l/${launchId}/result`,
      readResult: async () => null,
      readOut: async () => ({ text: '', end: 0, more: false }),
    },
    workspaces: {
      prepare: async (order) => ({ path: `/w/${order.attemptId}`, base: order.repo.base }),
      abandon: async () => true,
      save: async (order) => ({ ref: `refs/${order.attemptId}`, commit: 'c' }),
      borrowed: async () => [],
      unknownCommits: async () => [],
      instructions: async () => null,
      environment: async () => ({}),
    },
    prover: { prove: async () => [], readLog: async () => null },
    integrations: {
      integrate: async ({ works }) =>
        works.map(({ attemptId, commit }) => ({ attemptId, kind: 'integrated', commit, tree: 't', items: [] })),
    },
    artifacts: {
      async put(kind, value) {
        const { id, bytes } = encodeArtifact(kind, value);
        artifacts.set(id, { kind, value });
        return { id, bytes };
      },
      async get(id) {
        const found = artifacts.get(id);
        if (found === undefined) throw new Fault('not_found', `artifact ${id} is not there`);
        return found;
      },
    },
    landings: { land: async () => ({ kind: 'ended', outcome: { kind: 'refused', why: 'nowhere' } }) },
    log: { info() {}, warn: (message) => void warnings.push(message) },
    harness: () => createScripted('node', 'agent.js'),
    harnessFlaw: () => null,
    homes: {
      prepare: async () => {},
      path: (agentId) => `/h/${agentId}`,
      lines: async () => [],
      tail: async (_agentId, _path, offset) => ({ lines: [], end: offset }),
      files: async () => [],
      move: async () => {},
    },
    freeBytes: async () => 1e12,
    notifier: { tell: async () => null },
    freeMemory: () => world.memory,
    price: () => null,
    seal: () => null,
  };
  const world: QuietWorld = { ports, started, signalled, warnings, memory: 1e12 };
  return world;
}

/** For effects that are carried out without an engine: there is no other run. */
export const alone: Pick<EffectContext, 'sendTo' | 'lookRun'> = {
  sendTo: async () => ({ kind: 'refused', refusal: { kind: 'unknown', reason: 'there is no such run' } }),
  lookRun: async (_runId, read) => read(null),
};

export async function withEngine(
  journal: Journal,
  test: (engine: Engine, world: QuietWorld) => Promise<void>,
  more: Partial<EngineOptions> = {},
): Promise<void> {
  const world = quietWorld(journal);
  const engine = await startEngine(world.ports, { ...options, ...more });
  try {
    await test(engine, world);
  } finally {
    await engine.stop();
  }
}

export function submit(id: string, ...names: string[]) {
  const runId = `run_${id}` as const;
  const tasks = names.map((name) => task(`${id}${name}`));
  const limits = { parallelMax: 10 };
  return [
    runId,
    { type: 'submit', run: { id: runId, name: id, repo: { path: '/r', base: 'b' }, limits }, tasks },
  ] as const;
}
