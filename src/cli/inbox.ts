// `signalbox inbox`: what waits for a person, with the exact arguments, and how to answer. Exit code 3 while there is any.

import { type AskView, type InboxView, inboxView } from '../wire/views.ts';
import { exits, type Verb } from './context.ts';
import { plainText } from './plain-text.ts';
import { seconds } from './progress.ts';

export const inbox: Verb<{ readonly json?: boolean }> = async ({ client, terminal }, _words, { json }) => {
  const { asks } = await client.get('/inbox', inboxView);
  if (json === true) await terminal.print(`${JSON.stringify({ asks })}\n`);
  else if (asks.length === 0) await terminal.print('Nothing waits for you.\n');
  else await terminal.print(asks.map((ask) => shown(ask, Date.now())).join('\n'));
  return asks.length === 0 ? exits.ok : exits.person;
};

function shown(ask: InboxView['asks'][number], now: number): string {
  return [
    `${ask.task}  (${ask.run}, waiting for ${seconds(Math.max(0, now - ask.since))})`,
    ...argumentsOf(ask).map((line) => `    ${line}`),
    `  signalbox approve ${ask.id}`,
    `  signalbox reject ${ask.id} -m "<why>"`,
    '',
  ].join('\n');
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
