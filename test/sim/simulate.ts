// One seed: a random plan, random agents, random faults, then a healed world in which all must come to its end.
// Engine, model and codec are the real ones; everything else is simulated.

import { type Engine, startEngine } from '../../src/engine/engine.ts';
import { writeRun } from '../../src/model/snapshot.ts';
import { createMemoryDisk, type MemoryDisk, openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { check, describe, type History, type Violation } from './checker/checker.ts';
import { booksOf } from './journal/booked-usage.ts';
import { createObserver, type Observer } from './journal/observer.ts';
import { createReplay, type Replay } from './journal/replay.ts';
import { readInbox } from './people/inbox.ts';
import { giveOrders } from './people/orders.ts';
import { watchBudgets } from './plans/budgets.ts';
import { randomPlan, type SimPlan, withContention, withSpawning } from './plans/random-plan.ts';
import { sizeOf } from './plans/run-size.ts';
import { createAccounts } from './world/accounts.ts';
import { createLife, type Life } from './world/ports.ts';
import { type Chance, createChance, createScheduler } from './world/scheduler.ts';
import { createWorld, type World } from './world/world.ts';

export interface SimOptions {
  readonly seed: number;
  readonly tasksMin?: number;
  readonly tasksMax?: number;
  readonly runs?: number;
  /** Whether its agents call our tools; by default in a third of the seeds. */
  readonly spawning?: boolean;
  /** A small run under few faults (run-size.ts). */
  readonly small?: boolean;
  /** Kill the engine exactly at this step, instead of faults by chance. */
  readonly killAtStep?: number;
  /** Recompute the hash chain as well. */
  readonly hashes?: boolean;
}

export interface SimResult {
  readonly seed: number;
  readonly steps: number;
  readonly events: number;
  readonly kills: number;
  readonly violations: readonly Violation[];
  /** A short readable history, made only when something is wrong. */
  readonly report: string;
  readonly disk: MemoryDisk;
  /** What each work that was to be integrated was said to come from. */
  readonly origins: ReadonlyMap<string, string>;
}

const stepsMax = 60_000;

const guard = { everyMs: 10_000, freeBytesMin: 1_000 };

/** Small limits, so that each of them is met. */
const engineOptions = { host: 'sim', inboxMax: 8, batchMax: 16, snapshotEvery: 30, tickLimitMs: 60_000, guard };

interface Sim {
  readonly world: World;
  readonly chance: Chance;
  readonly options: SimOptions;
  readonly plans: readonly SimPlan[];
  readonly disk: MemoryDisk;
  readonly commits: { worldIndex: number; heads: ReadonlyMap<string, number>; engine: number; t: number }[];
  readonly bugs: Error[];
  readonly observer: Observer;
  readonly slots: number;
  readonly failing: number;
  readonly bad: number;
  lives: { n: number; life: Life; engine: Engine | null }[];
  engines: number;
  kills: number;
}

export async function simulate(options: SimOptions): Promise<SimResult> {
  const sim = createSim(options);
  const { world } = sim;
  startLife(sim);
  for (const plan of sim.plans) giveOrders(sim, plan);
  readInbox(sim);
  watchBudgets({ world, chance: sim.chance, engine: () => sim.lives.at(-1)?.engine ?? null });
  const calm = options.killAtStep !== undefined;
  const size = sizeOf(options);
  const faultSteps = calm ? (options.killAtStep ?? 0) : sim.chance.int(size.faultStepsMin, size.faultStepsMax);
  world.faulty = !calm;
  while (world.scheduler.steps < faultSteps && (await world.scheduler.step())) {
    if (!calm) maybeFault(sim);
    // Without faults there is nothing to wait for once all is done: the guard alone would go on for ever.
    else if (world.scheduler.steps % 10 === 0 && (await isEnded(sim))) break;
  }
  if (calm) killAll(sim, false);
  heal(sim);
  let ended = false;
  while (!ended && world.scheduler.steps < stepsMax) {
    if (!(await world.scheduler.step())) break;
    if (world.scheduler.steps % size.lookEvery === 0 || sim.bugs.length > 0) ended = await isEnded(sim);
    if (sim.bugs.length > 0) break;
  }
  ended ||= await isEnded(sim);
  const replay = createReplay(sim.disk);
  const history = { ...historyOf(sim, ended), books: await booksOf(replay, engineOptions.host) };
  const violations = [
    ...check(history, { hashes: options.hashes ?? false }),
    ...(await replayDiffers(sim, ended, replay)),
    ...(await sim.observer.violations()),
    ...bugsOf(sim),
  ];
  const report = violations.length > 0 ? describe(history, violations) : '';
  for (const { life } of sim.lives) life.kill();
  const events = [...sim.disk.streams.values()].reduce((sum, stream) => sum + stream.events.length, 0);
  return {
    seed: options.seed,
    steps: world.scheduler.steps,
    events,
    kills: sim.kills,
    violations,
    report,
    disk: sim.disk,
    origins: world.origins,
  };
}

function createSim(options: SimOptions): Sim {
  const chance = createChance(options.seed);
  const scheduler = createScheduler(chance, isChildren(options));
  const trouble = options.killAtStep === undefined ? chance.pick([0, 0.02, 0.1, 0.25]) : 0;
  const world = createWorld(scheduler, chance, createAccounts(scheduler, chance, trouble));
  const runs = options.runs ?? (chance.hit(sizeOf(options).twoRuns) ? 2 : 1);
  const disk = createMemoryDisk({ chained: options.hashes ?? false });
  return {
    world,
    chance,
    options,
    plans: Array.from({ length: runs }, (_, i) => drawPlan(chance, options, i)),
    disk,
    observer: createObserver(disk),
    commits: [],
    bugs: [],
    slots: chance.int(1, 10),
    failing: chance.pick([0, 0.005, 0.02]),
    bad: chance.pick([0, 0.1, 0.4]),
    lives: [],
    engines: 0,
    kills: 0,
  };
}

/** By default in a third of the seeds. */
function isChildren({ seed, spawning = seed % 3 === 0 }: SimOptions): boolean {
  return spawning;
}

/** Of the seeds with children each so-manieth is about a task that others write under and wait for. */
const contendedEvery = 8;

function drawPlan(chance: Chance, options: SimOptions, i: number): SimPlan {
  const { childTasksMax, ...size } = sizeOf(options);
  const { tasksMin = size.tasksMin, tasksMax = size.tasksMax, small = false } = options;
  if (!isChildren(options)) return randomPlan(chance, i, tasksMin, tasksMax, small);
  // Their agents ask for more.
  const [least, most] = [Math.min(tasksMin, childTasksMax), Math.min(tasksMax, childTasksMax)];
  const plan = withSpawning(chance, randomPlan(chance, i, least, most, small), small);
  return options.seed % contendedEvery === 0 ? withContention(chance, plan) : plan;
}

/** One life of an engine, from start to its kill. A start that fails is tried again, as a service manager would. */
function startLife(sim: Sim): void {
  const { world, chance } = sim;
  const journal = openMemoryJournal(sim.disk);
  const n = ++sim.engines;
  const life = createLife(world, {
    engine: n,
    journal,
    failing: sim.failing,
    bad: sim.bad,
    onStored: (heads) =>
      sim.commits.push({ worldIndex: world.record.length, heads, engine: n, t: world.scheduler.now }),
  });
  const entry: Sim['lives'][number] = { n, life, engine: null };
  sim.lives.push(entry);
  world.note({ kind: 'engineUp', engine: n });
  const ports = { ...life.ports, journal: sim.observer.watch(life.ports.journal, () => entry.engine) };
  startEngine(ports, { ...engineOptions, slots: sim.slots }).then(
    (engine) => {
      entry.engine = engine;
      engine.done.catch((error: unknown) => sim.bugs.push(error as Error));
    },
    () => {
      endLife(sim, entry);
      world.scheduler.after(chance.int(1, 500), () => startLife(sim));
    },
  );
}

function endLife(sim: Sim, entry: Sim['lives'][number]): void {
  entry.life.kill();
  sim.lives = sim.lives.filter((each) => each !== entry);
  sim.world.note({ kind: 'engineKilled', engine: entry.n });
}

function killAll(sim: Sim, hostToo: boolean): void {
  const { world, chance } = sim;
  sim.kills += 1;
  for (const entry of sim.lives) endLife(sim, entry);
  if (hostToo) {
    world.note({ kind: 'hostGone' });
    for (const process of world.processes.values()) world.vanish(process);
  }
  world.scheduler.after(chance.int(1, 500), () => startLife(sim));
}

function maybeFault(sim: Sim): void {
  const { world, chance } = sim;
  if (!chance.hit(sizeOf(sim.options).faultsPerStep)) return;
  const newest = sim.lives.at(-1);
  switch (chance.pick(['kill', 'kill', 'kill', 'zombie', 'hostGone', 'vanish', 'clock', 'fullDisk'] as const)) {
    case 'kill':
      if (sim.lives.length > 0) killAll(sim, false);
      return;
    case 'hostGone':
      if (sim.lives.length > 0) killAll(sim, true);
      return;
    case 'zombie': {
      // A second engine on the same journal while the first still lives: only the fence separates them.
      if (!newest?.engine || sim.lives.length > 1) return;
      startLife(sim);
      world.scheduler.after(chance.int(1, 4_000), () => {
        // Of two engines neither knows what the other started: the next owner of the journal reads it again.
        if (sim.lives.includes(newest)) killAll(sim, false);
      });
      return;
    }
    case 'vanish': {
      const alive = [...world.processes.values()].filter((process) => process.state === 'alive');
      if (alive.length > 0) world.vanish(chance.pick(alive));
      return;
    }
    case 'fullDisk':
      world.freeBytes = 500;
      world.scheduler.after(chance.int(1_000, 30_000), () => {
        world.freeBytes = 1e9;
      });
      return;
    case 'clock':
      if (newest !== undefined) newest.life.clock.skew += chance.pick([-86_400_000, -5_000, 5_000, 3_600_000]);
      return;
  }
}

/** From here on the world is well-behaved: one engine, no failures, a steady clock. */
function heal(sim: Sim): void {
  const { world } = sim;
  world.faulty = false;
  world.accounts.heal();
  for (const { life } of sim.lives) life.clock.skew = 0;
  world.note({ kind: 'healed' });
  if (sim.lives.length > 1) killAll(sim, false);
}

async function isEnded(sim: Sim): Promise<boolean> {
  const engine = sim.lives.at(-1)?.engine ?? null;
  if (engine === null || unnotified(sim) > 0) return false;
  return sim.plans.every((plan) => {
    const stream = sim.disk.streams.get(plan.run.id);
    return stream !== undefined && !stream.open && engine.status.runningEffects === 0;
  });
}

/** How many notices are to be sent, by the journal. */
function unnotified({ disk }: Sim): number {
  const events = disk.streams.get(`host/${engineOptions.host}`)?.events ?? [];
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  return count('notice.raised') - count('notice.sent');
}

function historyOf(sim: Sim, ended: boolean): History {
  const streams = new Map([...sim.disk.streams].map(([name, { events }]) => [name, events]));
  return { streams, world: sim.world.record, commits: sim.commits, ended };
}

/** The state in the engine's memory must equal a fold of the journal from its first event. */
async function replayDiffers(sim: Sim, ended: boolean, replay: Replay): Promise<Violation[]> {
  const engine = sim.lives.at(-1)?.engine ?? null;
  if (engine === null || !ended) return [];
  const out: Violation[] = [];
  for (const { run } of sim.plans) {
    // The copy is taken first: taking it may let the world go on, folding does not.
    const held = await stepUntil(
      sim,
      engine.look(({ runs }) => {
        const copy = runs.get(run.id);
        return copy === undefined ? null : writeRun(copy);
      }),
    );
    const folded = await replay.run(run.id).catch((error: unknown) => String(error));
    if (typeof folded === 'string') {
      out.push({ invariant: 2, what: `the journal of ${run.id} cannot be replayed: ${folded}` });
    } else if (folded === null || (held !== null && held !== writeRun(folded))) {
      out.push({ invariant: 2, what: `the engine's copy of ${run.id} is not a replay of its journal` });
    }
  }
  return out;
}

/** An answer may need the world to go on: an append may be under way. */
async function stepUntil<T>(sim: Sim, answer: Promise<T>): Promise<T> {
  let known = false;
  const noted = answer.finally(() => {
    known = true;
  });
  while (!known && (await sim.world.scheduler.step()));
  return noted;
}

function bugsOf(sim: Sim): Violation[] {
  return sim.bugs.map((bug) => ({ invariant: 2, what: `the engine broke: ${bug.stack ?? bug.message}` }));
}
