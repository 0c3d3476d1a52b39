// The only writer of state. One tick at a time: commands and facts in, decisions, one append, then the effects that
// ought to be under way and are not. Starting after a crash is loading the record and ticking as ever.

import { setMaxListeners } from 'node:events';
import type { Command } from '../model/command.ts';
import { pickNext } from '../model/dispatch.ts';
import { hostStream } from '../model/host.ts';
import type { RunId } from '../model/ids.ts';
import type { Run } from '../model/run.ts';
import { writeHost, writeRun } from '../model/snapshot.ts';
import type { AssertionFailed } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { type Bell, createBell } from './bell.ts';
import { type Copies, reload } from './copies.ts';
import { createInbox, type Entry, type Inbox, type Outcome } from './inbox.ts';
import { applyToHost, type Draft, decideInto, draftParts, emptyLedger, type Ledger, newDraft } from './ledger.ts';
import { loadRun, openRuns } from './loading.ts';
import type { Ports } from './ports.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import { createUndertakings, type Undertakings } from './undertakings.ts';
import { watchTick } from './watchdog.ts';

export interface EngineOptions {
  readonly host: string;
  readonly slots: number;
  readonly inboxMax: number;
  readonly batchMax: number;
  readonly snapshotEvery: number;
  /** A tick that takes longer is reported. */
  readonly tickLimitMs: number;
}

export interface Engine {
  /** Resolves when it is in the journal, or refused with a reason. */
  send(runId: RunId, command: Command): Promise<Outcome>;
  /** Reads committed state: waits for an append under way, never shows what might not have happened. */
  look<T>(read: (ledger: Ledger) => T): Promise<T>;
  /** A run that has ended and was forgotten is read from the journal. */
  lookRun<T>(runId: RunId, read: (run: Run | null, ledger: Ledger) => T): Promise<T>;
  /** Called after each commit with the streams that grew. A hint: read the record. */
  onCommit(callback: (streams: readonly string[]) => void): () => void;
  readonly status: EngineStatus;
  /** Resolves when the engine has come to rest; rejects with the bug that broke it. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

export interface EngineStatus {
  /** Commands waiting for the tick, and senders kept waiting because the inbox is full. */
  readonly waiting: number;
  readonly held: number;
  readonly undertakings: number;
  /** Why nothing is stored at the moment; null when all is well. */
  readonly trouble: Fault | null;
  /** Streams that are left alone because their record is damaged or too new. */
  readonly quarantined: ReadonlyMap<string, Fault>;
  readonly slowTicks: number;
}

const conflictsMax = 100;
const troubleDelayMs = 250;
const troubleDelayMaxMs = 10_000;
/** Ended runs kept in memory for people who look at them. */
const settledMax = 20;

interface State extends Copies {
  readonly options: EngineOptions;
  readonly inbox: Inbox;
  readonly undertakings: Undertakings;
  readonly snapshots: Snapshots;
  readonly listeners: Set<(streams: readonly string[]) => void>;
  /** Runs whose pending effects are to be looked at in this tick. */
  readonly attention: Set<RunId>;
  readonly wakeAt: Map<RunId, number>;
  trouble: { fault: Fault; until: number; times: number } | null;
  committing: Promise<unknown> | null;
  slowTicks: number;
  /** An effect met what cannot be: the loop ends with it. */
  bug: AssertionFailed | null;
}

export async function startEngine(ports: Ports, options: EngineOptions): Promise<Engine> {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // Every effect under way listens to it.
  const bell = createBell();
  const state: State = {
    ports,
    options,
    ledger: emptyLedger(options.host),
    inbox: createInbox(options.inboxMax, bell.ring),
    bug: null,
    undertakings: createUndertakings(
      ports,
      stopping.signal,
      (runId, command) => state.inbox.send(runId, command),
      bell.ring,
      (error) => {
        state.bug = error;
      },
    ),
    snapshots: createSnapshots(ports, options.snapshotEvery),
    listeners: new Set(),
    quarantined: new Map(),
    doubtful: new Set(),
    attention: new Set(),
    wakeAt: new Map(),
    trouble: null,
    committing: null,
    slowTicks: 0,
  };
  await recover(state);
  const done = loop(state, bell, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort(new Fault('store_closed', 'Signalbox is shutting down'));
    bell.ring();
    await done;
    await state.undertakings.settled();
    await state.snapshots.settled();
  };
  return engineOf(state, done, stop);
}

function engineOf(state: State, done: Promise<void>, stop: () => Promise<void>): Engine {
  const committed = async (): Promise<void> => {
    while (state.committing !== null) await state.committing;
  };
  return {
    send: (runId, command) => state.inbox.send(runId, command),
    async look(read) {
      await committed();
      return read(state.ledger);
    },
    async lookRun(runId, read) {
      await committed();
      const run = state.ledger.runs.get(runId) ?? (await loadRun(state.ports.journal, runId));
      return read(run, state.ledger);
    },
    onCommit(callback) {
      state.listeners.add(callback);
      return () => state.listeners.delete(callback);
    },
    get status() {
      return {
        waiting: state.inbox.waiting,
        held: state.inbox.held,
        undertakings: state.undertakings.size,
        trouble: state.trouble?.fault ?? null,
        quarantined: state.quarantined,
        slowTicks: state.slowTicks,
      };
    },
    done,
    stop,
  };
}

/** Folds the record of everything that still has work in it. What cannot be read is left alone and said. */
async function recover(state: State): Promise<void> {
  state.doubtful.add(hostStream(state.options.host));
  for (const runId of await openRuns(state.ports.journal)) {
    state.doubtful.add(runId);
    state.attention.add(runId);
  }
  await reload(state, []);
}

async function loop(state: State, bell: Bell, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const watch = watchTick(state.ports, state.options.tickLimitMs, () => (state.slowTicks += 1));
      await tick(state);
      watch.end();
      if (state.bug !== null) throw state.bug;
      await bell.wait(state.ports.clock, nextWake(state), signal);
    }
  } finally {
    state.inbox.close(new Fault('store_closed', 'Signalbox is shutting down'));
  }
}

function nextWake(state: State): number | null {
  if (state.trouble !== null) return state.trouble.until;
  if (state.inbox.waiting > 0) return state.ports.clock.now();
  let at: number | null = null;
  for (const wake of state.wakeAt.values()) if (at === null || wake < at) at = wake;
  return at;
}

async function tick(state: State): Promise<void> {
  const { clock } = state.ports;
  if (state.trouble !== null && !troubleIsOver(state, clock.now())) return;
  const batch = state.inbox.take(state.options.batchMax);
  for (let conflicts = 0; ; conflicts++) {
    try {
      await reload(state, batch);
      if (await decideAndStore(state, batch, clock.now())) break;
      if (conflicts >= conflictsMax) throw new Fault('too_busy', `another writer won ${conflicts} times in a row`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return inTrouble(state, batch, error);
    }
  }
  state.trouble = null;
  startEffects(state, clock.now());
}

/** true when it is stored; false when another writer came first and all must be decided again. */
async function decideAndStore(state: State, batch: readonly Entry[], now: number): Promise<boolean> {
  const { ledger, ports } = state;
  const draft = newDraft(now);
  const answers = batch.map((entry): Outcome => answerOf(state, draft, entry));
  letTimePass(state, draft);
  configureHost(state, draft);
  dispatch(state, draft);
  if (draft.parts.size > 0 && !(await store(state, draft))) return false;
  batch.forEach((entry, i) => entry.answer(answers[i] as Outcome));
  if (draft.parts.size > 0) {
    const streams = [...draft.parts.keys()];
    for (const listener of state.listeners) listener(streams);
    for (const stream of streams) takeSnapshot(state, stream);
  }
  forgetSettled(ledger, ports);
  return true;
}

function answerOf(state: State, draft: Draft, { runId, command }: Entry): Outcome {
  const quarantine = state.quarantined.get(runId);
  if (quarantine !== undefined) {
    return { kind: 'refused', refusal: { kind: 'notAllowed', reason: quarantine.message } };
  }
  const decision = decideInto(draft, state.ledger, runId, command);
  state.attention.add(runId);
  return decision.kind === 'decided' ? { kind: 'accepted' } : decision;
}

/** Timers are not kept anywhere: a run says when to look, and then decides from the record what is due. */
function letTimePass(state: State, draft: Draft): void {
  for (const [runId, at] of state.wakeAt) {
    if (at > draft.at) continue;
    state.wakeAt.delete(runId);
    state.attention.add(runId);
    for (;;) {
      const decision = decideInto(draft, state.ledger, runId, { type: 'tick' });
      if (decision.kind === 'refused' || decision.events.length === 0) break;
    }
  }
}

function configureHost(state: State, draft: Draft): void {
  const { ledger, options } = state;
  if (ledger.host.slots !== options.slots) {
    applyToHost(draft, ledger, [{ type: 'host.configured', slots: options.slots }]);
  }
}

function dispatch(state: State, draft: Draft): void {
  const { ledger } = state;
  for (;;) {
    const pick = pickNext(ledger.host, ledger.runs.values());
    if (pick === null) return;
    decideInto(draft, ledger, pick.runId, { type: 'start', taskId: pick.taskId, host: ledger.hostName });
    state.attention.add(pick.runId);
  }
}

async function store(state: State, draft: Draft): Promise<boolean> {
  // Until the append is confirmed the copies in memory are ahead of the record: if anything goes wrong they go.
  for (const stream of draft.parts.keys()) state.doubtful.add(stream);
  const append = state.ports.journal.append(draftParts(draft, state.ledger));
  state.committing = append.then(noop, noop);
  try {
    const outcome = await append;
    if (outcome.kind === 'conflict') return false;
    for (const stream of draft.parts.keys()) state.doubtful.delete(stream);
    return true;
  } finally {
    state.committing = null;
  }
}

/** The journal takes nothing at the moment: whoever asked is told, the effects come back by themselves later. */
function inTrouble(state: State, batch: readonly Entry[], fault: Fault): void {
  const times = (state.trouble?.times ?? 0) + 1;
  const delay = Math.min(troubleDelayMs * 2 ** (times - 1), troubleDelayMaxMs);
  state.trouble = { fault, until: state.ports.clock.now() + delay, times };
  for (const entry of batch) entry.fail(fault);
  for (const runId of state.ledger.runs.keys()) state.attention.add(runId);
  state.ports.log.warn('the journal takes nothing', { code: fault.code, error: fault.message, times });
}

function troubleIsOver(state: State, now: number): boolean {
  const { trouble } = state;
  if (trouble === null || now >= trouble.until || trouble.until - now > troubleDelayMaxMs) return true;
  // People get their answer at once, not when the disk has room again.
  for (const entry of state.inbox.take(state.options.batchMax)) entry.fail(trouble.fault);
  return false;
}

function startEffects(state: State, now: number): void {
  for (const runId of state.undertakings.ended()) state.attention.add(runId);
  for (const runId of state.attention) {
    const run = state.ledger.runs.get(runId);
    if (run === undefined) continue;
    const wakeAt = state.undertakings.start(run, now);
    if (wakeAt === null) state.wakeAt.delete(runId);
    else state.wakeAt.set(runId, wakeAt);
  }
  state.attention.clear();
}

function takeSnapshot(state: State, stream: string): void {
  const { ledger, snapshots } = state;
  if (stream.startsWith('host/'))
    snapshots.consider(stream, ledger.host.seq, ledger.host.held.size, () => writeHost(ledger.host));
  const run = ledger.runs.get(stream as RunId);
  if (run !== undefined) snapshots.consider(stream, run.seq, run.tasks.size, () => writeRun(run));
}

function forgetSettled(ledger: Ledger, ports: Ports): void {
  if (ledger.runs.size <= settledMax) return;
  const settled = [...ledger.runs].filter(([, run]) => run.state === 'settled');
  settled.sort(([, a], [, b]) => (a.settledAt ?? 0) - (b.settledAt ?? 0));
  for (const [runId] of settled.slice(0, Math.max(0, settled.length - settledMax))) {
    ledger.runs.delete(runId);
    ports.log.info('run is no longer kept in memory', { runId });
  }
}

function noop(): void {}
