// `signalbox send`: a word from a person to an agent at work.

import { clientIds } from '../wire/ids.ts';
import { accepted } from '../wire/views.ts';
import { exits, type Verb } from './context.ts';
import { findTask } from './find.ts';

export const send: Verb<{ readonly json?: boolean }> = async (context, [word = '', ...texts], { json }) => {
  const { taskId } = await findTask(context, word);
  const id = clientIds.message();
  await context.client.post(`/tasks/${taskId}/send`, { id, text: texts.join(' ') }, accepted);
  await context.terminal.print(json === true ? `${JSON.stringify({ id, taskId })}\n` : 'The message is on its way.\n');
  return exits.ok;
};
