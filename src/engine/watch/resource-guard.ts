// Keeps agents within their caps and the disk above its minimum. It looks once an interval, decides with pure functions
// and sends commands; the stop ladder does the rest. It remembers only what a restart may forget.

import { isAsking } from '../../model/asks/asks-alone.ts';
import { openRequests } from '../../model/asks/find-asks.ts';
import { isEnding } from '../../model/attempt/stopping.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import type { Command } from '../../model/core/command.ts';
import type { LaunchId, RunId } from '../../model/core/ids.ts';
import { pauseOf } from '../../model/core/pause.ts';
import type { Run } from '../../model/core/run.ts';
import type { TaskCaps } from '../../model/core/spec.ts';
import { isInput } from '../../model/messages/record-queue.ts';
import { excessOf, type Measure } from '../../model/spending/caps.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { Outcome } from '../command-queue.ts';
import type { Ledger } from '../state-cache.ts';

export interface GuardOptions {
  readonly everyMs: number;
  /** Agents are frozen below this, and continued when half as much again is free. */
  readonly freeBytesMin: number;
}

export interface Guard {
  /** Whether agents are frozen because the disk is nearly full. */
  readonly frozen: boolean;
  readonly done: Promise<void>;
}

interface Watched {
  readonly runId: RunId;
  readonly launchId: LaunchId;
  readonly caps: TaskCaps;
  /** A turn is in progress and was not asked to end. */
  readonly working: boolean;
}

export function startGuard(
  ports: Ports,
  options: GuardOptions,
  look: (read: (ledger: Ledger) => Watched[]) => Promise<Watched[]>,
  send: (runId: RunId, command: Command) => Promise<Outcome>,
  inFlight: (launchId: LaunchId) => readonly string[],
  signal: AbortSignal,
): Guard {
  const seen = new Map<LaunchId, Seen>();
  // At most this much of the time between two looks counts as silence: the machine may have slept, or its clock may
  // have been set.
  const lookMaxMs = 3 * options.everyMs;
  const guard = { frozen: false, looked: false, done: Promise.resolve() };
  const round = async (): Promise<void> => {
    const watched = await look(watchedLaunches);
    // First: on a full disk neither measuring nor the journal may work.
    await mindTheDisk(ports, options, guard, watched);
    const ids = watched.map((each) => each.launchId);
    const measures = await ports.launches.measureAll(ids);
    if (seen.size > 0) forgetAllBut(seen, new Set(ids));
    const now = ports.clock.now();
    for (const each of watched) {
      const measure = measures.get(each.launchId);
      if (measure === undefined) continue;
      // Frozen agents cannot print: that silence does not count.
      const ms = each.working && !guard.frozen ? silence(seen.get(each.launchId), measure, now, lookMaxMs) : 0;
      seen.set(each.launchId, { bytes: measure.outBytes, at: now, silentMs: ms });
      const silent = ms === 0 ? null : { ms, inFlight: () => inFlight(each.launchId) };
      const excess = excessOf(each.caps, measure, silent);
      if (excess !== null) await send(each.runId, { type: 'exceeded', launchId: each.launchId, ...excess });
    }
  };
  guard.done = loop(ports, options.everyMs, round, signal);
  return guard;
}

async function loop(ports: Ports, everyMs: number, round: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const cancel = ports.clock.wake(ports.clock.now() + everyMs, resolve);
      signal.addEventListener(
        'abort',
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });
    if (signal.aborted) return;
    await round().catch((error: unknown) => {
      // The next round looks again; a failure is logged and does no harm.
      if (!signal.aborted) ports.log.warn('guard could not look', { error: String(error) });
    });
  }
}

function forgetAllBut(seen: Map<LaunchId, unknown>, ids: ReadonlySet<LaunchId>): void {
  for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
}

interface Seen {
  readonly bytes: number;
  readonly at: number;
  readonly silentMs: number;
}

/** How long the launch has printed nothing since this guard has been looking. */
function silence(last: Seen | undefined, { outBytes }: Measure, now: number, lookMaxMs: number): number {
  if (last === undefined || last.bytes !== outBytes) return 0;
  return last.silentMs + Math.min(Math.max(0, now - last.at), lookMaxMs);
}

async function mindTheDisk(
  ports: Ports,
  { freeBytesMin }: GuardOptions,
  guard: { frozen: boolean; looked: boolean },
  watched: readonly Watched[],
): Promise<void> {
  const free = await ports.freeBytes();
  const freeze = guard.frozen ? free < freeBytesMin * 1.5 : free < freeBytesMin;
  if (freeze !== guard.frozen) {
    const message = freeze ? 'agents are frozen: the disk is nearly full' : 'agents are thawed: there is room again';
    ports.log.warn(message, { freeBytes: free, freeBytesMin });
  }
  // The first look also continues agents that an earlier daemon froze before it died.
  const thaw = !freeze && (guard.frozen || !guard.looked);
  if (freeze) await Promise.all(watched.map(({ launchId }) => ports.launches.freeze(launchId)));
  if (thaw) await Promise.all(watched.map(({ launchId }) => ports.launches.thaw(launchId)));
  // Only now: the next look retries what failed.
  guard.frozen = freeze;
  guard.looked = true;
}

function watchedLaunches({ runs }: Ledger): Watched[] {
  const out: Watched[] = [];
  for (const [runId, run] of runs) {
    for (const attempt of run.live.values()) {
      const {
        launches: { current: launch },
      } = attempt;
      const task = run.tasks.get(attempt.taskId);
      if (attempt.state !== 'running' || launch === null || task === undefined) continue;
      out.push({ runId, launchId: launch.id, caps: task.spec.caps, working: isWorking(run, attempt) });
    }
  }
  return out;
}

/** It got input and has not reported the end of its turn. */
export function isWorking(run: Run, attempt: Attempt): boolean {
  if (pauseOf(run) !== null) return false;
  // Waiting for a person's permission or answer is not the agent's fault.
  if (isEnding(attempt) || isAsking(attempt) || openRequests(run, attempt).length > 0 || asksPerson(attempt))
    return false;
  return attempt.turn.ended === null || (run.agents.get(attempt.agentId)?.mailbox.records.some(isInput) ?? false);
}

/** Then only its background work keeps its turn open. */
function asksPerson({ waits }: Attempt): boolean {
  return waits !== null && waits.askId !== null;
}
