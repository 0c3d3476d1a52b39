// Limits on agents spawned by agents; the defaults suit a laptop. All are counted from the journal, so a restart forgets
// nothing.

import type { TaskId } from './ids.ts';
import type { Run } from './run.ts';

export interface ChildLimits {
  /** The depth of the tree of agents; the plan's tasks are the first level. */
  readonly depthMax: number;
  /** Open children of one task. */
  readonly childrenMax: number;
  /** All agents ever spawned by agents. The plan's own are not counted. */
  readonly agentsMax: number;
  readonly spawnsPerMinute: number;
  /** For one sender. */
  readonly messagesPerMinute: number;
  /** Messages, and characters, in one mailbox. */
  readonly mailboxMax: number;
  readonly mailboxCharsMax: number;
  /** Messages in a chain of answers without other work in between. */
  readonly hopsMax: number;
  /** Teams ever created, and the size of one team's list, in items and in characters. */
  readonly teamsMax: number;
  readonly teamItemsMax: number;
  readonly teamCharsMax: number;
  /** Idle grace: how long a waiting agent keeps its process warm before the process is ended. */
  readonly idleMs: number;
  /** How long a team member may take to agree to its end before a forced end stops it. */
  readonly shutdownMs: number;
}

export const usualChildLimits: ChildLimits = {
  depthMax: 4,
  childrenMax: 50,
  agentsMax: 200,
  spawnsPerMinute: 60,
  messagesPerMinute: 120,
  mailboxMax: 2_000,
  mailboxCharsMax: 8_000_000,
  hopsMax: 20,
  teamsMax: 20,
  teamItemsMax: 1_000,
  teamCharsMax: 1_000_000,
  idleMs: 10_000,
  shutdownMs: 60_000,
};

/** The range of each limit. A depth of 1: no agent may spawn. */
export const childLimitRanges: Readonly<Record<keyof ChildLimits, { readonly min: number; readonly max: number }>> = {
  depthMax: { min: 1, max: 20 },
  childrenMax: { min: 1, max: 10_000 },
  agentsMax: { min: 1, max: 100_000 },
  spawnsPerMinute: { min: 1, max: 10_000 },
  messagesPerMinute: { min: 1, max: 10_000 },
  mailboxMax: { min: 1, max: 100_000 },
  mailboxCharsMax: { min: 100_000, max: 100_000_000 },
  hopsMax: { min: 1, max: 1_000 },
  teamsMax: { min: 1, max: 1_000 },
  teamItemsMax: { min: 1, max: 100_000 },
  teamCharsMax: { min: 1_000, max: 100_000_000 },
  idleMs: { min: 0, max: 3_600_000 },
  shutdownMs: { min: 0, max: 3_600_000 },
};

/** The name of each limit in plans; times there are in seconds. */
export const childrenWords = {
  depthMax: 'depth',
  childrenMax: 'children',
  agentsMax: 'in-all',
  spawnsPerMinute: 'spawns-per-minute',
  messagesPerMinute: 'messages-per-minute',
  mailboxMax: 'mailbox',
  mailboxCharsMax: 'mailbox-characters',
  hopsMax: 'hops',
  teamsMax: 'teams',
  teamItemsMax: 'team-items',
  teamCharsMax: 'team-characters',
  idleMs: 'idle-seconds',
  shutdownMs: 'shutdown-seconds',
} as const satisfies Readonly<Record<keyof ChildLimits, string>>;

/** The name of each limit in command-line options and refusals, where no context says that it is about agents. */
export function limitOption(limit: keyof ChildLimits): string {
  return limit === 'agentsMax' ? 'agents-in-all' : childrenWords[limit];
}

/** Characters of one role's prompt, and of all roles of a run: they are part of one event. */
export const rolePromptMax = 100_000;
export const rolesMax = 400_000;

export type ChildLimit = Exclude<keyof ChildLimits, 'idleMs' | 'shutdownMs'>;

/** A person is notified once for a limit, until it is changed. */
export interface ReachedLimit {
  readonly limit: ChildLimit;
  readonly max: number;
  /** The task whose agent reached it first. */
  readonly taskId: TaskId;
  readonly at: number;
}

export function childLimitsOf(run: Run): ChildLimits {
  return { ...usualChildLimits, ...run.spec?.limits.children };
}
