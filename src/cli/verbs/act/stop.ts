// `signalbox stop`: stops a run, or a task with all its children.

import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { accepted, type RunView, runView } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { inFamilies } from '../../text/task-tree.ts';

export const stop: Verb<{ readonly json?: boolean }> = async (context, [word = ''], { json }) => {
  const { runId, taskId } = await find(context, word);
  const path = taskId === null ? `/runs/${runId}/stop` : `/tasks/${taskId}/stop`;
  const run = await context.client.get(`/runs/${runId}`, runView);
  await context.client.post(path, {}, accepted);
  if (json === true) {
    await context.terminal.print(`${shownJson({ runId, taskId })}\n`);
    return exits.ok;
  }
  await context.terminal.print(
    `${stoppedWords(run, taskId)}. The agent is asked first and killed after ten seconds. Its work is kept.\n`,
  );
  return exits.ok;
};

/** The children of a task are stopped with it. */
export function stoppedWords(run: Pick<RunView, 'id' | 'name' | 'tasks'>, taskId: string | null): string {
  const relatives = inFamilies(run.tasks);
  const at = relatives.findIndex(({ task }) => task.id === taskId);
  const own = relatives[at];
  if (own === undefined) return plainLine(`Stopping ${run.name} (${run.id})`);
  const others = relatives.slice(at + 1);
  const end = others.findIndex(({ depth }) => depth <= own.depth);
  const below = others.slice(0, end === -1 ? undefined : end).filter(({ task }) => task.state !== 'ended');
  const names = below.slice(0, namesMax).map(({ task }) => task.name);
  const more = below.length > namesMax ? ` and ${below.length - namesMax} more` : '';
  const too = below.length === 0 ? '' : ` with its children (${names.join(', ')}${more})`;
  return plainLine(`Stopping ${own.task.name} (${own.task.id})${too}`);
}

const namesMax = 5;
