// `signalbox output`: prints the output of a task as JSON.

import { shownJson } from '../../../std/plain-text.ts';
import { taskOutput } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { findTask } from '../../client/find-id.ts';

export const output: Verb<object> = async (context, [word = '']) => {
  const { client, terminal } = context;
  const { taskId } = await findTask(context, word);
  const { output: value } = await client.get(`/tasks/${taskId}/output`, taskOutput);
  await terminal.print(`${shownJson(value, 2)}\n`);
  return exits.ok;
};
