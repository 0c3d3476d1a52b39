// What a word of a person means, asked of the daemon.

import { Fault } from '../std/fault.ts';
import { type Found, found, type RunView, runView } from '../wire/views.ts';
import type { Context } from './context.ts';
import { shownTasks } from './shown-tasks.ts';

export function find({ client }: Pick<Context, 'client'>, word: string): Promise<Found> {
  return client.get(`/find?word=${encodeURIComponent(word)}`, found);
}

export interface FoundTask {
  readonly runId: string;
  readonly taskId: string;
  readonly run: RunView;
}

/** A task; a run of one task means that task. */
export async function findTask(context: Pick<Context, 'client'>, word: string): Promise<FoundTask> {
  const { runId, taskId } = await find(context, word);
  const run = await context.client.get(`/runs/${runId}`, runView);
  const tasks = shownTasks(run);
  const [only, another] = tasks;
  if (taskId !== null) return { runId, taskId, run };
  if (only !== undefined && another === undefined) return { runId, taskId: only.id, run };
  const names = tasks.slice(0, namesMax).map(({ name }) => name);
  const more = tasks.length > namesMax ? ', …' : '';
  throw new Fault('bad_request', `"${word}" is a run: name one of its tasks (${names.join(', ')}${more})`);
}

const namesMax = 10;
