// Calls that simulated agents make of the tools of teams, drawn from the seed: they make teams, fill and work off their lists,
// write to all of one, end them, and say whether they agree to their end.

import type { Chance } from '../world/scheduler.ts';
import type { World } from '../world/world.ts';
import type { ChildrenMemory } from './agent-children.ts';

/** What an agent remembers of teams: whether its plan has any, and which ones it leads or is in. */
export interface TeamMemory {
  readonly wanted: boolean;
  readonly own: string[];
  /** The agent that asked it to end; null = none. */
  askedBy: string | null;
}

export const noTeams = (wanted: boolean): TeamMemory => ({ wanted, own: [], askedBy: null });

/** How often each is called: who is in no team makes one, mostly. */
export function teamWeights({ wanted, own }: TeamMemory): Readonly<Record<string, number>> {
  if (!wanted) return {};
  if (own.length === 0) return { team_create: 20, claim_task: 1 };
  const others = { spawn_agent: 14, send_message: 8, wait: 2, claim_paths: 1 };
  return { ...others, team_create: 0.3, team_tasks: 14, claim_task: 14, team_delete: 3, team_list: 0.3 };
}

interface Drawing {
  readonly world: World;
  readonly chance: Chance;
  readonly memory: ChildrenMemory;
}

export const teamInputs: Readonly<Record<string, (drawing: Drawing) => unknown>> = {
  team_create: ({ chance }) => ({ name: chance.pick(names), ...(chance.hit(0.3) ? { purpose: 'All of it.' } : {}) }),
  team_tasks: ({ chance, memory }) => ({ team: drawTeam(chance, memory), ...drawChange(chance, memory) }),
  claim_task: ({ chance, memory }) => ({
    team: drawTeam(chance, memory),
    ...(chance.hit(0.5) ? { n: chance.int(1, 4) } : {}),
  }),
  team_delete: ({ chance, memory }) => ({
    team: drawTeam(chance, memory),
    ...(chance.hit(0.4) ? { force: true } : {}),
  }),
};

const names = ['spawning', 'gang', 'pair'];

/** Mostly one of its own. */
function drawTeam(chance: Chance, { teams }: ChildrenMemory): string {
  return teams.own.length > 0 && chance.hit(0.9) ? chance.pick(teams.own) : chance.pick([...names, 'none']);
}

/** Mostly one thing that makes sense, now and then several at once. */
function drawChange(chance: Chance, { isChild }: ChildrenMemory): object {
  const add = { add: Array.from({ length: chance.int(1, 3) }, () => drawItem(chance)) };
  const done = { done: [{ n: chance.int(1, 3), result: 'so' }] };
  const back = { give_back: [chance.int(1, 3)] };
  if (chance.hit(0.1)) return { ...add, ...done, ...back };
  return chance.hit(isChild ? 0.3 : 0.7) ? add : chance.pick([done, done, back, {}]);
}

function drawItem(chance: Chance): unknown {
  return {
    title: 'part',
    ...(chance.hit(0.2) ? { text: 'all of it '.repeat(chance.int(1, 60)) } : {}),
    ...(chance.hit(0.15) ? { needs: [chance.int(1, 2)] } : {}),
  };
}

/** The team that a spawned child joins, if any. */
export function drawJoin({ chance, memory }: Drawing): object {
  const { own, wanted } = memory.teams;
  return wanted && own.length > 0 && chance.hit(0.85) ? { team: chance.pick(own) } : {};
}

/** A message to a team, or about its end; null = it writes another. */
export function drawTeamMessage({ chance, memory }: Drawing): object | null {
  const { own, askedBy, wanted } = memory.teams;
  if (!wanted) return null;
  if (askedBy !== null && chance.hit(0.6)) {
    const type = chance.hit(0.7) ? 'shutdown-agreed' : 'shutdown-refused';
    return { to: askedBy, type, text: 'I have thought about it.' };
  }
  if (own.length > 0 && chance.hit(0.3)) return { to: `team:${chance.pick(own)}`, text: 'to all of you' };
  return chance.hit(0.03) ? { to: 'parent', type: chance.pick(['shutdown', 'shutdown-agreed']), text: 'so' } : null;
}

/** What it reads about teams in its prompt, in messages and in answers. */
export function hearOfTeams(memory: TeamMemory, text: string): void {
  const team = /^You lead team "(.*?)"/.exec(text)?.[1] ?? /^You are ".*", a member of team "(.*?)"/m.exec(text)?.[1];
  if (team !== undefined && !memory.own.includes(team)) memory.own.push(team);
  memory.askedBy = /"([^"]*)" wants to end team /.exec(text)?.[1] ?? memory.askedBy;
}
