// What calls about teams may have done, said anew and without the code that decides them: who leads, who is in, who holds what.

import type { RunEvent } from '../../src/model/events.ts';
import type { Run } from '../../src/model/run.ts';

export interface TeamBefore {
  readonly lead: string;
  readonly over: boolean;
  readonly members: ReadonlySet<string>;
  readonly items: readonly { readonly state: string; readonly by: string | null; readonly needs: readonly number[] }[];
}

export function teamsBefore(run: Run): ReadonlyMap<string, TeamBefore> {
  return new Map(
    Array.from(run.teams, ([name, { lead, deletedAt, members, items }]) => {
      const over = deletedAt !== null || run.tasks.get(lead)?.state === 'settled';
      const kept = items.map(({ state, by, needs }) => ({ state, by, needs }));
      return [name, { lead, over, members: new Set<string>(members.map(({ taskId }) => taskId)), items: kept }];
    }),
  );
}

/** Why an event about a team ought not to have come of a call of this task's agent; null = it may. */
export function wrongOfTeam(teams: ReadonlyMap<string, TeamBefore>, caller: string, event: RunEvent): string | null {
  if (!('team' in event) || typeof event.team !== 'string') return null;
  const team = teams.get(event.team);
  if (event.type === 'team.created') return team === undefined ? null : 'there is such a team';
  if (team === undefined || team.over) return 'there is no such team';
  if (event.type === 'team.joined') return null;
  if (team.lead !== caller && !team.members.has(caller)) return 'it is in no such team';
  const lone = (n: number) => team.items[n - 1];
  switch (event.type) {
    case 'team.itemClaimed': {
      const item = lone(event.n);
      if (item?.state !== 'free' || event.by !== caller) return 'it is not free';
      return item.needs.every((n) => lone(n)?.state === 'done') ? null : 'it needs others';
    }
    case 'team.itemDone':
    case 'team.itemGivenBack': {
      const by = lone(event.n)?.by ?? null;
      return team.lead === caller || by === caller ? null : 'it is not its own';
    }
    case 'team.shutdownAnswered':
      return event.taskId === caller ? null : 'it answers for another';
    case 'team.deleted':
    case 'team.forced':
    case 'team.shutdownAsked':
      return team.lead === caller ? null : 'it does not lead it';
    default:
      return null;
  }
}
