// The engine's ports onto the simulated world, for one life of an engine. Every call takes effect at one time and is
// answered at a later one; a life that ends in between has done the effect and never learns it.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { createScripted } from '../../../src/harness/scripted/scripted.ts';
import type { Ports } from '../../../src/ports/engine-ports.ts';
import type { HomeLines } from '../../../src/ports/home-port.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import type { LineBatch } from '../../../src/ports/launch-port.ts';
import type { WorkspaceOrder } from '../../../src/ports/workspace-port.ts';
import { assert } from '../../../src/std/assert.ts';
import { Fault } from '../../../src/std/fault.ts';
import { encodeArtifact } from '../../../src/store/artifacts/artifacts.ts';
import { type Behaviour, behaviours } from '../agents/agent.ts';
import {
  chattyVariable,
  childrenVariable,
  harnesses,
  outputVariable,
  threadedHarness,
  waitingVariable,
} from '../plans/random-plan.ts';
import { integrationPort } from './integrations.ts';
import { landPort } from './landings.ts';
import { createClock } from './scheduler.ts';
import { withThreads } from './threaded-harness.ts';
import type { SimProcess, World } from './world.ts';

export interface Life {
  readonly ports: Ports;
  readonly clock: { skew: number };
  kill(): void;
}

export interface LifeOptions {
  /** Which of all engines that ever were. */
  readonly engine: number;
  readonly journal: Journal;
  /** Called when an append has become durable, in the world's order. */
  readonly onStored: (heads: ReadonlyMap<string, number>) => void;
  /** The share of calls that fail while the world is faulty. */
  readonly failing: number;
  /** The share of agents that misbehave while the world is faulty. */
  readonly bad: number;
}

export function createLife(world: World, options: LifeOptions): Life {
  const { scheduler, chance } = world;
  let alive = true;
  const faulty = (): boolean => world.faulty;

  /** Takes effect, then answers: a crash may fall before, between and after. */
  const call = <T>(effect: () => T | Promise<T>, spreadMs = 20, failing = options.failing): Promise<T> =>
    new Promise((resolve, reject) => {
      scheduler.after(chance.next() * spreadMs, () => {
        // A request that was on its way when its sender died may still arrive.
        if (!alive && chance.hit(0.5)) return;
        let answer: () => void;
        try {
          if (faulty() && chance.hit(failing)) throw new Fault('disk_full', 'no space left (simulated)');
          const result = effect();
          answer =
            faulty() && chance.hit(failing)
              ? () => reject(new Fault('store_failed', 'the answer was lost (simulated)'))
              : () => resolve(result);
        } catch (error) {
          answer = () => reject(error);
        }
        const reply = (): void => {
          if (alive) answer();
        };
        // Without faults nothing can come between effect and answer that matters: half the steps.
        if (faulty()) scheduler.after(chance.next() * spreadMs, reply);
        else reply();
      });
    });

  const clock = createClock(scheduler, chance, faulty);
  const ports: Ports = {
    clock: {
      now: () => clock.now(),
      wake: (at, callback) => clock.wake(at, () => alive && callback()),
    },
    journal: journalPort(options, call),
    launches: launchPort(world, options, call, () => alive),
    workspaces: workspacePort(world, call),
    prover: {
      readLog: async () => null,
      prove: ({ attemptId, commit, checks, writeSet }, signal) =>
        call(
          () => {
            signal.throwIfAborted();
            return [...(writeSet === null ? [] : [writeSet.proof]), ...checks.map(({ name }) => name)].map((check) => {
              const passed = world.verdict(`${check} ${commit}`, () => !(faulty() && chance.hit(0.2)));
              world.note({ kind: 'checked', attemptId, commit, check, passed });
              return { check, passed, detail: passed ? 'exit 0' : 'exit 1' };
            });
          },
          20,
          world.unlooked,
        ),
    },
    integrations: integrationPort(world, options.engine, call, () => alive),
    artifacts: artifactPort(world, call),
    landings: landPort(world, call),
    log: { info() {}, warn() {} },
    harness: (name) => scripted.get(name) ?? null,
    harnessFlaw: () => null,
    homes: {
      prepare: () => call(() => undefined, 2),
      path: (agentId) => `home/${agentId}`,
      lines: () => call(() => [], 2),
      tail: (agentId, _path, offset) => call(() => tailOf(world, `home/${agentId}`, offset), 2),
      files: () => call(() => [], 2),
      move: () => call(() => undefined, 2),
    },
    freeBytes: () => call(() => world.freeBytes, 2),
    notifier: {
      tell: ({ key }) =>
        call(() => {
          world.note({ kind: 'notified', key });
          return chance.hit(0.1) ? 'ended with 3' : null;
        }, 200),
    },
    freeMemory: () => 1e12,
    price: () => null,
    seal: () => null,
  };
  return {
    ports,
    clock,
    kill() {
      alive = false;
    },
  };
}

/** A program of its own for each, by which a process is known to be of it. */
const scripted = new Map(
  harnesses.map((name) => {
    const harness = createScripted('node', name);
    return [name, name === threadedHarness ? withThreads(harness) : harness];
  }),
);

/** On which line to the service it is, and what it asks for there. */
function lineIn(argv: readonly string[]): { line: string; model: string } {
  const account = basename(argv[1] ?? '');
  const at = argv.indexOf('--model');
  const model = at < 0 ? null : (argv[at + 1] ?? null);
  return { line: model === null ? account : `${account}:${model}`, model: model ?? 'usual' };
}

/** A start reads many pages and is tried again as a whole: more than this and it would hardly ever succeed. */
const readFailing = 0.002;

export type Call = <T>(effect: () => T | Promise<T>, spreadMs?: number, failing?: number) => Promise<T>;

function journalPort({ journal, onStored }: LifeOptions, call: Call): Journal {
  return {
    ...journal,
    append: (parts) =>
      call(async () => {
        const outcome = await journal.append(parts);
        if (outcome.kind === 'appended') {
          // A part without events is a fence alone.
          const moved = parts.filter(({ events }) => events.length > 0);
          onStored(new Map(moved.map((part) => [part.stream, part.expected + part.events.length])));
        }
        return outcome;
      }),
    read: (stream, after, limit) => call(() => journal.read(stream, after, limit), 2, readFailing),
    heads: (filter) => call(() => journal.heads(filter), 2, readFailing),
    loadSnapshot: (stream) => call(() => journal.loadSnapshot(stream), 2, readFailing),
    saveSnapshot: (snapshot) => call(() => journal.saveSnapshot(snapshot)),
  };
}

function launchPort(world: World, options: LifeOptions, call: Call, alive: () => boolean): Ports['launches'] {
  const { chance } = world;
  const must = (launchId: string): SimProcess => {
    const process = world.processes.get(launchId);
    if (process === undefined) throw new Fault('not_found', `no launch ${launchId}`);
    return process;
  };
  return {
    start: (spec) =>
      call(() => {
        const attemptId = spec.launchId.replace('launch_', 'attempt_').replace(/-\d+$/, '');
        const process =
          world.processes.get(spec.launchId) ??
          world.spawn(spec.launchId, attemptId, {
            home: spec.env['HOME'] ?? '',
            behaviour: silentAgain(world, spec.env['HOME'] ?? '') ?? behaviour(world, options.bad),
            output: spec.env[outputVariable] ?? null,
            calls: spec.env[childrenVariable] !== undefined,
            teams: spec.env[childrenVariable] === 'teams',
            isChatty: spec.env[chattyVariable] !== undefined,
            isWaiting: spec.env[waitingVariable] !== undefined,
            resumes: spec.argv.includes('--resume'),
            threads: basename(spec.argv[1] ?? '') === threadedHarness,
            ...lineIn(spec.argv),
          });
        return observation(process);
      }),
    write: (launchId, offset, record) =>
      call(() => {
        const process = must(launchId);
        const there = process.input.slice(offset, offset + record.length);
        assert(record.startsWith(there), `${launchId} has another record at ${offset}`);
        assert(process.input.length >= offset, `${launchId} would have a hole before ${offset}`);
        const missing = record.slice(there.length);
        // A crash may tear a record; the next writer completes it.
        const torn = world.faulty && chance.hit(0.05) ? chance.int(0, missing.length) : missing.length;
        process.input += missing.slice(0, torn);
        process.agent?.poke();
        if (torn < missing.length) throw new Fault('disk_full', 'torn record (simulated)');
        // An agent that exceeds its caps may have continued before that is known.
        if (world.faulty && process.agent?.calls === true && chance.hit(0.03))
          throw new Fault('store_failed', 'it is not known to be written (simulated)');
        return offset + record.length;
      }),
    signal: (launchId, rung) =>
      call(() => {
        const process = world.processes.get(launchId);
        world.note({ kind: 'signalled', launchId, rung });
        if (rung === 'term') process?.agent?.term();
        else if (process === undefined) world.ruleOut(launchId);
        else world.exit(process, 137, 'kill');
      }),
    keepResult: (launchId) => call(() => `${launchId}/result`),
    readResult: () => call(() => null),
    readOut: (_launchId, from) => call(() => ({ text: '', end: from, more: false })),
    measureAll: (launchIds) =>
      call(() => {
        const alive = launchIds.flatMap((id) => {
          const process = world.processes.get(id);
          return process?.state === 'alive' ? [[id, measure(world, process)] as const] : [];
        });
        return new Map(alive);
      }, 2),
    freeze: (launchId) =>
      call(() => {
        const process = world.processes.get(launchId);
        if (process !== undefined) process.frozen = true;
      }),
    thaw: (launchId) =>
      call(() => {
        const process = world.processes.get(launchId);
        if (process !== undefined) process.frozen = false;
      }),
    transcriptHash: (launchIds) =>
      call(() => {
        const all = createHash('sha256');
        for (const id of launchIds) {
          const process = world.processes.get(id);
          if (process?.state !== 'exited') return null;
          for (const { text } of process.lines) all.update(`${text}\n`);
        }
        return all.digest('hex');
      }, 2),
    async watch(launchId, offset, onLines, signal) {
      const process = await call(() => must(launchId), 2);
      for (let at = offset; ; ) {
        signal.throwIfAborted();
        // The end is looked up before the output: what was printed before the end is read before the end is reported.
        const ended = process.state !== 'alive';
        const batch = linesFrom(world, process, at);
        if (batch.lines.length > 0) {
          await onLines(batch);
          at = batch.end;
        } else if (ended) {
          return process.state === 'exited' ? { kind: 'ended', status: process.status ?? 0 } : { kind: 'lost' };
        } else {
          await change(world, process, alive);
        }
      }
    },
  };
}

function measure(world: World, process: SimProcess) {
  const hoarded = process.agent?.behaviour === 'hoards' ? (world.scheduler.now - process.spawnedAt) * 100 : 0;
  return { outBytes: process.lines.at(-1)?.end ?? 0, errBytes: 0, memoryBytes: 1_000 + hoarded, processes: 1 };
}

/** Some of the whole lines that are there. */
function tailOf({ homes, chance }: World, home: string, offset: number): HomeLines {
  const text = homes.get(home)?.record.slice(offset) ?? '';
  const lines = text.split('\n').slice(0, -1).slice(0, chance.int(1, 4));
  return { lines, end: offset + lines.reduce((sum, line) => sum + line.length + 1, 0) };
}

const asking = 0.1;

function behaviour(world: World, bad: number): Behaviour {
  if (world.faulty && world.chance.hit(bad)) return world.chance.pick(behaviours);
  return world.chance.hit(asking) ? 'asks' : 'good';
}

function silentAgain(world: World, home: string): Behaviour | null {
  const before = world.faulty && world.homes.get(home)?.silent === true;
  return before && world.chance.hit(0.8) ? 'goesSilent' : null;
}

function observation(process: SimProcess) {
  if (process.state === 'exited') return { kind: 'ended', status: process.status ?? 0 } as const;
  if (process.state === 'vanished') return { kind: 'lost' } as const;
  return { kind: 'alive', identity: { bootId: 'sim', pid: 1, start: '1' } } as const;
}

/** Some of the lines that are there: how many come in one reading is chance. */
function linesFrom(world: World, process: SimProcess, offset: number): LineBatch {
  const read = process.lines.findLastIndex((line) => line.end <= offset) + 1;
  const taken = process.lines.slice(read, read + world.chance.int(1, 4));
  return { lines: taken.map((line) => line.text), end: taken.at(-1)?.end ?? offset };
}

function change(world: World, process: SimProcess, alive: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    process.waiters.add(() => {
      world.scheduler.after(world.chance.next() * 50, () => {
        if (alive()) resolve();
      });
    });
  });
}

function artifactPort(world: World, call: Call): Ports['artifacts'] {
  return {
    put: (kind, value) =>
      call(() => {
        const { id, bytes } = encodeArtifact(kind, value);
        if (!world.artifacts.has(id)) world.note({ kind: 'artifactStored', artifactId: id, of: kind, value });
        world.artifacts.add(id);
        return { id, bytes };
      }),
    // Agents of this world know no id of any.
    get: (id) => call(() => Promise.reject(new Fault('not_found', `artifact ${id} is not there`))),
  };
}

function workspacePort(world: World, call: Call): Ports['workspaces'] {
  return {
    prepare: ({ attemptId, repo }: WorkspaceOrder, signal) =>
      call(() => {
        signal.throwIfAborted();
        if (!world.workspaces.has(attemptId)) {
          world.workspaces.add(attemptId);
          world.note({ kind: 'workspaceMade', attemptId, base: repo.base });
        }
        return { path: `workspace/${attemptId}`, base: repo.base };
      }),
    abandon: ({ attemptId }) => call(() => !world.workspaces.has(attemptId)),
    save: ({ runId, taskId, attemptId, n, keeps, repo: { base } }) =>
      call(() => {
        assert(world.workspaces.has(attemptId), `no workspace of ${attemptId}`);
        if (!keeps) return { ref: '', commit: base };
        const ref = `refs/signalbox/${runId}/${taskId}/${n}`;
        const unchanged = world.verdict(`unchanged ${attemptId}`, () => world.chance.hit(0.15));
        const commit = unchanged ? base : `commit-${attemptId}`;
        world.refs.set(ref, commit);
        const uncommitted =
          unchanged || !world.verdict(`uncommitted ${attemptId}`, () => world.chance.hit(0.5)) ? 0 : 1;
        world.note({ kind: 'refSet', attemptId, ref, commit, uncommitted });
        if (unchanged) return { ref, commit, changed: { paths: [], total: 0 }, files: [] };
        const file = { path: 'a.txt', status: 'modified', blob: `blob-${attemptId}` } as const;
        return { ref, commit, changed: { paths: [file.path], total: 1 }, files: [file], uncommitted };
      }),
    borrowed: () => call(() => []),
    unknownCommits: () => call(() => []),
    instructions: () => call(() => null, 2),
    environment: async () => ({}),
  };
}
