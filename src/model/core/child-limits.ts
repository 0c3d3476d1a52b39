// How much agents may make of themselves: what a run allows where nobody says otherwise suits a laptop. All of it is counted
// from the record, so that a restart forgets nothing.

import type { TaskId } from './ids.ts';
import type { Run } from './run.ts';

export interface ChildLimits {
  /** How many tasks may stand above one another; those of the plan are the first. */
  readonly depthMax: number;
  /** Open children of one task. */
  readonly childrenMax: number;
  /** Agents that agents asked for, that there ever were. The plan's own are not counted. */
  readonly agentsMax: number;
  readonly spawnsPerMinute: number;
  /** Of one sender. */
  readonly messagesPerMinute: number;
  /** Messages, and characters, that wait for one agent. */
  readonly mailboxMax: number;
  readonly mailboxCharsMax: number;
  /** Messages that lead to one another without other work in between. */
  readonly hopsMax: number;
  /** Teams that there ever were, and what may be on the list of one, in items and in characters. */
  readonly teamsMax: number;
  readonly teamItemsMax: number;
  readonly teamCharsMax: number;
  /** Idle grace: how long a waiting agent keeps its process warm before the process is ended. */
  readonly idleMs: number;
  /** How long a member of a team may take to agree to its end, before it is stopped where that is forced. */
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

/** What each may be set to. One deep: nobody asks for anybody. */
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

/** What plans call each; times there are in seconds. */
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

/** What the command line and refusals call each: there nothing else says that it is about agents. */
export function limitOption(limit: keyof ChildLimits): string {
  return limit === 'agentsMax' ? 'agents-in-all' : childrenWords[limit];
}

/** Characters of one role, and of all that a run is given: they are part of one event of the record. */
export const rolePromptMax = 100_000;
export const rolesMax = 400_000;

export type ChildLimit = Exclude<keyof ChildLimits, 'idleMs' | 'shutdownMs'>;

/** Of which a person was told, once for a limit until it is changed. */
export interface ReachedLimit {
  readonly limit: ChildLimit;
  readonly max: number;
  /** Whose agent came up to it first. */
  readonly taskId: TaskId;
  readonly at: number;
}

export function childLimitsOf(run: Run): ChildLimits {
  return { ...usualChildLimits, ...run.spec?.limits.children };
}
