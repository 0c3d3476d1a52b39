// The only writer of state. One tick at a time: commands and facts in, decisions, one append, then the effects that
// ought to be running and are not. Starting after a crash loads the journal and ticks as usual.

import { setMaxListeners } from 'node:events';
import type { Command } from '../model/core/command.ts';
import type { LaunchId, RunId } from '../model/core/ids.ts';
import type { Run } from '../model/core/run.ts';
import { hostStream } from '../model/host/host.ts';
import type { Progress } from '../model/session/agent-activity.ts';
import type { Ports } from '../ports/engine-ports.ts';
import { Fault } from '../std/fault.ts';
import { createInbox, type Outcome } from './command-queue.ts';
import { lookInto, lookIntoRun } from './commit.ts';
import { createNotifying } from './effects/notify-people.ts';
import { createRunningEffects } from './effects/running-effects.ts';
import { createHostOrders, type HostOrders } from './host-orders.ts';
import { openRuns } from './load-stream.ts';
import { watchTick } from './slow-tick.ts';
import { createSnapshots } from './snapshots.ts';
import type { HostOptions } from './start-next.ts';
import { emptyLedger, type Ledger } from './state-cache.ts';
import { reload } from './state-reload.ts';
import { type EngineState, nextWake, tick } from './tick.ts';
import { type Bell, createBell } from './wake-signal.ts';
import { createNews, type News } from './watch/live-progress.ts';
import { type Guard, type GuardOptions, startGuard } from './watch/resource-guard.ts';

export interface EngineOptions extends HostOptions {
  readonly host: string;
  readonly inboxMax: number;
  readonly batchMax: number;
  readonly snapshotEvery: number;
  /** A tick that takes longer is reported. */
  readonly tickLimitMs: number;
  readonly guard: GuardOptions;
}

export interface Engine extends Pick<HostOrders, 'setDayBudget' | 'clearLine' | 'pauseAll' | 'unpauseAll'> {
  /** Resolves when it is in the journal, or refused with a reason. */
  send(runId: RunId, command: Command): Promise<Outcome>;
  /** From the next tick on. Fewer slots stop no running attempt. */
  configure(changed: Pick<HostOptions, 'slots' | 'harnessSlots' | 'remindMs'>): void;
  /** Reads stored state: waits for an append in progress, fails while the journal cannot be read. */
  look<T>(read: (ledger: Ledger) => T): Promise<T>;
  /** An ended run that is no longer in memory is loaded from the journal. */
  lookRun<T>(runId: RunId, read: (run: Run | null, ledger: Ledger) => T): Promise<T>;
  /** Called after each commit with the streams that grew. A hint: read the journal. */
  onCommit(callback: (streams: readonly string[]) => void): () => void;
  /** What a running launch is doing; null = it has printed nothing since this engine started. */
  progress(launchId: LaunchId): Progress | null;
  readonly status: EngineStatus;
  /** Resolves when the engine has stopped; rejects with the bug that broke it. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

export interface EngineStatus {
  /** Commands waiting for the tick, and senders kept waiting because the inbox is full. */
  readonly waiting: number;
  readonly held: number;
  readonly runningEffects: number;
  /** Why nothing can be stored at the moment; null when all is well. */
  readonly trouble: Fault | null;
  /** Quarantined streams: their events are damaged or too new. */
  readonly quarantined: ReadonlyMap<string, Fault>;
  readonly slowTicks: number;
  /** Agents are frozen because the disk is nearly full. */
  readonly frozen: boolean;
}

export async function startEngine(ports: Ports, options: EngineOptions): Promise<Engine> {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // Every running effect listens to it.
  const bell = createBell();
  const news = createNews();
  const hostOrders = createHostOrders(bell.ring);
  const state: EngineState = {
    ports,
    options,
    ledger: emptyLedger(options.host),
    inbox: createInbox(options.inboxMax, bell.ring),
    hostOrders,
    notifying: createNotifying(ports, hostOrders.noticeSent, stopping.signal, bell.ring),
    bug: null,
    runningEffects: createRunningEffects(
      ports,
      stopping.signal,
      { send: (runId, command) => state.inbox.send(runId, command), lookRun: (runId, read) => lookRun(runId, read) },
      bell.ring,
      (error) => {
        state.bug = error;
      },
      news,
    ),
    snapshots: createSnapshots(ports, options.snapshotEvery),
    listeners: new Set(),
    quarantined: new Map(),
    doubtful: new Set(),
    attention: new Set(),
    wakeAt: new Map(),
    decidedAt: ports.clock.now(),
    trouble: null,
    committing: null,
    unreadable: null,
    slowTicks: 0,
  };
  const lookRun = lookIntoRun(state);
  await recover(state);
  const done = loop(state, bell, options.tickLimitMs, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort(new Fault('store_closed', 'Signalbox is shutting down'));
    bell.ring();
    await done;
    await guard.done;
    await state.runningEffects.drained();
    await state.notifying.drained();
    await state.snapshots.drained();
  };
  const look = lookInto(state);
  const guard = startGuard(
    ports,
    options.guard,
    look,
    (runId, command) => state.inbox.send(runId, command),
    news.inFlight,
    stopping.signal,
  );
  return engineOf(state, done, stop, guard, news, bell.ring);
}

function engineOf(
  state: EngineState,
  done: Promise<void>,
  stop: () => Promise<void>,
  guard: Guard,
  news: News,
  wake: () => void,
): Engine {
  const look = lookInto(state);
  return {
    send: (runId, command) => state.inbox.send(runId, command),
    setDayBudget: state.hostOrders.setDayBudget,
    clearLine: state.hostOrders.clearLine,
    pauseAll: state.hostOrders.pauseAll,
    unpauseAll: state.hostOrders.unpauseAll,
    configure(changed) {
      state.options = { ...state.options, ...changed };
      wake();
    },
    look,
    lookRun: lookIntoRun(state),
    onCommit(callback) {
      state.listeners.add(callback);
      return () => state.listeners.delete(callback);
    },
    progress: news.of,
    get status() {
      return {
        waiting: state.inbox.waiting,
        held: state.inbox.held,
        runningEffects: state.runningEffects.size,
        trouble: state.trouble?.fault ?? null,
        quarantined: state.quarantined,
        slowTicks: state.slowTicks,
        frozen: guard.frozen,
      };
    },
    done,
    stop,
  };
}

/** Loads every run that still has work. A stream that cannot be read is quarantined and reported. */
async function recover(state: EngineState): Promise<void> {
  state.doubtful.add(hostStream(state.ledger.hostName));
  for (const runId of await openRuns(state.ports.journal)) state.doubtful.add(runId);
  for (const runId of await reload(state, [])) state.attention.add(runId);
}

async function loop(state: EngineState, bell: Bell, tickLimitMs: number, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const watch = watchTick(state.ports, tickLimitMs, () => (state.slowTicks += 1));
      await tick(state);
      watch.end();
      if (state.bug !== null) throw state.bug;
      await bell.wait(state.ports.clock, nextWake(state), signal);
    }
  } finally {
    const closed = new Fault('store_closed', 'Signalbox is shutting down');
    state.inbox.close(closed);
    state.hostOrders.close(closed);
  }
}
