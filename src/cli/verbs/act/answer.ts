// `signalbox answer`, with `approve` and `reject` as its short forms: answers anything in the inbox.

import { userInfo } from 'node:os';
import { Fault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type AskView, askView, type InboxView, inboxView, type QuestionView } from '../../../wire/ask-views.ts';
import { accepted, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { askAnswers, askPermission, askRest, type Filled, valuesOf } from '../../terminal/fill-form.ts';
import { whoseWords } from '../../text/budget-text.ts';
import { type BudgetOptions, limitsOf } from '../view/budget.ts';

interface AnswerOptions extends BudgetOptions {
  readonly message?: string;
  readonly remember?: boolean;
  readonly rememberTool?: boolean;
  readonly set?: readonly string[];
  readonly choose?: string;
}

export const approve: Verb<AnswerOptions> = (context, words, options) => decide(context, words, options, true);
export const reject: Verb<AnswerOptions> = (context, words, options) => decide(context, words, options, false);

/** A question of an agent takes any words, a permission or gate yes, no or a choice, a budget amounts. */
export const answer: Verb<AnswerOptions> = async (context, [word = '', ...said], options) => {
  const inbox = await context.client.get('/asks', inboxView);
  const one = await choose(context, inbox, word);
  const amounts = limitsOf(options);
  if (one.ask?.kind === 'budget' || amounts !== null) return raise(context, one, amounts, options);
  // An ask that the daemon no longer shows was answered: the daemon says by whom, and when.
  if (one.ask === null || one.ask.kind === 'question') {
    const answers = await answersTo(one.ask?.questions ?? [], said);
    await send(context, one, { approved: true, answers });
    await tell(context, options, { id: one.id, answers }, `${one.task}: answer sent.`);
    return exits.ok;
  }
  const { permission } = one.ask;
  if (said.length === 0 && permission !== null) {
    const approved = await askPermission(permission);
    if (approved === null) throw new Fault('bad_request', 'nothing was decided: answer yes or no');
    await decideOne(context, one, options, approved);
    return exits.ok;
  }
  const words = said.join(' ');
  if (one.ask?.choices.includes(words) === true) await decideOne(context, one, { ...options, choose: words }, true);
  else if (/^(yes|no)$/i.test(words)) await decideOne(context, one, options, /^yes$/i.test(words));
  else throw new Fault('bad_request', `"${word}" takes no answer in words: approve or reject it`);
  return exits.ok;
};

/** One question is answered by all words together, several by one word each: an answer with spaces is quoted. */
async function answersTo(questions: readonly QuestionView[], said: readonly string[]): Promise<readonly string[]> {
  if (said.length === 0) return askAnswers(questions);
  return questions.length > 1 ? said : [said.join(' ')];
}

async function decide(
  context: Context,
  words: readonly string[],
  options: AnswerOptions,
  approved: boolean,
): Promise<number> {
  const inbox = await context.client.get('/asks', inboxView);
  const chosen: Chosen[] = [];
  for (const word of words) chosen.push(await choose(context, inbox, word));
  for (const one of chosen) await decideOne(context, one, options, approved);
  return exits.ok;
}

async function decideOne(context: Context, one: Chosen, options: AnswerOptions, approved: boolean): Promise<void> {
  const { values, choice } = await filled(one, options, approved);
  const message = options.message ?? null;
  const remember = options.rememberTool === true ? 'tool' : options.remember === true ? 'call' : null;
  await send(context, one, { approved, message, remember, values, choice });
  await tell(context, options, { id: one.id, approved, choice, values }, toldOf(one, approved, choice));
}

async function raise(
  context: Context,
  one: Chosen,
  amounts: ReturnType<typeof limitsOf>,
  options: AnswerOptions,
): Promise<number> {
  if (one.ask?.kind !== 'budget')
    throw new Fault('bad_request', `${one.id} is not about a budget: amounts do not answer it`);
  if (amounts === null) throw new Fault('bad_request', 'say how much may be spent, for example --usd 5');
  await send(context, one, { approved: true, set: amounts });
  const whose = one.ask.budget === null ? 'it' : whoseWords(one.ask.budget);
  await tell(context, options, { id: one.id, set: amounts }, `the budget of ${whose} was set.`);
  return exits.ok;
}

async function send({ client }: Context, { id }: Chosen, answered: object): Promise<void> {
  await client.post(`/asks/${id}`, { by: userInfo().username, ...answered }, accepted);
}

async function tell({ terminal }: Context, { json }: AnswerOptions, data: object, words: string): Promise<void> {
  await terminal.print(`${json === true ? shownJson(data) : plainLine(words)}\n`);
}

/** `ask` is null if the daemon no longer shows it; the daemon then says why it takes no answer. */
interface Chosen {
  readonly id: string;
  readonly task: string;
  readonly ask: AskView | null;
}

async function filled({ ask }: Chosen, { set = [], choose }: AnswerOptions, approved: boolean): Promise<Filled> {
  const given: Filled = { values: valuesOf(ask?.form ?? [], set), choice: choose ?? null };
  return ask?.state === 'open' && approved ? askRest(ask, given) : given;
}

function toldOf({ task, ask }: Chosen, approved: boolean, choice: string | null): string {
  const tool = ask === null ? 'it' : (ask.permission?.tool ?? null);
  if (tool !== null) return `${task} ${approved ? 'may' : 'may not'} use ${tool}.`;
  return `${task}: ${choice ?? (approved ? 'approved' : 'rejected')}.`;
}

/** Finds an ask by its id, a unique prefix of it, or its task, if only one ask of that task is open. */
async function choose(context: Context, { asks }: InboxView, word: string): Promise<Chosen> {
  const byId = asks.filter(({ id }) => id.startsWith(word));
  if (byId.length === 0 && word.startsWith('ask_')) return past(context, word);
  const found = byId.length > 0 ? byId : await ofTask(context, asks, word);
  const [first, another] = found;
  const only = first === undefined ? await pastOf(context, word) : chosen(first);
  if (only === null) throw new Fault('not_found', `nothing of "${word}" waits for you; see "signalbox inbox"`);
  if (another !== undefined) {
    throw new Fault('bad_request', `"${word}" asks several things: ${found.map(({ id }) => id).join(', ')}; name one`);
  }
  return only;
}

function chosen(ask: AskView): Chosen {
  return { id: ask.id, task: ask.task ?? ask.run, ask };
}

/** The last ask of a task, which is no longer open; null = the task never asked. */
async function pastOf(context: Context, word: string): Promise<Chosen | null> {
  const { runId, taskId } = await find(context, word);
  if (taskId === null) return null;
  const { tasks } = await context.client.get(`/runs/${runId}`, runView);
  const last = tasks.find((task) => task.id === taskId)?.asks.at(-1);
  return last === undefined ? null : chosen(last);
}

/** An ask that is no longer open. The daemon does not keep permissions after the agent's process has ended. */
async function past({ client }: Context, id: string): Promise<Chosen> {
  if (!/-[a-z]\d+$/.test(id)) return { id, task: 'The agent', ask: null };
  return chosen(await client.get(`/asks/${id}`, askView));
}

/** Budget asks are about a whole run and are answered only by their id. */
async function ofTask(context: Context, open: readonly AskView[], word: string): Promise<readonly AskView[]> {
  const { runId, taskId } = await find(context, word);
  return open.filter((each) => {
    if (each.kind === 'budget') return false;
    return taskId === null ? each.runId === runId : each.taskId === taskId;
  });
}
