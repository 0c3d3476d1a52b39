// `signalbox send`: a message from a person to an agent, running or not.

import { shownJson } from '../../../std/plain-text.ts';
import { clientIds } from '../../../wire/id-pattern.ts';
import { accepted } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { findTask } from '../../client/find-id.ts';

export const send: Verb<{ readonly json?: boolean }> = async (context, [word = '', ...texts], { json }) => {
  const { taskId, run } = await findTask(context, word);
  const hasEnded = run.tasks.some(({ id: each, outcome }) => each === taskId && outcome !== null);
  const id = clientIds.message();
  await context.client.post(`/tasks/${taskId}/send`, { id, text: texts.join(' ') }, accepted);
  const words = hasEnded ? 'Message sent; the agent resumes with it.' : 'Message sent.';
  await context.terminal.print(json === true ? `${shownJson({ id, taskId })}\n` : `${words}\n`);
  return exits.ok;
};
