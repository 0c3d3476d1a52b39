// Finds the receiver of a message to another run: `run_…/<task>`. Until a person has consented to messages between the
// two runs, the sender learns nothing of the other run but that there is no agent of that name.

import type { RunId, TaskId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { nobodyIn, readersIn } from '../../model/messages/undelivered.ts';
import type { CallRequest } from '../../model/tool-calls/call.ts';
import { isFault } from '../../std/fault.ts';
import { orMeant } from '../../std/nearest.ts';

type Address = NonNullable<Extract<CallRequest, { tool: 'send_message' }>['across']>;
export type LookRun = <T>(runId: RunId, read: (run: Run | null) => T) => Promise<T>;

/** A text: why there is no such agent. null: it is an agent of its own run, by the rest of the name. */
export async function readAddress(own: Run, word: string, lookRun: LookRun): Promise<Address | string | null> {
  const [, runId, name] = /^(run_[^/]*)\/(.*)$/s.exec(word) ?? [];
  if (runId === undefined || name === undefined || runId === own.spec?.id) return null;
  const agreed = own.messages.otherRuns.get(runId as RunId)?.consent?.approved === true;
  const found = lookRun(runId as RunId, (run): Address | string => {
    if (run === null || run.spec === null) return `there is no run ${short(runId)}`;
    if (run.state !== 'running') return `run "${run.spec.name}" (${runId}) is ${run.state}: nobody of it would read it`;
    const task = run.tasks.get(run.graph.taskByName.get(name) ?? (name as TaskId));
    const whose = `of run "${run.spec.name}" (${runId})`;
    const hint = (): string => (agreed ? orMeant(name, readersIn(run)) : '');
    if (task === undefined) return `there is no task ${JSON.stringify(short(name))} ${whose}${hint()}`;
    const nobody = nobodyIn(task);
    if (nobody !== null) return `"${task.spec.name}" ${whose} ${nobody}${hint()}`;
    const { name: called, repo } = run.spec;
    return { runId: run.spec.id, run: called, repo: repo.path, taskId: task.spec.id, task: task.spec.name };
  });
  return found.catch((error: unknown) => {
    // A retry would fail again: answer the caller.
    if (isFault(error, 'journal_corrupt') || isFault(error, 'journal_newer'))
      return `run ${short(runId)} cannot be read`;
    throw error;
  });
}

/** The name of a task of the agent's own run, where the agent wrote the run's id before it. */
export function ownName(own: Run, word: string): string {
  const before = `${own.spec?.id}/`;
  return word.startsWith(before) ? word.slice(before.length) : word;
}

function short(word: string): string {
  return word.length > shownMax ? `${word.slice(0, shownMax)}…` : word;
}

const shownMax = 80;
