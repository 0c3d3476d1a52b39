// `signalbox stop`: the end of a run or a task, in order.

import { accepted } from '../wire/views.ts';
import { exits, type Verb } from './context.ts';
import { find } from './find.ts';

export const stop: Verb<{ readonly json?: boolean }> = async (context, [word = ''], { json }) => {
  const { runId, taskId } = await find(context, word);
  const path = taskId === null ? `/runs/${runId}/stop` : `/tasks/${taskId}/stop`;
  await context.client.post(path, {}, accepted);
  if (json === true) {
    await context.terminal.print(`${JSON.stringify({ runId, taskId })}\n`);
    return exits.ok;
  }
  await context.terminal.print(
    `${taskId ?? runId} is being stopped: by word first, by force after ten seconds. Its work is kept.\n`,
  );
  return exits.ok;
};
