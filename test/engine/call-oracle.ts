// What a call of one of our tools may have done, said anew and without the code that decides it: who may see, stop and write to
// whom, what a child may be, and which events a tool can give rise to.

import type { RunEvent } from '../../src/model/events.ts';
import type { Run, Task } from '../../src/model/run.ts';
import { type TeamBefore, teamsBefore, wrongOfTeam } from './team-oracle.ts';

export interface Before {
  readonly tasks: ReadonlyMap<string, Task>;
  readonly settled: ReadonlySet<string>;
  readonly asking: ReadonlySet<string>;
  readonly openChildren: ReadonlyMap<string, number>;
  readonly claims: readonly { readonly taskId: string; readonly paths: readonly string[] }[];
  readonly lettersOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly teams: ReadonlyMap<string, TeamBefore>;
}

export function lookBefore(run: Run): Before {
  const tasks = [...run.tasks.values()];
  const open = (parent: Task): number =>
    tasks.filter((t) => t.spec.parent === parent.spec.id && t.state !== 'settled').length;
  return {
    tasks: new Map(tasks.map((task) => [task.spec.id, task])),
    settled: new Set(tasks.flatMap(({ spec, state }) => (state === 'settled' ? [spec.id] : []))),
    asking: new Set(tasks.flatMap(({ spec, question }) => (question?.state === 'open' ? [spec.id] : []))),
    openChildren: new Map(tasks.map((task) => [task.spec.id, open(task)])),
    claims: [...run.live.values()].map(({ taskId, claims }) => ({ taskId, paths: claims })),
    lettersOf: new Map(
      tasks.map(({ spec, inbox, read }) => [spec.id, new Set([...inbox, ...read].map(({ id }) => id as string))]),
    ),
    teams: teamsBefore(run),
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

export const limits = { depthMax: 3, childrenMax: 4, agentsMax: 60, mailboxMax: 40 } as const;

type Type = RunEvent['type'];
const stopping: readonly Type[] = ['stop.asked', 'task.settled', 'message.queued', 'question.expired', 'attempt.ended'];

/** What each tool can give rise to; all others to nothing. */
const mayDo: Readonly<Record<string, readonly Type[]>> = {
  spawn_agent: ['task.added', 'team.joined'],
  wait: ['attempt.waiting'],
  send_message: ['mail.sent', 'team.shutdownAnswered'],
  read_inbox: ['mail.taken'],
  stop_task: stopping,
  submit_artifact: ['artifact.stored', 'output.given'],
  claim_paths: ['paths.claimed'],
  release_paths: ['paths.claimed'],
  report_progress: ['progress.told'],
  ask_person: ['question.asked', 'attempt.waiting'],
  team_create: ['team.created'],
  team_delete: ['team.deleted', 'team.forced', 'team.shutdownAsked', 'mail.sent'],
  team_tasks: ['team.itemsAdded', 'team.itemDone', 'team.itemGivenBack'],
  claim_task: ['team.itemClaimed'],
};

/** Why a call ought not to have been accepted, or to have done this; null = it may. */
export function wrongWith(seen: Seen): string | null {
  const { tool, events, before, caller } = seen;
  const allowed = Object.hasOwn(mayDo, tool) ? (mayDo[tool] ?? []) : [];
  const strange = events.find(({ type }) => !allowed.includes(type));
  if (strange !== undefined) return `it gave rise to ${strange.type}`;
  const ofTeams = events.map((event) => wrongOfTeam(before.teams, caller.spec.id, event)).find((why) => why !== null);
  if (ofTeams !== undefined) return ofTeams;
  return Object.hasOwn(rules, tool) ? (rules[tool]?.(seen) ?? null) : null;
}

const rules: Readonly<Record<string, (seen: Seen) => string | null>> = {
  get_task: (seen) => unlessKnown(seen),
  read_output: (seen) => unlessKnown(seen),
  stop_task: ({ before, caller, input }) => {
    const task = named(before, input['task']);
    if (task === null || !isBelow(before, task, caller)) return 'it stops what is not below it';
    return before.settled.has(task.spec.id) ? 'it stops what has ended' : null;
  },
  send_message: ({ before, caller, input, events: [event, ...more] }) => {
    if (event?.type === 'team.shutdownAnswered') return null;
    if (typeof input['to'] === 'string' && input['to'].startsWith('team:')) return null;
    if (event?.type !== 'mail.sent' || more.length > 0) return 'it is one letter';
    const { letter } = event;
    const to = input['to'] === 'parent' ? before.tasks.get(caller.spec.parent ?? '') : named(before, input['to']);
    if (letter.to !== to?.spec.id || letter.to === caller.spec.id) return 'it goes to somebody else';
    if (before.settled.has(letter.to)) return 'its recipient has ended';
    if (letter.trust !== 'agent' || letter.fromName !== caller.spec.name || letter.kind !== 'message')
      return 'it is forged';
    if (letter.text !== input['text'] || letter.text.length > 32_000) return 'it says something else';
    const waiting = [...(before.tasks.get(letter.to)?.inbox ?? [])];
    return waiting.length > limits.mailboxMax + 60 ? 'the mailbox was full' : null;
  },
  read_inbox: ({ before, caller, input, events }) => {
    const own = before.lettersOf.get(caller.spec.id) ?? new Set();
    if (typeof input['letter'] === 'string' && !own.has(input['letter'])) return "it reads another's letter";
    const [taken] = events;
    return taken?.type === 'mail.taken' && taken.letters.some((id) => !own.has(id))
      ? "it takes another's letter"
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
};

function childIsNarrow({ before, caller, input, events: [event, ...more] }: Seen): string | null {
  if (event?.type !== 'task.added' || more.some(({ type }) => type !== 'team.joined')) return 'it is one task';
  const { task: child } = event;
  const { spec } = caller;
  if (child.parent !== spec.id) return "it is somebody else's child";
  if (before.tasks.has(child.id) || [...before.tasks.values()].some((t) => t.spec.name === child.name))
    return 'it is there';
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(child.name)) return 'it has no proper name';
  if (depth(before, caller) + 1 > limits.depthMax) return 'it stands too deep';
  if ((before.openChildren.get(spec.id) ?? 0) >= limits.childrenMax) return 'there are too many';
  if (before.tasks.size >= limits.agentsMax + 1) return 'there are too many in all';
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
