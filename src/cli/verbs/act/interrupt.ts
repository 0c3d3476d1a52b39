// `signalbox interrupt`: ends the turn of an agent; the agent waits for a message.

import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { accepted } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { findTask } from '../../client/find-id.ts';

export const interrupt: Verb<{ readonly json?: boolean }> = async (context, [word = ''], { json }) => {
  const { runId, taskId, run } = await findTask(context, word);
  await context.client.post(`/tasks/${taskId}/interrupt`, {}, accepted);
  const name = run.tasks.find(({ id }) => id === taskId)?.name ?? taskId;
  const words = `Interrupting ${name}. Its agent waits for your message: signalbox send ${taskId} "…"`;
  await context.terminal.print(json === true ? `${shownJson({ runId, taskId })}\n` : `${plainLine(words)}\n`);
  return exits.ok;
};
