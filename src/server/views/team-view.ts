// Views of the teams of a run. Derived on every request.

import { taskOf } from '../../model/core/lookup.ts';
import type { Run } from '../../model/core/run.ts';
import { waitOf } from '../../model/dispatch/find-wait.ts';
import { doing } from '../../model/lifecycle/standing.ts';
import type { Scene } from '../../model/parking/admit.ts';
import { isLed } from '../../model/teams/membership.ts';
import { heldBy, type Item, type Member, type Team, unmetOf } from '../../model/teams/team.ts';
import type { TeamView } from '../../wire/team-views.ts';
import { viewTold } from './children-view.ts';

export function viewTeams(run: Run, scene: Scene): TeamView[] {
  return Array.from(run.teams.values(), (team) => {
    const { name, purpose, lead, createdAt, forced, members, items } = team;
    return {
      name,
      purpose,
      lead: taskOf(run, lead).spec.name,
      leadId: lead,
      createdAt,
      over: !isLed(run, team),
      forced,
      members: members.map((member) => viewMember(run, team, member, scene)),
      items: items.map((item) => viewItem(run, team, item)),
    };
  });
}

function viewMember(run: Run, team: Team, member: Member, scene: Scene): TeamView['members'][number] {
  const { taskId, askedAt, refused, leaves } = member;
  const task = taskOf(run, taskId);
  return {
    task: task.spec.name,
    taskId,
    state: doing(run, task),
    wait: waitOf(run, task, scene),
    progress: viewTold(run, task)?.line ?? null,
    holds: heldBy(team, taskId).map(({ n }) => n),
    askedAt,
    refused,
    leaves,
  };
}

function viewItem(run: Run, team: Team, item: Item): TeamView['items'][number] {
  const { n, title, text, state, by, result } = item;
  const needs = state === 'free' ? [...unmetOf(team, item)] : [];
  return {
    n,
    title,
    text,
    state: needs.length > 0 ? 'waits' : state,
    needs,
    by: by === null ? null : taskOf(run, by).spec.name,
    result,
  };
}
