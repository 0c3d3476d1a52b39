// `signalbox limits`: shows or sets the limits on agents spawned by agents.

import { userInfo } from 'node:os';
import { shownJson } from '../../../std/plain-text.ts';
import { type LimitList, limitList } from '../../../wire/children-views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { limitOptions } from '../../options/limit-options.ts';
import { tableLines } from '../../text/table.ts';

/** The limit options by name, as numbers. */
type LimitsOptions = Readonly<Record<string, unknown>> & { readonly json?: boolean };

export const limits: Verb<LimitsOptions> = async (context, [word = ''], options) => {
  const { client, terminal } = context;
  const { runId } = await find(context, word);
  const set = changeOf(options);
  const path = `/runs/${runId}/limits`;
  const list =
    set === null
      ? await client.get(path, limitList)
      : await client.post(path, { set, by: userInfo().username }, limitList);
  if (options.json === true) await terminal.print(`${shownJson(list)}\n`);
  else await terminal.print(`${limitLines(list).join('\n')}\n`);
  return exits.ok;
};

/** null: show only. */
export function changeOf(options: LimitsOptions): Readonly<Record<string, number>> | null {
  const set = limitOptions.flatMap(({ limit, option, units }) => {
    const given = options[option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    return typeof given === 'number' ? [[limit, units === undefined ? given : Math.round(given * units)]] : [];
  });
  return set.length === 0 ? null : Object.fromEntries(set);
}

export function limitLines({ limits: all }: LimitList): string[] {
  const rows = all.map(({ option, max, usual, reached }) => {
    const about = limitOptions.find((each) => each.option === option)?.about ?? '';
    return [option, String(max), String(usual), reached ? `${about} (reached)` : about];
  });
  return tableLines([['LIMIT', 'NOW', 'DEFAULT', 'MEANING'], ...rows], { left: 4 });
}
