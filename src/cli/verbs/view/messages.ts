// `signalbox mail`: the letters of a run, and what became of each; with a letter's id, that letter and its envelope.

import { letterContent, letterList } from '../../../wire/message-views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { letterLines, listLines } from '../../text/message-text.ts';
import { openPage } from '../../terminal/pager.ts';

export interface MailOptions {
  readonly dead?: boolean;
  readonly json?: boolean;
}

export const mail: Verb<MailOptions> = async (context, [word = '', letter], { dead, json }) => {
  const { runId } = await find(context, word);
  if (letter !== undefined) return showLetter(context, runId, letter, json === true);
  const { client, terminal } = context;
  const list = await client.get(`/runs/${runId}/mail${dead === true ? '?dead=1' : ''}`, letterList);
  if (json === true) await terminal.print(`${JSON.stringify(list)}\n`);
  else if (list.letters.length === 0) terminal.note(dead === true ? 'No letter is dead.' : 'Nobody has written.');
  else {
    await terminal.print(`${listLines(list.letters, Date.now()).join('\n')}\n`);
    terminal.note(`One of them whole, and what became of it: signalbox mail ${runId} <letter>`);
  }
  if (list.earlier > 0) {
    terminal.note(`${list.earlier} earlier ones are not listed: "signalbox events ${runId} --json" has them all.`);
  }
  return exits.ok;
};

async function showLetter(context: Context, runId: string, word: string, json: boolean): Promise<number> {
  const { client, terminal } = context;
  const letter = await client.get(`/runs/${runId}/mail/${encodeURIComponent(word)}`, letterContent);
  if (json) await terminal.print(`${JSON.stringify(letter)}\n`);
  else await show(context, `${letterLines(letter, Date.now()).join('\n')}\n`);
  return letter.seal === 'bad' ? exits.failed : exits.ok;
}

async function show(context: Context, text: string): Promise<void> {
  if (!process.stdout.isTTY) return context.terminal.print(text);
  const page = await openPage(context);
  await page.print(text);
  await page.close();
}
