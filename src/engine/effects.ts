// Carries out one effect: reads what it needs of the state at once, asks a port, and brings the result back as a
// command. It never changes state itself, and a failure becomes a fact like any other.

import type { Harness } from '../harness/harness.ts';
import type { Command } from '../model/command.ts';
import type { Effect } from '../model/pending.ts';
import type { Attempt, Run, Task } from '../model/run.ts';
import { AssertionFailed, must, unreachable } from '../std/assert.ts';
import { isFault } from '../std/fault.ts';
import type { Outcome } from './inbox.ts';
import type { Ports, WorkspaceOrder } from './ports.ts';
import { watchLaunch } from './watching.ts';

export interface EffectContext {
  readonly ports: Ports;
  readonly run: Run;
  readonly signal: AbortSignal;
  send(command: Command): Promise<Outcome>;
}

/** Resolves when the result is in the journal; rejects only when the journal could not take it. */
export async function carryOut(effect: Effect, context: EffectContext): Promise<void> {
  let result: Command | null;
  try {
    result = await perform(effect, context);
  } catch (error) {
    if (context.signal.aborted) return;
    if (error instanceof AssertionFailed) throw error;
    result = {
      type: 'effectFailed',
      attemptId: effect.attemptId,
      effect: effect.kind,
      code: isFault(error) ? error.code : 'unexpected',
      message: error instanceof Error ? error.message : String(error),
    };
    context.ports.log.warn('effect failed', { key: effect.key, code: result.code, error: result.message });
  }
  if (result !== null) await context.send(result);
}

async function perform(effect: Effect, context: EffectContext): Promise<Command | null> {
  const { ports, run, signal } = context;
  const attempt = must(run.live.get(effect.attemptId), 'an effect belongs to a live attempt');
  const task = must(run.tasks.get(attempt.taskId), 'an attempt has a task');
  const { attemptId } = effect;
  switch (effect.kind) {
    case 'prepare': {
      const { path, base } = await ports.workspaces.prepare(workspaceOrder(run, task, attempt), signal);
      return { type: 'prepared', attemptId, path, base };
    }
    case 'launch': {
      const sighting = await ports.launches.start(launchSpec(ports, run, task, attempt), signal);
      const process = sighting.kind === 'alive' ? sighting.identity : null;
      return { type: 'launched', launchId: effect.launchId, process };
    }
    case 'watch':
      return watchLaunch(context, harnessOf(ports, task), attempt);
    case 'write': {
      const { launchId, messageId } = effect;
      const offset = must(attempt.launch, 'it runs').written;
      const record = encode(harnessOf(ports, task), run, task, attempt, messageId);
      return { type: 'written', launchId, messageId, end: await ports.launches.write(launchId, offset, record) };
    }
    case 'signal':
      await ports.launches.signal(effect.launchId, effect.rung);
      return { type: 'signalled', launchId: effect.launchId, rung: effect.rung };
    case 'save': {
      const { ref, commit } = await ports.workspaces.save(workspaceOrder(run, task, attempt), signal);
      return { type: 'saved', attemptId, ref, commit };
    }
    case 'prove': {
      const { path: workspace, commit } = attempt.workspace;
      const { checks } = task.spec;
      return {
        type: 'proved',
        attemptId,
        items: await ports.prover.prove({ attemptId, commit, workspace, checks }, signal),
      };
    }
    default:
      return unreachable(effect);
  }
}

function workspaceOrder(run: Run, task: Task, attempt: Attempt): WorkspaceOrder {
  const { id: runId, repo } = must(run.spec, 'a run that works is created');
  const { id: attemptId, n, startedAt: at } = attempt;
  return { runId, taskId: task.spec.id, attemptId, n, repo, title: task.spec.name, at };
}

function launchSpec(ports: Ports, run: Run, task: Task, attempt: Attempt) {
  const agent = must(run.agents.get(attempt.agentId), 'an attempt has an agent');
  const launch = must(attempt.launch, 'it launches');
  const home = ports.agentHome(agent.id);
  const { argv, env } = harnessOf(ports, task).command({
    agentId: agent.id,
    session: agent.session,
    resume: launch.resume,
    settings: task.spec.settings,
    home,
  });
  return { launchId: launch.id, argv, env, cwd: attempt.workspace.path };
}

function encode(harness: Harness, run: Run, task: Task, attempt: Attempt, messageId: string): string {
  const agent = must(run.agents.get(attempt.agentId), 'an attempt has an agent');
  const message = must(
    agent.mail.find((each) => each.id === messageId),
    'a message that is due is in the mail',
  );
  const { body } = message;
  const order = body.kind === 'prompt' ? ({ kind: 'text', text: task.spec.prompt } as const) : body;
  return harness.encode({ messageId: message.id, body: order });
}

function harnessOf(ports: Ports, task: Task): Harness {
  return must(ports.harness(task.spec.harness), `harness ${task.spec.harness} was checked on submission`);
}
