// `signalbox inbox`: what waits for a person, with the exact arguments, and how to answer. Exit code 3 while there is any.

import { type AskedView, type AskView, type InboxView, inboxView } from '../../../wire/ask-views.ts';
import { exits, type Place, type Verb } from '../../client/context.ts';
import { askedLines, type ChangedFile } from '../../text/ask-text.ts';
import { raiseCommand, whoseWords } from '../../text/budget-text.ts';
import { seconds } from '../../text/event-text.ts';
import { plainLine, plainText } from '../../text/plain-text.ts';
import { changedFiles } from './diff.ts';

export const inbox: Verb<{ readonly json?: boolean }> = async ({ client, terminal, place }, _words, { json }) => {
  const { asks, questions, budgets, limits } = await client.get('/inbox', inboxView);
  const asked = await Promise.all(
    questions.map(async (question) => ({ ...question, files: await files(place, question) })),
  );
  const all = [
    ...asks.map((ask) => ({ since: ask.since, lines: () => askLines(ask, Date.now()) })),
    ...asked.map((each) => ({ since: each.since, lines: () => askedLines(each, each.files, Date.now()) })),
    ...budgets.map((each) => ({ since: each.since ?? 0, lines: () => budgetLines(each, Date.now()) })),
  ].sort((a, b) => a.since - b.since);
  if (json === true) await terminal.print(`${JSON.stringify({ asks, questions: asked, budgets, limits })}\n`);
  else {
    const parts = all.length === 0 ? ['Nothing waits for you.'] : all.map(({ lines }) => lines().join('\n'));
    await terminal.print([...parts, ...limits.map(limitText)].map((text) => `${text}\n`).join('\n'));
  }
  return all.length === 0 ? exits.ok : exits.person;
};

/** What has been integrated of the run, where that is shown. */
async function files(place: Place, { shows }: AskedView): Promise<readonly ChangedFile[]> {
  for (const shown of shows) if (shown.kind === 'diff' && shown.work !== null) return changedFiles(place, shown.work);
  return [];
}

function askLines(ask: InboxView['asks'][number], now: number): string[] {
  return [
    `${ask.task}  (${ask.run}, waiting for ${seconds(Math.max(0, now - ask.since))})`,
    ...argumentsOf(ask).map((line) => `    ${line}`),
    `  signalbox approve ${ask.id}`,
    `  signalbox reject ${ask.id} -m "<why>"`,
  ];
}

function budgetLines(each: InboxView['budgets'][number], now: number): string[] {
  const since = each.since === null ? '' : `, waiting for ${seconds(Math.max(0, now - each.since))}`;
  return [
    `${plainLine(whoseWords(each))}  (${each.of === 'day' ? 'all runs' : plainLine(each.run)}${since})`,
    `    ${plainLine(each.words)}`,
    `  ${raiseCommand(each.runId, each)}`,
  ];
}

/** Nothing has to be done about it. */
function limitText({ run, words }: InboxView['limits'][number]): string {
  return `to know  (${plainLine(run)})\n    ${plainLine(words)}`;
}

/** Every argument whole: a person decides on exactly this. What an agent wrote cannot steer the terminal. */
export function argumentsOf({ tool, input }: Pick<AskView, 'tool' | 'input'>): string[] {
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : [['', input] as const];
  return [
    `wants to use ${plainText(tool)}`,
    ...given.flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const [first = '', ...rest] = plainText(text).split('\n');
      return [`  ${plainText(name)}: ${first}`, ...rest.map((line) => `    ${line}`)];
    }),
  ];
}
