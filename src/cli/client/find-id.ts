// Resolves a name or id typed by a person, with the help of the daemon.

import { Fault } from '../../std/fault.ts';
import { shownTasks } from '../../wire/shown-tasks.ts';
import { type Found, found, type RunView, runView } from '../../wire/views.ts';
import type { Context } from './context.ts';
import { here } from './current-directory.ts';
import { checkoutTop } from './user-git.ts';

export function find({ client }: Pick<Context, 'client'>, word: string): Promise<Found> {
  return client.get(`/find?word=${encodeURIComponent(word)}`, found);
}

/** Without a word it is the newest run of the repository in the current directory, which a note names. */
export async function findOrNewest(context: Context, word: string | undefined): Promise<Found> {
  if (word !== undefined) return find(context, word);
  const { client, place, terminal } = context;
  const top = await checkoutTop(place, here());
  if (top === null) {
    throw new Fault(
      'not_a_repository',
      'this directory is in no git repository: name a run, or change to its repository',
    );
  }
  const newest = await client.get(`/find?newestIn=${encodeURIComponent(top)}`, found);
  const { name } = await client.get(`/runs/${newest.runId}`, runView);
  terminal.note(`run ${name}: the newest of this repository`);
  return newest;
}

export interface FoundTask {
  readonly runId: string;
  readonly taskId: string;
  readonly run: RunView;
}

/** Finds a task; a run with a single task means that task. */
export async function findTask(context: Context, word: string | undefined): Promise<FoundTask> {
  const { runId, taskId } = await findOrNewest(context, word);
  const run = await context.client.get(`/runs/${runId}`, runView);
  const tasks = shownTasks(run);
  const [only, another] = tasks;
  if (taskId !== null) return { runId, taskId, run };
  if (only !== undefined && another === undefined) return { runId, taskId: only.id, run };
  throw new Fault('bad_request', `"${run.name}" is a run: ${namesOf(run)}`);
}

/** Hint for a run name where a task is needed. */
export function namesOf(run: Pick<RunView, 'tasks'>): string {
  const tasks = shownTasks(run);
  const names = tasks.slice(0, namesMax).map(({ name }) => name);
  return `name one of its tasks (${names.join(', ')}${tasks.length > namesMax ? ', …' : ''})`;
}

const namesMax = 10;
