// Which folder of the model writes which field of the state, seen from outside: the state is compared before and after every fold
// of every event of simulated runs. However a write is spelt, it is seen. test/model-order.test.ts reads the sources for the same.

import { expect, it } from 'vitest';
import type { Agent } from '../../../src/model/core/agent.ts';
import type { Attempt } from '../../../src/model/core/attempt.ts';
import type { RunEvent } from '../../../src/model/core/events.ts';
import type { Run, Task } from '../../../src/model/core/run.ts';
import { concerned } from '../../../src/model/evolve.ts';
import { readEvent } from '../../../src/model/format.ts';
import { emptyRun } from '../../../src/model/new-state.ts';
import { read } from '../../source-files.ts';
import { simulate } from '../simulate.ts';
import { partsOf } from './state-parts.ts';

/** `never`: it is as it was made. `model`: the files directly in src/model. A field without an owner does not compile. */
const owners = {
  run: {
    spec: 'model',
    seq: 'model',
    state: 'model',
    outcome: 'model',
    createdAt: 'model',
    endedAt: 'model',
    stopAskedBy: 'model',
    removedBy: 'model',
    tasks: 'model',
    agents: 'model',
    spending: 'spending',
    teams: 'teams',
    messages: 'messages',
    children: 'children',
    asks: 'asks',
    remembered: 'asks',
    integration: 'integrate',
    landing: 'land',
    graph: 'tasks',
    live: 'attempt',
    liveByLaunch: 'attempt',
    ready: 'ready',
    parked: 'parking',
    pauses: 'parking',
    asksOf: 'asks',
    openAsks: 'asks',
  } satisfies Record<keyof Run, string>,
  task: {
    spec: 'never',
    order: 'never',
    state: 'tasks',
    outcome: 'tasks',
    endedAt: 'tasks',
    tries: 'tasks',
    attempt: 'model',
    resumes: 'tasks',
    delay: 'tasks',
    graph: 'tasks',
    output: 'tasks',
    integration: 'integrate',
    session: 'session',
    spending: 'spending',
    mailbox: 'messages',
    children: 'children',
  } satisfies Record<keyof Task, string>,
  attempt: {
    id: 'never',
    taskId: 'never',
    n: 'never',
    agentId: 'never',
    host: 'never',
    startedAt: 'never',
    origin: 'attempt',
    state: 'attempt',
    workspace: 'attempt',
    launches: 'attempt',
    parking: 'parking',
    spending: 'spending',
    ownRecords: 'messages',
    turn: 'session',
    waits: 'children',
    claims: 'ready',
    result: 'attempt',
    stop: 'attempt',
    integration: 'integrate',
    failing: 'attempt',
  } satisfies Record<keyof Attempt, string>,
  agent: {
    id: 'never',
    taskId: 'never',
    name: 'never',
    session: 'session',
    spending: 'spending',
    memory: 'session',
    briefings: 'tasks',
    mailbox: 'messages',
    spawnedAt: 'children',
  } satisfies Record<keyof Agent, string>,
};

/** A folder above may call a function of the owner: a task enters and leaves the queues when its state changes. */
const through: Readonly<Record<string, string>> = { 'run.ready': 'tasks', 'run.live': 'model' };

const ownerOf = (kind: string, field: string): string | undefined =>
  (owners as unknown as Record<string, Record<string, string>>)[kind]?.[field];

it('every field of the state is written by the folder that owns it, and by no other [EV-5]', async () => {
  const folders = foldersOfFolds();
  const foreign = new Set<string>();
  const seen = new Set<string>();
  for (let seed = 1; seed <= 4; seed++) {
    const { disk } = await simulate({ seed, runs: 2, tasksMin: 2, tasksMax: 4, spawning: true });
    for (const [stream, { events }] of disk.streams) {
      if (!stream.startsWith('run_')) continue;
      const run = emptyRun();
      for (const stored of events) {
        const event = readEvent<RunEvent>(stored, stored.at);
        seen.add(event.type);
        for (const { part, fold } of writes(run, event)) {
          const [kind = '', , field = ''] = part.split(' ');
          const folder = folders.get(fold) ?? fold;
          if (folder === ownerOf(kind, field) || folder === through[`${kind}.${field}`]) continue;
          foreign.add(`${folder} writes ${kind}.${field}`);
        }
      }
    }
  }
  expect([...foreign]).toEqual([]);
  // Runs that do little would prove little.
  expect(seen.size).toBeGreaterThan(40);
});

/** Folds the event; yields what each of its folds has changed of the state before. */
function* writes(run: Run, event: RunEvent): Iterable<{ part: string; fold: string }> {
  run.seq += 1;
  let before = partsOf(run);
  for (const fold of concerned[event.type] as readonly ((run: Run, event: RunEvent) => void)[]) {
    fold(run, event);
    const after = partsOf(run);
    for (const [part, text] of after) {
      if (before.has(part) && before.get(part) !== text) yield { part, fold: fold.name };
    }
    before = after;
  }
}

/** The folder from which src/model/evolve.ts imports each function. */
function foldersOfFolds(): Map<string, string> {
  const imports = read('src/model/evolve.ts').matchAll(
    /^import \{ ([\w, ]+) \} from '\.\/(?:([\w-]+)\/)?[\w-]+\.ts';$/gm,
  );
  return new Map(
    [...imports].flatMap(([, names = '', folder = 'model']) =>
      names.split(', ').map((name) => [name, folder] as const),
    ),
  );
}
