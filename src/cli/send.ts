// `signalbox send`: a word from a person to an agent at work.

import { clientIds } from '../wire/ids.ts';
import { accepted } from '../wire/views.ts';
import { exits, type Verb } from './context.ts';
import { findTask } from './find.ts';

export const send: Verb<object> = async (context, [word = '', ...texts]) => {
  const { taskId } = await findTask(context, word);
  await context.client.post(`/tasks/${taskId}/send`, { id: clientIds.message(), text: texts.join(' ') }, accepted);
  await context.terminal.print('The message is on its way.\n');
  return exits.ok;
};
