// What a prompt says about teams: a member reads the fixed facts of its team; an agent that takes over a task reads which teams
// it leads and which items it holds.

import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { quoted } from '../messages/envelope.ts';
import { heldBy } from './team.ts';

export function teamWords(run: Run, { spec }: Task, name: string): string {
  const team = run.teams.get(name);
  if (team === undefined) return '';
  const lead = taskOf(run, team.lead).spec.name;
  const json = (value: object): string => JSON.stringify(value);
  return [
    '## Your team',
    `You are "${spec.name}", a member of team "${name}" under "${lead}".`,
    ...(team.purpose === '' ? [] : [`It is for:\n${quoted(team.purpose)}`]),
    `- claim_task ${json({ team: name })} gives you the next free item of the list that you share; exactly one gets each. ` +
      'team_tasks shows the list, marks an item as done and gives it back.',
    `- send_message ${json({ to: lead, text: '…' })} writes to "${lead}", ${json({ to: `team:${name}` })} to everybody.`,
    '- When there is nothing for you to do, end your turn. You stay, cost nothing meanwhile, and are told what comes.',
    `- Asked to shut down, you agree (type "shutdown-agreed" to "${lead}") or refuse ("shutdown-refused") with a reason.`,
  ].join('\n');
}

/** Empty if the agent leads no team and holds no item. */
export function standingWords(run: Run, { spec: { id } }: Task): string {
  const teams = [...run.teams.values()].filter((team) => team.deletedAt === null);
  const lines = [
    ...teams.filter(({ lead }) => lead === id).map(({ name }) => `- You lead team "${name}".`),
    ...teams.flatMap((team) => {
      const held = heldBy(team, id).map(({ n }) => n);
      return held.length === 0
        ? []
        : [`- You hold ${held.slice(0, heldShown).join(', ')} of the list of "${team.name}".`];
    }),
  ];
  if (lines.length === 0) return '';
  const how = 'team_list shows who is in a team and what each is at, team_tasks its list.';
  return ['## Your teams so far', [...lines, how].join('\n')].join('\n\n');
}

const heldShown = 50;
