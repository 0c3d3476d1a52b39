// Effects on the workspace of an attempt: preparing it before the agent starts, saving its work afterwards.

import { breakOffReason } from '../../model/attempt/stopping.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import type { Command } from '../../model/core/command.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { WorkspaceOrder } from '../../ports/workspace-port.ts';
import { must } from '../../std/assert.ts';
import { defined } from '../../std/defined.ts';
import { brokenOff, isBrokenOff } from './cancel-reason.ts';
import { storeArtifacts } from './store-artifacts.ts';

interface Context {
  readonly ports: Ports;
  readonly run: Run;
  readonly signal: AbortSignal;
}

/** A cancelled preparation leaves nothing, also after a crash in the middle of preparing or cleaning up. */
export async function prepare({ ports, run, signal }: Context, task: Task, attempt: Attempt): Promise<Command> {
  const order = workspaceOrder(run, task, attempt);
  const make = async (until: AbortSignal): Promise<Command> => {
    const { path, base, notes } = await ports.workspaces.prepare(order, until);
    return { type: 'prepared', attemptId: attempt.id, path, base, notes: bounded(notes) };
  };
  try {
    if (breakOffReason(run, attempt) === null) return await make(signal);
  } catch (error) {
    if (!isBrokenOff(signal)) throw error;
  }
  if (await ports.workspaces.abandon(order)) throw brokenOff();
  return make(neverAborted);
}

const neverAborted = new AbortController().signal;

export async function save({ ports, run, signal }: Context, task: Task, attempt: Attempt): Promise<Command> {
  const {
    notes,
    files = [],
    ref,
    commit,
    changed,
    uncommitted,
  } = await ports.workspaces.save(workspaceOrder(run, task, attempt), signal);
  const artifacts = await storeArtifacts(ports, run, attempt, { commit, files });
  const work = defined({ ref, commit, changed, uncommitted });
  return { type: 'saved', attemptId: attempt.id, ...work, artifacts, notes: bounded(notes) };
}

/** Notes about a workspace are journalled, and an agent chooses its file names: so they are bounded. */
function bounded(notes: readonly string[] = []): readonly string[] {
  const more = notes.length > notesMax ? [`and ${notes.length - notesMax} more notes`] : [];
  return [...notes.slice(0, notesMax).map((note) => note.slice(0, noteMax)), ...more];
}

const notesMax = 20;
const noteMax = 500;

export function workspaceOrder(run: Run, task: Task, attempt: Attempt): WorkspaceOrder {
  const { id: runId, repo, setup: usualSetup } = must(run.spec, 'a run that works is created');
  const {
    id: attemptId,
    n,
    startedAt: at,
    origin: { from },
  } = attempt;
  const { id: taskId, name: title, sandbox, keeps, setup } = task.spec;
  const sandboxed = sandbox === 'workspace';
  // Only what the user committed sets up workspaces for others: agents wrote the rest, and no key covers all that a setup runs.
  const unproved = attempt.origin.since !== attempt.n || from !== repo.base;
  const start = { repo: { path: repo.path, base: from }, unproved };
  return { runId, taskId, attemptId, n, ...start, title, at, sandboxed, keeps, setup, ...defined({ usualSetup }) };
}
