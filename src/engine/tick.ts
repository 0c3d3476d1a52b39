// One tick: decides all waiting commands against the copies in memory, stores the events in one append, answers, and
// starts the effects that ought to be running. Nothing leaves this file before the append succeeded.

import type { RunId } from '../model/core/ids.ts';
import { writeHost, writeRun } from '../model/snapshot.ts';
import type { AssertionFailed } from '../std/assert.ts';
import { localDay } from '../std/clock.ts';
import { Fault } from '../std/fault.ts';
import type { Entry, Inbox, Outcome } from './command-queue.ts';
import { commit, readAgain } from './commit.ts';
import type { Notifying } from './effects/notify-people.ts';
import type { RunningEffects } from './effects/running-effects.ts';
import { type HostOrder, type HostOrders, isNews } from './host-orders.ts';
import {
  configureHost,
  dispatch,
  type HostOptions,
  mindTheAsks,
  mindTheDay,
  mindThePause,
  sharedWakes,
} from './start-next.ts';
import { applyToHost, type Draft, decideInto, isDone, newDraft } from './state-cache.ts';
import type { Copies } from './state-reload.ts';

const conflictsMax = 100;
const troubleDelayMs = 250;
const troubleDelayMaxMs = 10_000;
/** Nothing tells when memory is free again: poll for it. */
const scarceDelayMs = 1_000;
/** Ended runs that stay in memory for people who look at them. */
const endedMax = 20;

export interface TickOptions extends HostOptions {
  readonly batchMax: number;
}

export interface EngineState extends Copies {
  options: TickOptions;
  readonly inbox: Inbox;
  readonly hostOrders: HostOrders;
  readonly runningEffects: RunningEffects;
  readonly notifying: Notifying;
  readonly listeners: Set<(streams: readonly string[]) => void>;
  /** Runs whose pending effects this tick examines. */
  readonly attention: Set<RunId>;
  readonly wakeAt: Map<RunId, number>;
  /** The time of the last decision: timers since then are not examined yet. */
  decidedAt: number;
  trouble: { fault: Fault; until: number; times: number } | null;
  /** Until it resolves the copies may be ahead of the journal. */
  committing: Promise<unknown> | null;
  /** Why copies that may be ahead of the journal could not be reloaded; null = they were. */
  unreadable: Fault | null;
  slowTicks: number;
  /** An effect hit a bug: the loop ends with it. */
  bug: AssertionFailed | null;
}

export async function tick(state: EngineState): Promise<void> {
  const { clock } = state.ports;
  if (state.trouble !== null && !troubleIsOver(state, clock.now())) return;
  const batch = state.inbox.take(state.options.batchMax);
  const orders = state.hostOrders.take();
  for (let conflicts = 0; ; conflicts++) {
    try {
      await readAgain(state, batch);
      if (await decideAndStore(state, batch, orders, clock.now())) break;
      if (conflicts >= conflictsMax)
        throw new Fault(
          'too_busy',
          `another process wrote to the journal ${conflicts} times in a row: does a second daemon use this home?`,
        );
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return inTrouble(state, [...batch, ...orders], error);
    }
  }
  state.trouble = null;
  startEffects(state, clock.now());
}

/** true when it is stored; false when another writer came first and all must be decided again. */
async function decideAndStore(
  state: EngineState,
  batch: readonly Entry[],
  orders: readonly HostOrder[],
  now: number,
): Promise<boolean> {
  state.decidedAt = now;
  const draft = newDraft(now, localDay(now).name, state.ports.seal);
  const answers = batch.map((entry): Outcome => answerOf(state, draft, entry));
  letTimePass(state, draft);
  configureHost(state, draft);
  applyToHost(
    draft,
    state.ledger,
    orders.map(({ event }) => event).filter((event) => isNews(state.ledger.host, event)),
  );
  mindTheAsks(state, draft);
  for (const runId of mindThePause(state, draft)) state.attention.add(runId);
  for (const runId of mindTheDay(state, draft)) state.attention.add(runId);
  for (const runId of dispatch(state, draft)) state.attention.add(runId);
  if (draft.parts.size > 0 && !(await commit(state, draft))) return false;
  batch.forEach((entry, i) => entry.answer(answers[i] as Outcome));
  for (const { answer } of orders) answer();
  if (draft.parts.size > 0) {
    const streams = [...draft.parts.keys()];
    for (const listener of state.listeners) listener(streams);
    for (const stream of streams) takeSnapshot(state, stream);
  }
  forgetEnded(state);
  return true;
}

function answerOf(state: EngineState, draft: Draft, { runId, command }: Entry): Outcome {
  const quarantine = state.quarantined.get(runId);
  if (quarantine !== undefined) {
    return { kind: 'refused', refusal: { kind: 'notAllowed', reason: quarantine.message } };
  }
  const decision = decideInto(draft, state.ledger, runId, command);
  state.attention.add(runId);
  return decision.kind === 'decided' ? { kind: 'accepted' } : decision;
}

/** Timers are not stored: a run says when to look, and then decides from its state what is due. */
function letTimePass(state: EngineState, draft: Draft): void {
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

/** The journal stores nothing at the moment: callers get the error; effects are listed again later. */
function inTrouble(state: EngineState, batch: readonly Pick<Entry, 'fail'>[], fault: Fault): void {
  const times = (state.trouble?.times ?? 0) + 1;
  const delay = Math.min(troubleDelayMs * 2 ** (times - 1), troubleDelayMaxMs);
  state.trouble = { fault, until: state.ports.clock.now() + delay, times };
  for (const entry of batch) entry.fail(fault);
  for (const runId of state.ledger.runs.keys()) state.attention.add(runId);
  state.ports.log.warn('the journal takes nothing', { code: fault.code, error: fault.message, times });
}

function troubleIsOver(state: EngineState, now: number): boolean {
  const { trouble } = state;
  if (trouble === null || now >= trouble.until || trouble.until - now > troubleDelayMaxMs) return true;
  // People get their answer at once, not when the disk has space again.
  for (const entry of state.inbox.take(state.options.batchMax)) entry.fail(trouble.fault);
  return false;
}

function startEffects(state: EngineState, now: number): void {
  for (const runId of state.runningEffects.ended()) state.attention.add(runId);
  for (const runId of state.attention) {
    const run = state.ledger.runs.get(runId);
    if (run === undefined) continue;
    const wakeAt = state.runningEffects.start(run, now);
    if (wakeAt === null) state.wakeAt.delete(runId);
    else state.wakeAt.set(runId, wakeAt);
  }
  state.attention.clear();
  state.notifying.start(state.ledger.host);
}

function takeSnapshot(state: EngineState, stream: string): void {
  const { ledger, snapshots } = state;
  if (stream.startsWith('host/'))
    snapshots.consider(stream, ledger.host.seq, ledger.host.held.size, () => writeHost(ledger.host));
  const run = ledger.runs.get(stream as RunId);
  if (run !== undefined) snapshots.consider(stream, run.seq, run.tasks.size, () => writeRun(run));
}

function forgetEnded({ ledger, ports, snapshots }: EngineState): void {
  if (ledger.runs.size <= endedMax) return;
  const ended = [...ledger.runs].filter(([, run]) => isDone(run));
  ended.sort(([, a], [, b]) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
  for (const [runId] of ended.slice(0, Math.max(0, ended.length - endedMax))) {
    ledger.runs.delete(runId);
    snapshots.forget(runId);
    ports.log.info('run is no longer kept in memory', { runId });
  }
}

/** The next time at which time alone changes something; null when only a command or a fact can. */
export function nextWake(state: EngineState): number | null {
  if (state.trouble !== null) return state.trouble.until;
  if (state.inbox.waiting > 0) return state.ports.clock.now();
  let at: number | null = state.ledger.host.scarce === null ? null : state.ports.clock.now() + scarceDelayMs;
  for (const wake of state.wakeAt.values()) if (at === null || wake < at) at = wake;
  for (const wake of sharedWakes(state, state.decidedAt)) if (at === null || wake < at) at = wake;
  return at;
}
