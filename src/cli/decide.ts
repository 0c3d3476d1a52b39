// `signalbox approve` and `signalbox reject`: a person's answer to what an agent asked.

import { userInfo } from 'node:os';
import { Fault } from '../std/fault.ts';
import { accepted, type InboxView, inboxView } from '../wire/views.ts';
import { type Context, exits, type Verb } from './context.ts';
import { find } from './find.ts';

interface DecideOptions {
  readonly message?: string;
  readonly remember?: boolean;
  readonly rememberTool?: boolean;
  readonly json?: boolean;
}

export const approve: Verb<DecideOptions> = (context, words, options) => decide(context, words, options, true);
export const reject: Verb<DecideOptions> = (context, words, options) => decide(context, words, options, false);

async function decide(
  context: Context,
  words: readonly string[],
  { message, remember, rememberTool, json }: DecideOptions,
  approved: boolean,
): Promise<number> {
  const { asks } = await context.client.get('/inbox', inboxView);
  const chosen: Chosen[] = [];
  for (const word of words) chosen.push(await choose(context, asks, word));
  for (const { id, task, tool } of chosen) {
    const decision = {
      approved,
      by: userInfo().username,
      message: message ?? null,
      remember: rememberTool === true ? 'tool' : remember === true ? 'call' : null,
    };
    await context.client.post(`/gates/${id}/decide`, decision, accepted);
    const words = `${task} ${approved ? 'may' : 'may not'} use ${tool}.`;
    await context.terminal.print(`${json === true ? JSON.stringify({ id, approved }) : words}\n`);
  }
  return exits.ok;
}

type Chosen = Pick<InboxView['asks'][number], 'id' | 'task' | 'tool'>;

/** A question by its id, a unique beginning of it, or by the task that asks only one. */
async function choose(context: Context, asks: InboxView['asks'], word: string): Promise<Chosen> {
  const byId = asks.filter(({ id }) => id.startsWith(word));
  // One that is not open any more: the daemon says what became of it.
  if (byId.length === 0 && word.startsWith('gate_')) return { id: word, task: 'The agent', tool: 'it' };
  const found = byId.length > 0 ? byId : await ofTask(context, asks, word);
  const [only, another] = found;
  if (only === undefined) throw new Fault('not_found', `nothing of "${word}" waits for you; see "signalbox inbox"`);
  if (another !== undefined) {
    throw new Fault('bad_request', `"${word}" asks several things: ${found.map(({ id }) => id).join(', ')}; name one`);
  }
  return only;
}

async function ofTask(context: Context, asks: InboxView['asks'], word: string): Promise<InboxView['asks']> {
  const { runId, taskId } = await find(context, word);
  return asks.filter((ask) => (taskId === null ? ask.runId === runId : ask.taskId === taskId));
}
