// Which agents are members of which team of a run, and whether that team still has a lead.

import { orMeant } from '../../std/nearest.ts';
import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { memberOf, type Team } from './team.ts';

/** The team was not deleted, and its lead has not ended. */
export function isLed(run: Run, { lead, deletedAt }: Team): boolean {
  return deletedAt === null && taskOf(run, lead).state !== 'ended';
}

/** The team that an idle member waits for instead of ending; null = it ends. */
export function standsIn(run: Run, { spec }: Task): Team | null {
  const team = spec.team === undefined ? undefined : run.teams.get(spec.team);
  if (team === undefined || !isLed(run, team)) return null;
  return memberOf(team, spec.id)?.leaves === null ? team : null;
}

/** A team by its name; a text: why there is none. */
export function findTeam(run: Run, name: string): Team | string {
  const team = run.teams.get(name);
  if (team === undefined) return `there is no team "${name}" in this run${orMeant(name, [...run.teams.keys()])}`;
  if (!isLed(run, team)) return `team "${name}" is over`;
  return team;
}

/** The team of this name, if the task leads it or is a member. */
export function ownTeam(run: Run, task: Task, name: string): Team | string {
  const team = findTeam(run, name);
  if (typeof team === 'string' || belongsTo(team, task.spec.id)) return team;
  return `you are neither lead nor member of team "${name}"`;
}

export function belongsTo(team: Team, id: TaskId): boolean {
  return team.lead === id || memberOf(team, id) !== null;
}

/** Members that have not ended, in the order of joining. */
export function openMembers(run: Run, { members }: Team): Task[] {
  return members.map(({ taskId }) => taskOf(run, taskId)).filter(({ state }) => state !== 'ended');
}
