// `signalbox messages`: lists the messages of a run with delivery status, or prints one with its envelope.

import { shownJson } from '../../../std/plain-text.ts';
import { messageContent, messageList } from '../../../wire/message-views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { openPage } from '../../terminal/pager.ts';
import { listLines, messageLines } from '../../text/message-text.ts';

export interface MessagesOptions {
  readonly dead?: boolean;
  readonly json?: boolean;
}

export const messages: Verb<MessagesOptions> = async (context, [word = '', message], { dead, json }) => {
  const { runId } = await find(context, word);
  if (message !== undefined) return showMessage(context, runId, message, json === true);
  const { client, terminal } = context;
  const list = await client.get(`/runs/${runId}/messages${dead === true ? '?dead=1' : ''}`, messageList);
  if (json === true) await terminal.print(`${shownJson(list)}\n`);
  else if (list.messages.length === 0) terminal.note(dead === true ? 'No undeliverable messages.' : 'No messages.');
  else {
    await terminal.print(`${listLines(list.messages, Date.now()).join('\n')}\n`);
    terminal.note(`Print one in full: signalbox messages ${runId} <message>`);
  }
  if (list.earlier > 0) {
    terminal.note(`${list.earlier} earlier messages are not listed; all events: signalbox events ${runId} --json`);
  }
  return exits.ok;
};

async function showMessage(context: Context, runId: string, word: string, json: boolean): Promise<number> {
  const { client, terminal } = context;
  const message = await client.get(`/runs/${runId}/messages/${encodeURIComponent(word)}`, messageContent);
  if (json) await terminal.print(`${shownJson(message)}\n`);
  else await show(context, `${messageLines(message, Date.now()).join('\n')}\n`);
  return message.seal === 'bad' ? exits.failed : exits.ok;
}

async function show(context: Context, text: string): Promise<void> {
  if (!process.stdout.isTTY) return context.terminal.print(text);
  const page = await openPage(context);
  await page.print(text);
  await page.close();
}
