// Carries out one effect: reads what it needs from the state at once, calls a port, and returns the result as a
// command. It never changes state itself, and a failure becomes a fact like any other.

import { breakOffReason } from '../../model/attempt/stopping.ts';
import { writeSetProof } from '../../model/attempt/verdict.ts';
import type { Command } from '../../model/core/command.ts';
import type { LaunchId, RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { conflictGlobs } from '../../model/integrate/conflict.ts';
import type { Effect } from '../../model/pending.ts';
import type { AgentEvent } from '../../model/session/agent-fact.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import { AssertionFailed, must, unreachable } from '../../std/assert.ts';
import { defined } from '../../std/defined.ts';
import { isFault } from '../../std/fault.ts';
import type { Outcome } from '../command-queue.ts';
import type { LookRun } from '../tool-calls/find-other-run.ts';
import { watchLaunch } from '../watch/watch-launch.ts';
import { brokenOff, isBrokenOff } from './cancel-reason.ts';
import { integrate } from './integrate-effect.ts';
import { land } from './land-effect.ts';
import { harnessOf, launchAgent, writeToAgent } from './launch-effects.ts';
import { post } from './post-effect.ts';
import { prepare, save } from './workspace-effects.ts';

export interface EffectContext {
  readonly ports: Ports;
  readonly run: Run;
  readonly signal: AbortSignal;
  send(command: Command): Promise<Outcome>;
  /** To another run. */
  sendTo(runId: RunId, command: Command): Promise<Outcome>;
  /** Looks at another run; one that is not in memory is loaded from the journal. */
  readonly lookRun: LookRun;
  /** Output that changes no state, shown to people. */
  tell(launchId: LaunchId, event: AgentEvent): void;
  /** Registers how to list an agent's open tool calls. */
  follow(launchId: LaunchId, inFlight: () => readonly string[]): void;
}

/** Resolves when the result is in the journal; rejects only when the journal could not take it. */
export async function carryOut(effect: Effect, context: EffectContext): Promise<void> {
  let result: Command | null;
  try {
    result = await perform(effect, context);
  } catch (error) {
    if (context.signal.aborted && !isBrokenOff(context.signal)) return;
    // The effect is started again with its current meaning, and finds out what was done.
    if ((effect.kind === 'integrate' || effect.kind === 'land') && isBrokenOff(context.signal)) return;
    if (error instanceof AssertionFailed) throw error;
    // The journal did not store it: send it again.
    if (effect.kind === 'post') throw error;
    const code = isFault(error) ? error.code : 'unexpected';
    const message = error instanceof Error ? error.message : String(error);
    result =
      effect.kind === 'land'
        ? { type: 'landingFailed', n: effect.n, code, message }
        : { type: 'effectFailed', attemptId: effect.attemptId, effect: effect.kind, code, message };
    if (!isFault(error, 'stopped')) context.ports.log.warn('effect failed', { key: effect.key, code, error: message });
  }
  if (result !== null) await context.send(result);
}

async function perform(effect: Effect, context: EffectContext): Promise<Command | null> {
  if (effect.kind === 'land') return land(effect, context);
  if (effect.kind === 'post') return post(effect, context);
  const { ports, run, signal } = context;
  const attempt = must(run.live.get(effect.attemptId), 'an effect belongs to a live attempt');
  const task = must(run.tasks.get(attempt.taskId), 'an attempt has a task');
  const { attemptId } = effect;
  switch (effect.kind) {
    case 'prepare':
      return prepare(context, task, attempt);
    case 'launch': {
      const observation = await launchAgent(context, task, attempt);
      const process = observation.kind === 'alive' ? observation.identity : null;
      return { type: 'launched', launchId: effect.launchId, process };
    }
    case 'watch':
      return watchLaunch(context, harnessOf(ports, task), attempt);
    case 'write':
      return writeToAgent(context, task, attempt, effect);
    case 'signal': {
      // Journal the signal first: the end may be journalled before the call returns, and people must see why the
      // process died.
      const { launchId, rung } = effect;
      const noted = await context.send({ type: 'signalled', launchId, rung });
      if (noted.kind === 'accepted') await ports.launches.signal(launchId, rung);
      return null;
    }
    case 'save':
      return save(context, task, attempt);
    case 'prove': {
      if (breakOffReason(run, attempt) !== null) throw brokenOff();
      const { path: workspace, commit } = attempt.workspace;
      const {
        origin: { base },
      } = attempt;
      const { checks, writes, sandbox } = task.spec;
      const globs = writes === null ? null : [...writes, ...conflictGlobs(task)];
      const writeSet = globs === null ? null : { proof: writeSetProof, globs };
      const sandboxed = sandbox === 'workspace';
      const order = {
        attemptId,
        commit,
        workspace,
        checks,
        base,
        ...(run.spec?.integrates === true ? { head: run.integration.head } : {}),
        sandboxed,
        writeSet,
        failuresSince: task.tries.forgivenAt,
        ...defined({ usualSetup: run.spec?.setup }),
      };
      const items = await ports.prover.prove(order, signal);
      return { type: 'proved', attemptId, items };
    }
    case 'integrate':
      return integrate(context);
    default:
      return unreachable(effect);
  }
}
