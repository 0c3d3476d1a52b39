// The effects that are running, each once by its key. An effect that ends without changing the state is listed by
// `pending` again and so started again: nothing here has to survive a crash.

import { breakOffReason } from '../../model/attempt/stopping.ts';
import type { Command } from '../../model/core/command.ts';
import type { RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { type Effect, pending } from '../../model/pending.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import { AssertionFailed } from '../../std/assert.ts';
import type { News } from '../watch/live-progress.ts';
import { brokenOff } from './cancel-reason.ts';
import { carryOut, type EffectContext } from './run-effect.ts';

export interface RunningEffects {
  readonly size: number;
  /**
   * Starts the effects that ought to be running and are not; returns when time alone will make another look necessary.
   */
  start(run: Run, now: number): number | null;
  /** Runs of which an effect has ended since the last call. */
  ended(): Iterable<RunId>;
  drained(): Promise<void>;
}

export function createRunningEffects(
  ports: Ports,
  signal: AbortSignal,
  { send, lookRun }: Pick<EffectContext, 'lookRun'> & { readonly send: EffectContext['sendTo'] },
  onEnd: () => void,
  onBug: (error: AssertionFailed) => void,
  news: News,
): RunningEffects {
  const underway = new Map<string, RunningEffect>();
  let endedRuns = new Set<RunId>();
  return {
    get size() {
      return underway.size;
    },
    start(run, now) {
      const { effects, wakeAt } = pending(run, now);
      for (const effect of effects) {
        const already = underway.get(effect.key);
        if (already !== undefined) breakOff(already, run, effect);
        if (already !== undefined || signal.aborted) continue;
        const ending = new AbortController();
        const leave = (): void => ending.abort(signal.reason);
        signal.addEventListener('abort', leave, { once: true });
        const context = {
          ports,
          run,
          signal: ending.signal,
          tell: news.tell,
          follow: news.follow,
          send: (command: Command) => send(effect.runId, command),
          sendTo: send,
          lookRun,
        };
        const work = carryOut(effect, context)
          .catch((error: unknown) => {
            // Otherwise the journal did not store the result: the effect is listed again.
            if (error instanceof AssertionFailed) onBug(error);
          })
          .finally(() => {
            underway.delete(effect.key);
            signal.removeEventListener('abort', leave);
            if (effect.kind === 'watch') news.forget(effect.launchId);
            endedRuns.add(effect.runId);
            onEnd();
          });
        underway.set(effect.key, { effect, work, ending, unwanted: unwantedIn(run) });
      }
      return wakeAt;
    },
    ended() {
      const runs = endedRuns;
      endedRuns = new Set();
      return runs;
    },
    async drained() {
      while (underway.size > 0) await Promise.allSettled([...underway.values()].map(({ work }) => work));
    },
  };
}

interface RunningEffect {
  /** As it was when it was started. */
  readonly effect: Effect;
  readonly work: Promise<void>;
  readonly ending: AbortController;
  readonly unwanted: number;
}

/** A setup or a check can take long; stopping its task does not wait for it. */
function breakOff({ ending, unwanted, effect: begun }: RunningEffect, run: Run, effect: Effect): void {
  if (effect.kind === 'integrate') {
    // Works that were unwanted when it started are known to it.
    if (unwantedIn(run) > unwanted) ending.abort(brokenOff());
    return;
  }
  if (effect.kind === 'land') {
    // It is started again with its current meaning.
    if (begun.kind === 'land' && begun.wanted && !effect.wanted) ending.abort(brokenOff());
    return;
  }
  if (effect.kind !== 'prepare' && effect.kind !== 'prove') return;
  const attempt = run.live.get(effect.attemptId);
  if (attempt !== undefined && breakOffReason(run, attempt) !== null) ending.abort(brokenOff());
}

/** How many works in the integration queue are no longer wanted. */
function unwantedIn(run: Run): number {
  return [...run.integration.queue.values()].filter((attempt) => breakOffReason(run, attempt) !== null).length;
}
