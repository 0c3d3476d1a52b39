// `signalbox teams`: the teams of a run with their members and shared task lists.

import { shownJson } from '../../../std/plain-text.ts';
import { teamList } from '../../../wire/team-views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { hasMore, teamLines } from '../../text/team-text.ts';

export const teams: Verb<{ readonly json?: boolean }> = async (context, [word = ''], { json }) => {
  const { client, terminal } = context;
  const { runId } = await find(context, word);
  const list = await client.get(`/runs/${runId}/teams`, teamList);
  if (json === true) await terminal.print(`${shownJson(list)}\n`);
  else if (list.teams.length === 0) terminal.note('This run has no teams.');
  else {
    await terminal.print(`${list.teams.map((team) => teamLines(team).join('\n')).join('\n\n')}\n`);
    if (list.teams.some(hasMore)) terminal.note(`Full text: signalbox teams ${runId} --json`);
  }
  return exits.ok;
};
