// `signalbox approve`, `signalbox reject` and `signalbox answer`: a person's answer to what an agent asked, or at a gate.

import { userInfo } from 'node:os';
import { Fault } from '../../../std/fault.ts';
import { type AskedView, askedView, type InboxView, inboxView } from '../../../wire/ask-views.ts';
import { accepted, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { askRest, askWords, type Filled, valuesOf } from '../../terminal/fill-form.ts';

interface DecideOptions {
  readonly message?: string;
  readonly remember?: boolean;
  readonly rememberTool?: boolean;
  readonly set?: readonly string[];
  readonly choose?: string;
  readonly json?: boolean;
}

export const approve: Verb<DecideOptions> = (context, words, options) => decide(context, words, options, true);
export const reject: Verb<DecideOptions> = (context, words, options) => decide(context, words, options, false);

/** In words, which are one of those that it named, or any. */
export const answer: Verb<DecideOptions> = async (context, [word = '', ...said], options) => {
  const inbox = await context.client.get('/inbox', inboxView);
  const one = await choose(context, inbox, word);
  if (one.question?.topic !== 'agent') {
    throw new Fault('bad_request', `"${word}" is no question of an agent's: approve or reject it`);
  }
  const words = said.length > 0 ? said.join(' ') : await askWords(one.question);
  await context.client.post(`/gates/${one.id}/decide`, { approved: true, by: userInfo().username, words }, accepted);
  const told = options.json === true ? JSON.stringify({ id: one.id, words }) : `${one.task} is told.`;
  await context.terminal.print(`${told}\n`);
  return exits.ok;
};

async function decide(
  context: Context,
  words: readonly string[],
  options: DecideOptions,
  approved: boolean,
): Promise<number> {
  const inbox = await context.client.get('/inbox', inboxView);
  const chosen: Chosen[] = [];
  for (const word of words) chosen.push(await choose(context, inbox, word));
  for (const one of chosen) {
    const { values, choice } = await filled(one, options, approved);
    const decision = {
      approved,
      by: userInfo().username,
      message: options.message ?? null,
      remember: options.rememberTool === true ? 'tool' : options.remember === true ? 'call' : null,
      values,
      choice,
    };
    await context.client.post(`/gates/${one.id}/decide`, decision, accepted);
    const told =
      options.json === true ? JSON.stringify({ id: one.id, approved, choice, values }) : toldOf(one, decision);
    await context.terminal.print(`${told}\n`);
  }
  return exits.ok;
}

/** An agent asks to use a tool, or there is a question about a task. */
type Chosen = { readonly id: string; readonly task: string } & (
  | { readonly tool: string; readonly question: null }
  | { readonly tool: null; readonly question: AskedView }
);

async function filled({ question }: Chosen, { set = [], choose }: DecideOptions, approved: boolean): Promise<Filled> {
  const given: Filled = { values: valuesOf(question?.form ?? [], set), choice: choose ?? null };
  return question?.state === 'open' && approved ? askRest(question, given) : given;
}

function toldOf({ task, tool }: Chosen, { approved, choice }: { approved: boolean; choice: string | null }): string {
  if (tool !== null) return `${task} ${approved ? 'may' : 'may not'} use ${tool}.`;
  return `${task}: ${choice ?? (approved ? 'approved' : 'rejected')}.`;
}

/** A question by its id, a unique beginning of it, or by the task of which only one is asked. */
async function choose(context: Context, { asks, questions }: InboxView, word: string): Promise<Chosen> {
  const open: (Chosen & { readonly runId: string; readonly taskId: string })[] = [
    ...asks.map((ask) => ({ ...ask, question: null })),
    ...questions.map((question) => ({ ...question, tool: null, question })),
  ];
  const byId = open.filter(({ id }) => id.startsWith(word));
  if (byId.length === 0 && word.startsWith('gate_')) return past(context, word);
  const found = byId.length > 0 ? byId : await ofTask(context, open, word);
  const [only = await pastOf(context, word), another] = found;
  if (only === null) throw new Fault('not_found', `nothing of "${word}" waits for you; see "signalbox inbox"`);
  if (another !== undefined) {
    throw new Fault('bad_request', `"${word}" asks several things: ${found.map(({ id }) => id).join(', ')}; name one`);
  }
  return only;
}

/** The last question about a task, which is not open any more; null = nobody ever asked. */
async function pastOf(context: Context, word: string): Promise<Chosen | null> {
  const { runId, taskId } = await find(context, word);
  if (taskId === null) return null;
  const { tasks } = await context.client.get(`/runs/${runId}`, runView);
  const id = tasks.find((task) => task.id === taskId)?.question?.id;
  return id === undefined ? null : past(context, id);
}

/** One that is not open any more: the daemon says what became of it. */
async function past({ client }: Context, id: string): Promise<Chosen> {
  if (!/-[qc]\d+$/.test(id)) return { id, task: 'The agent', tool: 'it', question: null };
  const question = await client.get(`/gates/${id}`, askedView);
  return { id, task: question.task, tool: null, question };
}

async function ofTask<T extends { runId: string; taskId: string }>(
  context: Context,
  open: readonly T[],
  word: string,
): Promise<readonly T[]> {
  const { runId, taskId } = await find(context, word);
  return open.filter((each) => (taskId === null ? each.runId === runId : each.taskId === taskId));
}
