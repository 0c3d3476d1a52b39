// `team_create`, `team_list`, `team_delete`: an agent creates a team that it leads, and ends it, by asking its members or by
// force.

import { childLimitsOf } from '../core/child-limits.ts';
import type { RunEventBody } from '../core/events.ts';
import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { doing } from '../lifecycle/standing.ts';
import { jsonText } from '../messages/envelope.ts';
import { sendOwnMessage } from '../messages/own-message.ts';
import { belongsTo, findTeam, isLed, openMembers } from '../teams/membership.ts';
import { heldBy, isClaimable, memberOf, type Team } from '../teams/team.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse, refuseBy } from './call-answer.ts';

type Of<Tool extends CallRequest['tool']> = Extract<CallRequest, { tool: Tool }>;

export function createTeam(scene: CallScene, { name, purpose }: Of<'team_create'>): Answered {
  const { run, task } = scene;
  if (run.teams.has(name)) return refuse(`there is or was a team "${name}" in this run: choose another name`);
  if (run.teams.size >= childLimitsOf(run).teamsMax) {
    return refuseBy(scene, 'teamsMax', 'this run has had all the teams that it may have');
  }
  return answer(
    `You lead team "${name}". spawn_agent with "team": "${name}" adds members, team_tasks fills its list. Members stay when ` +
      'they have nothing to do. Once you have ended your turn and nobody of it has anything to do, they end by themselves.',
    { type: 'team.created', team: name, purpose, lead: task.spec.id },
  );
}

export function listTeams({ run, task }: CallScene): Answered {
  const isOwn = (team: Team): boolean => belongsTo(team, task.spec.id);
  const all = [...run.teams.values()];
  const teams = [...all.filter(isOwn), ...all.filter((team) => !isOwn(team))];
  const lines: string[] = [];
  let room = listMax;
  for (const team of teams) {
    const line = jsonText(aboutTeam(run, team));
    room -= line.length;
    if (room < 0) break;
    lines.push(line);
  }
  if (teams.length === 0) return answer('There are no teams in this run.');
  const left = teams.length - lines.length;
  return answer([...lines, ...(left === 0 ? [] : [`[${left} more teams; your own come first]`])].join('\n'));
}

const listMax = 12_000;
const membersShown = 50;
const purposeShown = 300;

function aboutTeam(run: Run, team: Team): Record<string, unknown> {
  const { name, purpose, lead, members, items, deletedAt } = team;
  const count = (state: string): number => items.filter((item) => item.state === state).length;
  return {
    team: name,
    purpose: purpose.slice(0, purposeShown),
    lead: taskOf(run, lead).spec.name,
    over: deletedAt !== null || !isLed(run, team) || undefined,
    members: members
      .slice(0, membersShown)
      .map(({ taskId }) => `${taskOf(run, taskId).spec.name}: ${at(run, team, taskId)}`),
    moreMembers: Math.max(0, members.length - membersShown) || undefined,
    items: {
      claimable: items.filter((item) => isClaimable(team, item)).length,
      claimed: count('claimed'),
      done: count('done'),
      all: items.length,
    },
  };
}

/** What a member is doing, in words. */
function at(run: Run, team: Team, id: TaskId): string {
  const task = taskOf(run, id);
  const held = heldBy(team, id).map(({ n }) => n);
  return held.length === 0 ? doing(run, task) : `${doing(run, task)}, holds ${held.join(', ')}`;
}

export function deleteTeam({ run, task, now }: CallScene, { team: name, force }: Of<'team_delete'>): Answered {
  const team = findTeam(run, name);
  if (typeof team === 'string') return refuse(team);
  if (team.lead !== task.spec.id) {
    return refuse(`team "${name}" is led by "${taskOf(run, team.lead).spec.name}": only that one ends it`);
  }
  const open = openMembers(run, team);
  if (open.length === 0) {
    const undone = team.items.filter(({ state }) => state !== 'done').length;
    return answer(`Team "${name}" is deleted; ${undone} of ${team.items.length} items were not done.`, {
      type: 'team.deleted',
      team: name,
    });
  }
  const forced = force || team.forced;
  const asked = open.filter(({ spec }) => isToBeAsked(team, spec.id, forced));
  const events: RunEventBody[] = force && !team.forced ? [{ type: 'team.forced', team: name }] : [];
  if (asked.length > 0) {
    events.push({ type: 'team.shutdownAsked', team: name, members: asked.map(({ spec }) => spec.id) });
    asked.forEach((each, i) => events.push(shutdownMessage(run, team, each, i + 1, now)));
  }
  return { text: refusalOf(run, team, open, forced), isError: true, events };
}

/** A member that refused is asked again, unless it is stopped anyway. */
function isToBeAsked(team: Team, id: TaskId, forced: boolean): boolean {
  const member = memberOf(team, id);
  if (member === null || member.leaves !== null) return false;
  return member.askedAt === null || (member.refused && !forced);
}

function refusalOf(run: Run, team: Team, open: readonly Task[], forced: boolean): string {
  const shown = open.slice(0, membersShown).map(({ spec }) => {
    const agreed = memberOf(team, spec.id)?.leaves !== null ? ', ends with its turn' : '';
    return `- ${spec.name}: ${at(run, team, spec.id)}${agreed}`;
  });
  const more = open.length > membersShown ? [`- and ${open.length - membersShown} more`] : [];
  const seconds = Math.round(childLimitsOf(run).shutdownMs / 1000);
  const next = forced
    ? `Those that have not agreed ${seconds} s after they were asked are stopped.`
    : `"force": true stops those that have not agreed within ${seconds} s.`;
  return [
    `refused: team "${team.name}" has active members. They are asked to end, and you are told when each has; then call it again.`,
    ...shown,
    ...more,
    next,
  ].join('\n');
}

function shutdownMessage(run: Run, team: Team, { spec }: Task, nth: number, now: number): RunEventBody {
  const lead = taskOf(run, team.lead).spec.name;
  const call = (type: string): string => `send_message ${JSON.stringify({ to: lead, type, text: '…' })}`;
  const text =
    `"${lead}" wants to end team "${team.name}" and asks you to finish. Bring what you are at to a good end, then agree: ` +
    `${call('shutdown-agreed')}; your task is finished with its evidence when your turn ends. ` +
    `If you cannot yet, say why: ${call('shutdown-refused')}.`;
  return sendOwnMessage(run, now, { to: spec.id, kind: 'message', type: 'shutdown', text }, nth);
}
