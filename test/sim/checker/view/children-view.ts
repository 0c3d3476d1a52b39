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
  /** Limits of which people were told. */
  readonly told: Set<string>;
  readonly teams: Map<string, TeamView>;
  /** Reports of what nobody will read that are still to be sent. */
  readonly owed: OwedReport[];
  /** Tasks that were opened again with the present commit. */
  readonly reopened: Set<TaskView>;
}

export interface TaskChildren {
  /** The task whose agent asked for it. */
  asker: TaskView | null;
  readonly children: TaskView[];
  /** Whether whoever asked for it was told how it ended last. */
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
  /** What calls did since the last one that is told as answered. */
  readonly doings: string[];
  /** To whom it wrote in the meantime. */
  sentTo: string[];
  /** Since when it rests with its process; null = it does not. */
  restsSince: number | null;
  /** When its last turn ended. */
  turnEndedAt: number;
}

/** What the record has of an agent, over all its attempts. */
export interface AgentChildren {
  readonly calls: Map<string, { readonly text: string; readonly isError: boolean }>;
  spawnedAt: readonly number[];
  sentAt: readonly number[];
  /** Messages that its present session has taken up, and of each sender the last. */
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

/** Those above it that asked for it, the nearest first. */
export function* askersOf(task: TaskView): Iterable<TaskView> {
  for (let at = task.spawning.asker; at !== null; at = at.spawning.asker) yield at;
}

/** The tasks that it is part of or was asked for by, the nearest first. */
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

/** With one more now. A clock that went back has nobody counted before that. */
export function lately(times: readonly number[], at: number): readonly number[] {
  const last = times.at(-1) ?? at;
  return last > at ? [at] : [...times.filter((time) => time > at - 60_000), at];
}
