// `signalbox up`: a daemon, if there is none.

import { statusView } from '../wire/views.ts';
import { exits, type Verb } from './context.ts';

export const up: Verb<object> = async ({ client, terminal }) => {
  const started = await client.ensure();
  const { pid } = await client.get('/status', statusView);
  await terminal.print(started ? `The daemon is up (pid ${pid}).\n` : `The daemon was up already (pid ${pid}).\n`);
  return exits.ok;
};
