// Finds the saved work of a task or run. Explains why if there is none.

import { Fault } from '../../std/fault.ts';
import { type RunView, runView, type TaskView } from '../../wire/views.ts';
import { taskWords } from '../text/summary.ts';
import { Declined } from './client.ts';
import type { Context } from './context.ts';
import { taskOf } from './copy-transcripts.ts';
import { findOrNewest, namesOf } from './find-id.ts';

export interface SavedWork {
  readonly run: RunView;
  /** null: all integrated work on the branch of the run. */
  readonly task: TaskView | null;
  /** The bare repository of Signalbox. */
  readonly gitDir: string;
  readonly ref: string;
  readonly commit: string;
  readonly base: string;
}

/** A run with a single task means that task, even if it failed. */
export async function findSavedWork(context: Context, word: string | undefined): Promise<SavedWork> {
  const { runId, taskId } = await findOrNewest(context, word);
  const run = await context.client.get(`/runs/${runId}`, runView);
  const [only, another] = run.tasks;
  if (taskId !== null) return workOfTask(run, taskOf(run, taskId));
  return only !== undefined && another === undefined ? workOfTask(run, only) : workOfRun(run);
}

function workOfTask(run: RunView, task: TaskView): SavedWork {
  const { ref, commit, gitDir, base, workspace } = task.attempt ?? { ref: null, commit: null, gitDir: '', base: null };
  if (ref !== null && commit !== null) return { run, task, gitDir, ref, commit, base: base ?? run.repo.base };
  if (commit !== null) throw new Declined(`no work of ${task.name} is kept: it is a read-only task`);
  const where = workspace === null || workspace === undefined ? '' : `; its files are in ${workspace}`;
  const when = task.outcome === null ? 'work is saved when an attempt ends' : 'it ended before it made any';
  throw new Declined(`no work of ${task.name} is saved (${taskWords(task)}): ${when}${where}`);
}

function workOfRun(run: RunView): SavedWork {
  // All attempts of a run share one repository.
  const gitDir = run.tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir;
  if (run.branch === null || gitDir === undefined) {
    throw new Fault('bad_request', `"${run.name}" is a run without integrated work: ${namesOf(run)}`);
  }
  const { ref, head, base } = run.branch;
  return { run, task: null, gitDir, ref, commit: head, base };
}
