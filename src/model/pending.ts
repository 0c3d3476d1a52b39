// pending(run, now): the effects that ought to be running, and when to look again. Derived from the state alone, so after a
// crash it lists what was running before; doing one twice does no harm.

import { isAsking } from './asks/asks-alone.ts';
import type { Launch } from './attempt/attempt-state.ts';
import { launchesInTrouble } from './attempt/relaunch.ts';
import { nextRung } from './attempt/stopping.ts';
import { restEndsAt, restingIn } from './children/resting.ts';
import type { Attempt } from './core/attempt.ts';
import type { Rung } from './core/events.ts';
import type { AttemptId, LaunchId, RecordId, RunId } from './core/ids.ts';
import { agentOf, taskOf } from './core/lookup.ts';
import type { Run } from './core/run.ts';
import { effectDelay, landingTriesMax, relaunchDelay, waitIsOver } from './core/timing.ts';
import { decideNextMessage } from './decide-messages.ts';
import { integrationQueue } from './integrate/integration-queue.ts';
import { graceEnds } from './lifecycle/decide-team.ts';
import { isInput, nextToWrite } from './messages/record-queue.ts';
import { decideSpending } from './parking/decide-parking.ts';
import { hasBudgets, holdsInput } from './parking/parking.ts';
import { outOfTimeAt } from './spending/allowance.ts';

export type Effect = { readonly key: string; readonly runId: RunId } & (AttemptEffect | LandEffect | PostEffect);

/** An effect of the run itself. `wanted`: false = the landing is being stopped: only find out what has happened already. */
interface LandEffect {
  readonly kind: 'land';
  readonly n: number;
  readonly wanted: boolean;
}

/** Hands a message to another run: one at a time for each run, so that they arrive in order. */
interface PostEffect {
  readonly kind: 'post';
  readonly toRun: RunId;
  readonly n: number;
}

export type AttemptEffect = { readonly attemptId: AttemptId } & (
  | { readonly kind: 'prepare' }
  | { readonly kind: 'launch'; readonly launchId: LaunchId }
  | { readonly kind: 'watch'; readonly launchId: LaunchId }
  | { readonly kind: 'write'; readonly launchId: LaunchId; readonly recordId: RecordId }
  | { readonly kind: 'signal'; readonly launchId: LaunchId; readonly rung: Rung }
  | { readonly kind: 'save' }
  | { readonly kind: 'prove' }
  | { readonly kind: 'integrate' }
);

export interface Pending {
  readonly effects: Effect[];
  /** The earliest time at which time alone changes something; null = only the world can. */
  wakeAt: number | null;
}

export function pending(run: Run, now: number): Pending {
  const out: Pending = { effects: [], wakeAt: null };
  if (run.spec === null) return out;
  const delayed = run.ready.delayed.peek();
  if (delayed !== undefined) wakeBy(out, now, delayed.task.delay ?? { from: now, ms: 0 });
  if (run.graph.undecided.size > 0 && run.state === 'running') wake(out, now);
  for (const ask of run.openAsks.values()) {
    const timeoutMs = ask.kind === 'gate' ? (taskOf(run, ask.taskId).spec.gate?.timeoutMs ?? null) : null;
    if (timeoutMs !== null) wake(out, ask.openedAt + timeoutMs);
  }
  for (const attempt of run.live.values()) pendingOf(run, run.spec.id, attempt, now, out);
  pendingIntegration(run, run.spec.id, now, out);
  pendingLanding(run, run.spec.id, now, out);
  pendingPosts(run, run.spec.id, out);
  if (hasBudgets(run)) pendingSpending(run, now, out);
  pendingMessages(run, now, out);
  return out;
}

function pendingOf(run: Run, runId: RunId, attempt: Attempt, now: number, out: Pending): void {
  const {
    id: attemptId,
    state,
    launches: { current: launch },
  } = attempt;
  if (state === 'preparing') add(out, attempt, now, { kind: 'prepare', key: `prepare ${attemptId}`, runId, attemptId });
  if (state === 'saving') return add(out, attempt, now, { kind: 'save', key: `save ${attemptId}`, runId, attemptId });
  if (state === 'proving')
    return add(out, attempt, now, { kind: 'prove', key: `prove ${attemptId}`, runId, attemptId });
  if (state === 'integrating') return;
  if (launch !== null && (state === 'launching' || state === 'running')) {
    const { id: launchId } = launch;
    const kind = state === 'launching' ? 'launch' : 'watch';
    const pause = kind === 'launch' ? relaunchDelay(launchesInTrouble(attempt)) : 0;
    if (!waitIsOver(now, launch.intendedAt, pause)) return wake(out, launch.intendedAt + pause);
    add(out, attempt, now, { kind, key: `${kind} ${launchId}`, runId, attemptId, launchId });
    if (kind === 'watch') {
      pendingWrite(run, runId, attempt, launch, now, out);
      pendingSignal(runId, attempt, launch, now, out);
    }
  }
  const { timeoutMs } = taskOf(run, attempt.taskId).spec;
  if (timeoutMs !== null && attempt.stop === null && attempt.parking.parked === null) {
    wake(out, attempt.startedAt + attempt.parking.parkedMs + timeoutMs);
  }
}

/** Time budgets run out by themselves; other budgets are decided at once. */
function pendingSpending(run: Run, now: number, out: Pending): void {
  if (decideSpending(run, now).length > 0) return wake(out, now);
  for (const { taskId } of run.live.values()) {
    const at = outOfTimeAt(run, taskOf(run, taskId), now);
    if (at !== null) wake(out, at);
  }
}

/** Messages to deliver, waits with a time limit, and idle processes to end. */
function pendingMessages(run: Run, now: number, out: Pending): void {
  if (run.state !== 'running') return;
  if (decideNextMessage(run, now).length > 0) return wake(out, now);
  for (const { waits } of run.live.values()) {
    // A wait that is over was handled, even if its agent cannot be notified yet.
    if (waits !== null && waits.until !== null && waits.until > now) wake(out, waits.until);
  }
  for (const {
    parking: { parked },
  } of run.parked.values()) {
    if (parked?.until !== undefined && parked.until > now) wake(out, parked.until);
  }
  for (const attempt of restingIn(run)) wakeBy(out, now, restEndsAt(run, attempt));
  for (const at of graceEnds(run)) if (at > now) wake(out, at);
}

/** One effect for all attempts that wait, under the name of the first: each is merged onto the result of the one before. */
function pendingIntegration(run: Run, runId: RunId, now: number, out: Pending): void {
  const [first] = integrationQueue(run);
  if (first !== undefined)
    add(out, first, now, { kind: 'integrate', key: `integrate ${runId}`, runId, attemptId: first.id });
}

function pendingLanding({ landing, state }: Run, runId: RunId, now: number, out: Pending): void {
  if (landing === null || landing.outcome !== null) return;
  const { n, failing } = landing;
  const ms = failing === null ? 0 : effectDelay(failing.times);
  if (failing !== null && !waitIsOver(now, failing.at, ms)) return wake(out, failing.at + ms);
  // A landing that is given up starts no further try; but a failed try may have moved the branch, which is found out first.
  const wanted = state !== 'stopping' && (failing?.times ?? 0) < landingTriesMax;
  out.effects.push({ kind: 'land', key: `land ${runId} ${n}`, runId, n, wanted });
}

/** Also for a run that has ended: its messages are still delivered. */
function pendingPosts({ messages: { otherRuns } }: Run, runId: RunId, out: Pending): void {
  for (const { runId: toRun, outbox } of otherRuns.values()) {
    const [first] = outbox;
    if (first === undefined) continue;
    out.effects.push({ kind: 'post', key: `post ${runId} ${toRun} ${first.n}`, runId, toRun, n: first.n });
  }
}

/** One record at a time: each is written where the one before it ends. */
function pendingWrite(run: Run, runId: RunId, attempt: Attempt, launch: Launch, now: number, out: Pending): void {
  const agent = agentOf(run, attempt.agentId);
  // A process that found no session ends by itself; what was written to it is dropped, and where that ends in its input is
  // unknown.
  if (launch.resume && agent.session === null && attempt.turn.ended !== null) return;
  const due = nextToWrite(agent);
  if (due === null) return;
  const { message, isLast } = due;
  // An agent that was asked to end would not read it; only records that stop it are still written.
  const isLate = attempt.stop !== null && isLast;
  if (isInput(message) && (isLate || holdsInput(run, attempt, now))) return;
  // The answer would put it to work, and it has no slot.
  if (message.body.kind === 'answer' && isAsking(attempt) && attempt.stop === null) return;
  const { id: launchId } = launch;
  const { id: recordId } = message;
  const key = `write ${launchId} ${recordId}`;
  add(out, attempt, now, { kind: 'write', key, runId, attemptId: attempt.id, launchId, recordId });
}

function pendingSignal(runId: RunId, attempt: Attempt, launch: Launch, now: number, out: Pending): void {
  if (attempt.stop === null) return;
  const { rung, from, ms } = nextRung(launch, attempt.stop);
  if (!waitIsOver(now, from, ms)) return wake(out, from + ms);
  const key = `${rung} ${launch.id}`;
  add(out, attempt, now, { kind: 'signal', key, runId, attemptId: attempt.id, launchId: launch.id, rung });
}

function add(out: Pending, attempt: Attempt, now: number, effect: Effect & AttemptEffect): void {
  const failing = attempt.failing[effect.kind];
  if (failing !== undefined) {
    const ms = effectDelay(failing.times);
    if (!waitIsOver(now, failing.at, ms)) return wake(out, failing.at + ms);
  }
  out.effects.push(effect);
}

function wakeBy(out: Pending, now: number, delay: { from: number; ms: number }): void {
  wake(out, waitIsOver(now, delay.from, delay.ms) ? now : delay.from + delay.ms);
}

function wake(out: Pending, at: number): void {
  if (out.wakeAt === null || at < out.wakeAt) out.wakeAt = at;
}
