// Folds what happens to teams.

import { assert, must, unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { heldBy, type Item, memberOf, type Team } from './team.ts';
import type { TeamEvent as Body } from './team-events.ts';

type TeamEvent = Extract<RunEvent, Body>;

export function evolveTeam(
  run: Run,
  event: TeamEvent | Extract<RunEvent, { type: 'task.ended' | 'task.reopened' }>,
): void {
  if (event.type === 'task.ended') return giveBackAll(run, event.taskId);
  if (event.type === 'task.reopened') return forgetAsked(run, taskOf(run, event.taskId));
  if (event.type === 'team.created') return create(run, event);
  changeTeam(must(run.teams.get(event.team), `no team ${event.team}`), event);
}

export function changeTeam(team: Team, event: TeamEvent): void {
  switch (event.type) {
    case 'team.created':
      return;
    case 'team.joined':
      team.members.push({ taskId: event.taskId, askedAt: null, refused: false, leaves: null });
      return;
    case 'team.itemsAdded':
      for (const { title, text, needs } of event.items) {
        const n = team.items.length + 1;
        const nobody = { by: null, offeredTo: null, offered: [], had: [] };
        team.items.push({ n, title, text, needs, state: 'free', result: '', ...nobody });
      }
      return;
    case 'team.itemClaimed': {
      const item = itemOf(team, event.n);
      assert(item.state === 'free', `item ${item.n} of ${team.name} is claimed by one`);
      item.state = 'claimed';
      item.by = event.by;
      item.offeredTo = null;
      item.had = withId(item.had, event.by);
      return;
    }
    case 'team.itemDone': {
      const item = itemOf(team, event.n);
      item.state = 'done';
      item.by ??= event.by;
      item.result = event.result;
      return;
    }
    case 'team.itemGivenBack':
      return free(itemOf(team, event.n));
    case 'team.itemOffered': {
      const item = itemOf(team, event.n);
      item.offeredTo = event.to;
      item.offered = withId(item.offered, event.to);
      return;
    }
    case 'team.shutdownAsked':
      for (const id of event.members) Object.assign(member(team, id), { askedAt: event.at, refused: false });
      return;
    case 'team.shutdownAnswered':
      if (event.agreed) member(team, event.taskId).leaves = 'agreed';
      else member(team, event.taskId).refused = true;
      return;
    case 'team.forced':
      team.forced = true;
      return;
    case 'team.dismissed':
      for (const id of event.members) member(team, id).leaves = 'dismissed';
      return;
    case 'team.deleted':
      team.deletedAt = event.at;
      return;
    default:
      unreachable(event);
  }
}

/** A member that has ended holds no items. */
function giveBackAll(run: Run, id: TaskId): void {
  for (const team of run.teams.values()) for (const item of heldBy(team, id)) free(item);
}

/** The member's task was reopened: an earlier request to end no longer counts, and its lead asks again. */
function forgetAsked(run: Run, { spec: { id, team } }: Task): void {
  const found = team === undefined ? undefined : run.teams.get(team);
  if (found !== undefined) Object.assign(member(found, id), { askedAt: null, refused: false });
}

function create(run: Run, { team: name, purpose, lead, at }: Extract<TeamEvent, { type: 'team.created' }>): void {
  assert(!run.teams.has(name), `team ${name} is created once`);
  const team: Team = {
    name,
    purpose,
    lead,
    createdAt: at,
    members: [],
    items: [],
    forced: false,
    deletedAt: null,
  };
  run.teams.set(name, team);
}

function itemOf({ items, name }: Team, n: number): Item {
  return must(items[n - 1], `no item ${n} of ${name}`);
}

function member(team: Team, id: TaskId) {
  return must(memberOf(team, id), `${id} is no member of ${team.name}`);
}

/** The item may be offered again to members that were offered it before. */
function free(item: Item): void {
  item.state = 'free';
  item.by = null;
  item.offered = item.had;
}

function withId(ids: readonly TaskId[], id: TaskId): readonly TaskId[] {
  return ids.includes(id) ? ids : [...ids, id];
}
