// `signalbox inbox`: what waits for a person, with the exact arguments, and how to answer. Exit code 3 while there is any.

import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type AskView, type InboxView, inboxView } from '../../../wire/ask-views.ts';
import { changedFiles } from '../../client/changed-files.ts';
import { exits, type Place, type Verb } from '../../client/context.ts';
import { askLines, type ChangedFile } from '../../text/ask-text.ts';
import { wrapLine } from '../../text/wrap-line.ts';

export const inbox: Verb<{ readonly json?: boolean }> = async ({ client, terminal, place }, _words, { json }) => {
  const { asks: open, limits } = await client.get('/asks', inboxView);
  const asks = await Promise.all(open.map(async (ask) => ({ ...ask, files: await files(place, ask) })));
  if (json === true) await terminal.print(`${shownJson({ asks, limits })}\n`);
  else {
    // The lines below its head are exact arguments and commands: they stay as they are.
    const told = asks.map((ask) => {
      const [head = '', ...lines] = askLines(ask, ask.files, Date.now());
      return [...wrapLine(head, terminal.columns, 2), ...lines].join('\n');
    });
    const parts = told.length === 0 ? ['Nothing waits for you.'] : told;
    await terminal.print([...parts, ...limits.map(limitText)].map((text) => `${text}\n`).join('\n'));
  }
  return asks.length === 0 ? exits.ok : exits.person;
};

/** The integrated changes of the run, if they are shown. */
async function files(place: Place, { shows }: AskView): Promise<readonly ChangedFile[]> {
  for (const shown of shows) if (shown.kind === 'diff' && shown.work !== null) return changedFiles(place, shown.work);
  return [];
}

/** For information only. */
function limitText({ run, words }: InboxView['limits'][number]): string {
  return `to know  (${plainLine(run)})\n    ${plainLine(words)}`;
}
