// `signalbox up`: starts a daemon if none is running.

import { shownJson } from '../../../std/plain-text.ts';
import { statusView } from '../../../wire/status-views.ts';
import { exits, type Verb } from '../../client/context.ts';

export const up: Verb<{ readonly json?: boolean }> = async ({ client, terminal }, _args, { json }) => {
  const started = await client.ensure();
  const { pid } = await client.get('/status', statusView);
  if (json === true) await terminal.print(`${shownJson({ pid, started })}\n`);
  else await terminal.print(started ? `The daemon is up (pid ${pid}).\n` : `The daemon was already up (pid ${pid}).\n`);
  return exits.ok;
};
