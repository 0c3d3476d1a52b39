// What a tool call may have done, written again without the code that decides it: which tasks an agent may see, stop and write
// to, what a child may be, and which events a tool can cause.

import { openAskAbout } from '../../src/model/asks/find-asks.ts';
import type { RunEvent } from '../../src/model/core/events.ts';
import type { Run, Task } from '../../src/model/core/run.ts';
import type { Team } from '../../src/model/teams/team.ts';

export interface Before {
  readonly tasks: ReadonlyMap<string, Task>;
  readonly ended: ReadonlySet<string>;
  readonly asking: ReadonlySet<string>;
  readonly openChildren: ReadonlyMap<string, number>;
  readonly claims: readonly { readonly taskId: string; readonly paths: readonly string[] }[];
  /** Of the caller. */
  readonly messages: ReadonlySet<string>;
  readonly teams: ReadonlyMap<string, TeamBefore>;
}

interface TeamBefore {
  readonly lead: string;
  readonly members: readonly string[];
  readonly items: readonly { readonly state: string; readonly by: string | null }[];
  readonly isOver: boolean;
}

export function lookBefore(run: Run, caller: Task | undefined): Before {
  const tasks = [...run.tasks.values()];
  const open = (parent: Task): number =>
    tasks.filter((t) => t.spec.parent === parent.spec.id && t.state !== 'ended').length;
  return {
    tasks: new Map(tasks.map((task) => [task.spec.id, task])),
    ended: new Set(tasks.flatMap(({ spec, state }) => (state === 'ended' ? [spec.id] : []))),
    asking: new Set(tasks.flatMap((task) => (openAskAbout(run, task) === null ? [] : [task.spec.id]))),
    openChildren: new Map(tasks.map((task) => [task.spec.id, open(task)])),
    claims: [...run.live.values()].map(({ taskId, claims }) => ({ taskId, paths: claims })),
    messages: new Set(
      [...(caller?.mailbox.inbox ?? []), ...(caller?.mailbox.read ?? [])].map(({ id }) => id as string),
    ),
    teams: new Map([...run.teams.values()].map((team) => [team.name, teamBefore(team)])),
  };
}

function teamBefore({ lead, members, items, deletedAt }: Team): TeamBefore {
  return {
    lead,
    members: members.map(({ taskId }) => taskId),
    items: items.map(({ state, by }) => ({ state, by })),
    isOver: deletedAt !== null,
  };
}

export interface Seen {
  readonly before: Before;
  readonly caller: Task;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the call did, its answer left out. */
  readonly events: readonly RunEvent[];
}

export const limits = {
  depthMax: 3,
  childrenMax: 4,
  agentsMax: 60,
  mailboxMax: 40,
  teamsMax: 6,
  teamItemsMax: 60,
} as const;

type Type = RunEvent['type'];
const stopping: readonly Type[] = ['stop.asked', 'task.ended', 'record.queued', 'ask.expired', 'attempt.ended'];

/** What each tool can give rise to; all others to nothing. */
const mayDo: Readonly<Record<string, readonly Type[]>> = {
  spawn_agent: ['task.added', 'team.joined'],
  wait: ['attempt.waiting'],
  send_message: ['message.sent', 'team.shutdownAnswered'],
  read_inbox: ['message.taken'],
  stop_task: stopping,
  submit_artifact: ['artifact.stored', 'output.given'],
  claim_paths: ['paths.claimed'],
  release_paths: ['paths.claimed'],
  report_progress: ['progress.reported'],
  ask_person: ['ask.opened', 'attempt.waiting'],
  team_create: ['team.created'],
  team_delete: ['team.deleted'],
  team_tasks: ['team.itemsAdded', 'team.itemDone', 'team.itemGivenBack'],
  claim_task: ['team.itemClaimed'],
};

/** Why a call that was refused ought not to have done this; null = it may. Members of a team that is to end are asked to. */
export function wrongWithRefused({ before, caller, tool, input, events }: Seen): string | null {
  if (events.length === 0) return null;
  const allowed: readonly Type[] = tool === 'team_delete' ? ['team.forced', 'team.shutdownAsked', 'message.sent'] : [];
  const strange = events.find(({ type }) => !allowed.includes(type));
  if (strange !== undefined) return `it was refused and gave rise to ${strange.type}`;
  const team = before.teams.get(String(input['team']));
  if (team?.lead !== caller.spec.id) return 'it ends a team that it does not lead';
  const asked = events.flatMap((event) => (event.type === 'message.sent' ? [event.message] : []));
  return asked.every(({ to, trust }) => team.members.includes(to) && trust === 'signalbox') ? null : 'it asks others';
}

/** Why a call ought not to have been accepted, or to have done this; null = it may. */
export function wrongWith(seen: Seen): string | null {
  const { tool, events } = seen;
  const allowed = Object.hasOwn(mayDo, tool) ? (mayDo[tool] ?? []) : [];
  const strange = events.find(({ type }) => !allowed.includes(type));
  if (strange !== undefined) return `it gave rise to ${strange.type}`;
  return Object.hasOwn(rules, tool) ? (rules[tool]?.(seen) ?? null) : null;
}

const rules: Readonly<Record<string, (seen: Seen) => string | null>> = {
  get_task: (seen) => unlessKnown(seen),
  read_output: (seen) => unlessKnown(seen),
  stop_task: ({ before, caller, input }) => {
    const task = named(before, input['task']);
    if (task === null || !isBelow(before, task, caller)) return 'it stops what is not below it';
    return before.ended.has(task.spec.id) ? 'it stops what has ended' : null;
  },
  send_message: (seen) => {
    const { before, caller, input, events } = seen;
    const messages = events.flatMap((event) => (event.type === 'message.sent' ? [event.message] : []));
    const recipients = recipientsOf(seen);
    for (const message of messages) {
      if (!recipients.includes(message.to) || message.to === caller.spec.id) return 'it goes to somebody else';
      if (before.ended.has(message.to)) return 'its recipient has ended';
      if (message.trust !== 'agent' || message.fromName !== caller.spec.name || message.kind !== 'message')
        return 'it is forged';
      if (message.text !== input['text'] || message.text.length > 32_000) return 'it says something else';
    }
    const answered = events.find((event) => event.type === 'team.shutdownAnswered');
    if (answered === undefined) return messages.length === 0 ? 'nothing is sent' : null;
    return answered.taskId === caller.spec.id ? null : 'it answers for another';
  },
  read_inbox: ({ before: { messages: own }, input, events }) => {
    if (typeof input['message'] === 'string' && !own.has(input['message'])) return "it reads another's message";
    const [taken] = events;
    return taken?.type === 'message.taken' && taken.messages.some((id) => !own.has(id))
      ? "it takes another's message"
      : null;
  },
  wait: ({ before, input, events }) => {
    const words = (input['tasks'] ?? []) as unknown[];
    if (words.some((each) => named(before, each) === null)) return 'it waits for nobody';
    return events.length > 1 ? 'it waits twice' : null;
  },
  ask_person: ({ before, caller }) => (before.asking.has(caller.spec.id) ? 'it asks a second time' : null),
  report_progress: ({ input: { line, fraction = null } }) => {
    if (typeof line !== 'string' || line.length < 1 || line.length > 200) return 'it is no line';
    return fraction === null || (typeof fraction === 'number' && fraction >= 0 && fraction <= 1) ? null : 'no fraction';
  },
  claim_paths: ({ before, caller, input }) => {
    const paths = input['paths'] as string[];
    if (!paths.every((each) => isInside(caller, each))) return 'it claims what it may not change';
    const others = before.claims.filter(({ taskId }) => taskId !== caller.spec.id).flatMap((each) => each.paths);
    return paths.some((each) => others.includes(each)) ? 'somebody else holds it' : null;
  },
  submit_artifact: ({ caller, input: { kind } }) =>
    kind === 'output' && caller.spec.output === null ? 'there is no such output to give' : null,
  spawn_agent: childIsNarrow,
  team_create: ({ before, caller, events: [made] }) => {
    if (made?.type !== 'team.created' || made.lead !== caller.spec.id) return 'somebody else leads it';
    return before.teams.has(made.team) || before.teams.size >= limits.teamsMax ? 'there is no room for it' : null;
  },
  team_delete: ({ before, caller, input }) => {
    const team = before.teams.get(String(input['team']));
    if (team?.lead !== caller.spec.id || team.isOver) return 'it is not its own';
    return team.members.every((id) => before.ended.has(id)) ? null : 'it has members';
  },
  team_tasks: (seen) => {
    const team = teamOf(seen);
    if (team === null) return 'it is in no such team';
    for (const event of seen.events) {
      if ('by' in event && event.by !== seen.caller.spec.id) return 'in the name of another';
      if (event.type !== 'team.itemDone' && event.type !== 'team.itemGivenBack') continue;
      const item = team.items[event.n - 1];
      const isIts = item?.by === seen.caller.spec.id || team.lead === seen.caller.spec.id;
      if (item === undefined || item.state === 'done' || !isIts) return `item ${event.n} is not its own`;
    }
    return null;
  },
  claim_task: (seen) => {
    const team = teamOf(seen);
    if (team === null) return 'it is in no such team';
    const [claimed] = seen.events;
    if (claimed?.type !== 'team.itemClaimed') return null;
    return claimed.by === seen.caller.spec.id && team.items[claimed.n - 1]?.state === 'free' ? null : 'it is not free';
  },
};

/** Those of a team, or the one that is named. */
function recipientsOf({ before, caller, input }: Seen): readonly string[] {
  const to = String(input['to']);
  if (to === 'parent') return caller.spec.parent === null ? [] : [caller.spec.parent];
  const team = to.startsWith('team:') ? before.teams.get(to.slice(5)) : undefined;
  if (team === undefined) return [named(before, to)?.spec.id ?? ''];
  const all = [team.lead, ...team.members];
  return all.includes(caller.spec.id) ? all : [];
}

function teamOf({ before, caller, input }: Seen): TeamBefore | null {
  const team = before.teams.get(String(input['team']));
  if (team === undefined || team.isOver) return null;
  return [team.lead, ...team.members].includes(caller.spec.id) ? team : null;
}

function childIsNarrow({ before, caller, input, events: [event, joined, ...more] }: Seen): string | null {
  if (event?.type !== 'task.added' || more.length > 0) return 'it is one task';
  const { task: child } = event;
  if (joined !== undefined && (joined.type !== 'team.joined' || joined.taskId !== child.id))
    return 'another joins a team';
  const { spec } = caller;
  if (child.parent !== spec.id) return "it is somebody else's child";
  if (before.tasks.has(child.id) || [...before.tasks.values()].some((t) => t.spec.name === child.name))
    return 'it is there';
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(child.name)) return 'it has no proper name';
  if (depth(before, caller) + 1 > limits.depthMax) return 'it stands too deep';
  if ((before.openChildren.get(spec.id) ?? 0) >= limits.childrenMax) return 'there are too many';
  if ([...before.tasks.values()].filter((t) => t.spec.parent !== null).length >= limits.agentsMax)
    return 'there are too many in all';
  if (!(child.writes ?? []).every((each) => isInside(caller, each))) return 'it may change more';
  if (spec.writes !== null && child.writes === null) return 'it may change anything';
  if (child.sandbox !== spec.sandbox || child.permissions !== spec.permissions) {
    if (JSON.stringify([child.sandbox, child.permissions]) !== JSON.stringify([spec.sandbox, spec.permissions]))
      return 'it may do more';
  }
  if (child.harness !== 'scripted') return 'it is no agent that there is';
  if (child.keeps && !spec.keeps) return 'it keeps more';
  const tokens = (input['budget'] as { tokens?: number } | undefined)?.tokens;
  if (spec.budget?.tokens !== undefined && tokens !== undefined && tokens > spec.budget.tokens) return 'it costs more';
  const strangers = child.needs.filter((id) => {
    const need = before.tasks.get(id);
    return need === undefined || !(isBelow(before, need, caller) || spec.needs.includes(id));
  });
  return strangers.length > 0 ? 'it is given what its parent may not see' : null;
}

function unlessKnown({ before, caller, input }: Seen): string | null {
  const task = named(before, input['task']);
  if (task === null) return 'there is no such task';
  return task === caller || isBelow(before, task, caller) || caller.spec.needs.includes(task.spec.id)
    ? null
    : 'it is none of its own';
}

function named({ tasks }: Before, word: unknown): Task | null {
  for (const task of tasks.values()) if (task.spec.name === word || task.spec.id === word) return task;
  return null;
}

function isBelow({ tasks }: Before, task: Task, above: Task): boolean {
  for (let id = task.spec.parent; id !== null; id = tasks.get(id)?.spec.parent ?? null) {
    if (id === above.spec.id) return true;
  }
  return false;
}

function depth({ tasks }: Before, task: Task): number {
  const above = task.spec.parent === null ? undefined : tasks.get(task.spec.parent);
  return above === undefined ? 1 : depth({ tasks } as Before, above) + 1;
}

/** For the few write-sets that there are in the world of the test. */
function isInside({ spec: { writes } }: Task, path: string): boolean {
  if (path.includes('..') && !path.startsWith('{')) return false;
  if (path.startsWith('/') || path.includes('\0')) return false;
  if (writes === null) return true;
  const plain = (glob: string): string => glob.replace(/\/\*\*$/, '').replace(/\/+$/, '');
  return writes.some(
    (each) =>
      plain(path) === plain(each) || (plain(each) !== '**' && path.startsWith(`${plain(each)}/`)) || each === '**',
  );
}
