// What a member of a team is told of it with its prompt. A function of what never changes about the team.

import { quoted } from '../letters/envelope.ts';
import { taskOf } from '../lookup.ts';
import type { Run, Task } from '../run.ts';

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
