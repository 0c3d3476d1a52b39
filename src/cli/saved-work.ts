// Where a task's saved work is, from its view. Refuses in words where there is none.

import type { RunView, TaskView } from '../wire/views.ts';
import { Declined } from './client.ts';
import type { Context } from './context.ts';
import { taskOf } from './copy-task.ts';
import { findTask } from './find.ts';
import { taskWords } from './summary.ts';

export interface SavedWork {
  readonly run: RunView;
  readonly task: TaskView;
  /** The bare repository that Signalbox keeps it in. */
  readonly gitDir: string;
  readonly ref: string;
  readonly commit: string;
  readonly base: string;
}

export async function findSavedWork(context: Pick<Context, 'client'>, word: string): Promise<SavedWork> {
  const { run, taskId } = await findTask(context, word);
  const task = taskOf(run, taskId);
  const { ref, commit, gitDir, base, workspace } = task.attempt ?? { ref: null, commit: null, gitDir: '', base: null };
  if (ref !== null && commit !== null) return { run, task, gitDir, ref, commit, base: base ?? run.repo.base };
  const where = workspace === null || workspace === undefined ? '' : `; its files are in ${workspace}`;
  const when = task.outcome === null ? 'work is saved when an attempt ends' : 'it ended before there was any';
  throw new Declined(`no work of ${task.name} is saved (${taskWords(task)}): ${when}${where}`);
}
