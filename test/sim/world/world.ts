// The simulated world: processes, their files, git refs, and what really happened to them. It keeps the promises of
// the real ports (a claim happens once, a record is written once at its offset) and breaks everything else on demand.

import type { AttemptId } from '../../../src/model/core/ids.ts';
import { type Character, createAgent, type SimAgent } from '../agents/agent.ts';
import type { ChildrenMemory } from '../agents/agent-children.ts';
import type { Accounts } from './accounts.ts';
import { createTargets, type Targets } from './landings.ts';
import type { Chance, Scheduler } from './scheduler.ts';
import type { WorldEntry } from './world-entries.ts';

export interface SimProcess {
  readonly launchId: string;
  readonly attemptId: string;
  state: 'alive' | 'exited' | 'vanished';
  status: number | null;
  readonly lines: { text: string; end: number }[];
  input: string;
  taken: number;
  /** Called once at the next change of output or state. */
  readonly waiters: Set<() => void>;
  readonly spawnedAt: number;
  frozen: boolean;
  agent: SimAgent | null;
}

export interface Memory {
  session: string;
  /** The ids of what it was given. */
  given: readonly string[];
  /** Its session is not there any more. */
  gone?: boolean;
  /** Its last process went silent; most of those do so again. */
  silent?: boolean;
  /** What it used, request by request: whole lines. */
  record: string;
  /** What it asked of Signalbox by its tools. */
  readonly spawning: ChildrenMemory;
}

type EntryBody = WorldEntry extends infer E ? (E extends { t: number } ? Omit<E, 't'> : never) : never;

export interface World {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly accounts: Accounts;
  readonly record: WorldEntry[];
  readonly processes: Map<string, SimProcess>;
  readonly refs: Map<string, string>;
  /** Where each run's branch is. */
  readonly branches: Map<string, string>;
  /** How each came to be where it is. */
  readonly integrations: Map<string, readonly { attemptId: string; from: string; to: string }[]>;
  /** What each work was first said to come from. */
  readonly origins: Map<string, string>;
  /** The user's own. */
  readonly targets: Targets;
  /** Works reported as withdrawn: no call that is still running brings them onto a branch. */
  readonly withdrawn: Set<string>;
  /** How long checks on a branch take at most. */
  readonly integrationMs: number;
  /** The share of works that conflict, and of checks that cannot be run while the world is faulty. */
  readonly conflicts: number;
  readonly unlooked: number | undefined;
  /** By run: called at once with an attempt whose work conflicted, before that is reported. */
  readonly onUnfit: Map<string, (attemptId: AttemptId) => void>;
  readonly workspaces: Set<string>;
  /** Ids of what is kept for good. */
  readonly artifacts: Set<string>;
  /** What each agent's home remembers between its processes. */
  readonly homes: Map<string, Memory>;
  /** The names that agents give their children. */
  readonly names: Set<string>;
  faulty: boolean;
  freeBytes: number;
  /** A check says the same of a commit each time it is run. */
  verdict(commit: string, draw: () => boolean): boolean;
  note(entry: EntryBody): void;
  spawn(launchId: string, attemptId: string, character: Character): SimProcess;
  /** Claims a launch that never was, so that it can never be. */
  ruleOut(launchId: string): void;
  print(process: SimProcess, text: string): void;
  exit(process: SimProcess, status: number, cause: 'itself' | 'word' | 'term' | 'kill'): void;
  vanish(process: SimProcess): void;
}

export function createWorld(scheduler: Scheduler, chance: Chance, accounts: Accounts): World {
  const verdicts = new Map<string, boolean>();
  const world: World = {
    scheduler,
    chance,
    accounts,
    record: [],
    processes: new Map(),
    refs: new Map(),
    branches: new Map(),
    integrations: new Map(),
    origins: new Map(),
    targets: createTargets(),
    withdrawn: new Set(),
    conflicts: chance.pick([0.1, 0.1, 0.4]),
    unlooked: chance.pick([undefined, undefined, undefined, 0.4]),
    integrationMs: chance.pick([0, 0, 2_000, 60_000]),
    onUnfit: new Map(),
    workspaces: new Set(),
    artifacts: new Set(),
    homes: new Map(),
    names: new Set(),
    faulty: true,
    freeBytes: 1e9,
    verdict(commit, draw) {
      const passed = verdicts.get(commit) ?? draw();
      verdicts.set(commit, passed);
      return passed;
    },
    note(entry) {
      world.record.push({ t: scheduler.now, ...entry } as WorldEntry);
    },
    spawn(launchId, attemptId, character) {
      const process = newProcess(launchId, attemptId, 'alive', scheduler.now);
      world.processes.set(launchId, process);
      world.note({ kind: 'spawned', launchId, attemptId });
      process.agent = createAgent(world, process, character);
      return process;
    },
    ruleOut(launchId) {
      world.processes.set(launchId, newProcess(launchId, '', 'vanished', scheduler.now));
    },
    print(process, text) {
      if (process.state !== 'alive') return;
      const end = (process.lines.at(-1)?.end ?? 0) + Buffer.byteLength(text) + 1;
      process.lines.push({ text, end });
      world.note({ kind: 'printed', launchId: process.launchId, line: text, end });
      changed(process);
    },
    exit(process, status, cause) {
      if (process.state !== 'alive') return;
      process.state = 'exited';
      process.status = status;
      world.note({ kind: 'exited', launchId: process.launchId, status, cause });
      changed(process);
    },
    vanish(process) {
      if (process.state !== 'alive') return;
      process.state = 'vanished';
      world.note({ kind: 'vanished', launchId: process.launchId });
      changed(process);
    },
  };
  return world;
}

function newProcess(launchId: string, attemptId: string, state: SimProcess['state'], spawnedAt: number): SimProcess {
  return {
    launchId,
    attemptId,
    state,
    status: null,
    lines: [],
    input: '',
    taken: 0,
    waiters: new Set(),
    spawnedAt,
    frozen: false,
    agent: null,
  };
}

function changed(process: SimProcess): void {
  for (const waiter of process.waiters) waiter();
  process.waiters.clear();
}
