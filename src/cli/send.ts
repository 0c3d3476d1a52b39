// `signalbox send`: a word from a person to an agent at work.

import { Fault } from '../std/fault.ts';
import { clientIds } from '../wire/ids.ts';
import { accepted } from '../wire/views.ts';
import { exits, type Verb } from './context.ts';
import { find } from './find.ts';

export const send: Verb<object> = async (context, [word = '', ...texts]) => {
  const { taskId, runId } = await find(context, word);
  if (taskId === null) throw new Fault('bad_request', `${runId} is a run: name the task that the message is for`);
  await context.client.post(`/tasks/${taskId}/send`, { id: clientIds.message(), text: texts.join(' ') }, accepted);
  await context.terminal.print('The message is on its way.\n');
  return exits.ok;
};
