// What the checker has seen between the agents of a run: calls, messages, waits, claims. Plain data beside view.ts.

import type { TeamView } from '../children/team-rules.ts';
import type { OwedReport } from '../children/undelivered-rules.ts';
import type { AttemptView } from './attempt-view.ts';
import type { MessagesData, WaitsData } from './event-data.ts';
import type { TaskView } from './run-view.ts';
import type { View } from './view.ts';

export interface RunChildren {
  limits: Readonly<Record<string, number>>;
  messages: number;
  /** Limits that people were notified of. */
  readonly told: Set<string>;
  readonly teams: Map<string, TeamView>;
  /** Reports of unread messages that are still to be sent. */
  readonly owed: OwedReport[];
  /** Tasks that were opened again with the present commit. */
  readonly reopened: Set<TaskView>;
}

export interface TaskChildren {
  /** The task whose agent spawned it. */
  asker: TaskView | null;
  readonly children: TaskView[];
  /** Whether its parent was notified of its last end. */
  told: boolean;
  /** Messages that it was not given yet. */
  readonly inbox: MessageView[];
  /** The one that it is a member of. */
  team: TeamView | null;
  /** When it ended last; null = it never did. */
  endedAt: number | null;
  /** Its next attempt goes on with the session of the last one. */
  resumes: boolean;
}

export interface AttemptChildren {
  waits: WaitsData | null;
  claims: readonly string[];
  /** What calls did since the last answered one. */
  readonly doings: string[];
  /** The receivers of its messages in the meantime. */
  sentTo: string[];
  /** Since when it rests with its process; null = it does not. */
  restsSince: number | null;
  /** When its last turn ended. */
  turnEndedAt: number;
}

/** What the journal has of an agent, over all its attempts. */
export interface AgentChildren {
  readonly calls: Map<string, { readonly text: string; readonly isError: boolean }>;
  spawnedAt: readonly number[];
  sentAt: readonly number[];
  /** Messages that its present session has read, and the last of each sender. */
  taken: Set<MessageView>;
  lastOf: Map<string, number>;
}

export interface MessageView {
  readonly id: string;
  readonly n: number;
  readonly data: MessagesData;
  readonly to: TaskView;
}

export const newRunChildren = (): RunChildren => ({
  limits: {},
  messages: 0,
  told: new Set(),
  teams: new Map(),
  owed: [],
  reopened: new Set(),
});

export const newTaskChildren = (asker: TaskView | null): TaskChildren => ({
  asker,
  children: [],
  told: false,
  inbox: [],
  team: null,
  endedAt: null,
  resumes: false,
});

export const newAttemptChildren = (): AttemptChildren => ({
  waits: null,
  claims: [],
  doings: [],
  sentTo: [],
  restsSince: null,
  turnEndedAt: 0,
});

const newAgentChildren = (): AgentChildren => ({
  calls: new Map(),
  spawnedAt: [],
  sentAt: [],
  taken: new Set(),
  lastOf: new Map(),
});

/** Its ancestors by spawning, the nearest first. */
export function* askersOf(task: TaskView): Iterable<TaskView> {
  for (let at = task.spawning.asker; at !== null; at = at.spawning.asker) yield at;
}

/** Whether a task is an ancestor of another, by matrix or spawning. */
export function isAbove(above: TaskView, task: TaskView): boolean {
  for (const each of askersOf(task)) if (each === above) return true;
  return false;
}

export function liveAttempt({ attempt }: TaskView): AttemptView | null {
  return attempt !== null && attempt.state !== 'ended' ? attempt : null;
}

export function isOpen({ state }: TaskView): boolean {
  return state !== 'ended';
}

/** Why an attempt whose turn has ended is not over; null = nothing is to come. */
export function restsFor({ task, spawning }: AttemptView, withTeam = true): string | null {
  const { children, inbox } = task.spawning;
  if (task.ask?.state === 'open' && task.ask.kind === 'question') return 'a person';
  if (spawning.waits !== null && (spawning.waits.tasks.length > 0 || spawning.waits.until !== null))
    return 'what it waits for';
  const open = children.find(isOpen);
  if (open !== undefined) return open.id;
  if (children.some((child) => !child.spawning.told)) return 'news of what it asked for';
  if (inbox.length > 0) return `${inbox.length} messages`;
  return withTeam && stands(task) ? 'its team' : null;
}

/** It is a member of a team that is led, and has neither agreed to end nor was let go. */
export function stands(task: TaskView): boolean {
  const { team } = task.spawning;
  return team !== null && !team.deleted && isOpen(team.lead) && team.members.get(task)?.leaves === false;
}

export function agentChildren({ spawning }: View, agentId: string): AgentChildren {
  const known = spawning.get(agentId) ?? newAgentChildren();
  spawning.set(agentId, known);
  return known;
}

/** With one more now. After a clock was set back, earlier times do not count. */
export function lately(times: readonly number[], at: number): readonly number[] {
  const last = times.at(-1) ?? at;
  return last > at ? [at] : [...times.filter((time) => time > at - 60_000), at];
}
