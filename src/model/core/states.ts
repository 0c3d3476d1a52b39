// The states of every noun and their transitions. Each table is total: every state answers every event; null = cannot happen,
// so deciding it is a bug and asserts. Only `next` applies a table. Decisions check first and refuse; a null reached in
// `evolve` means a damaged or foreign journal.

import { assert } from '../../std/assert.ts';

type Table<State extends string, Event extends string> = Readonly<Record<State, Readonly<Record<Event, State | null>>>>;

/** landing: its tasks have ended, and its branch is being landed in a branch that a person named. */
export type RunState = 'running' | 'landing' | 'stopping' | 'ended';
const runMoves = ['stopAsked', 'landingAsked', 'sentBack', 'ended', 'resumed'] as const;
export type RunMove = (typeof runMoves)[number];
const runRow = rows<RunState, RunMove>(runMoves);

export const runNext: Table<RunState, RunMove> = {
  running: runRow({ stopAsked: 'stopping', landingAsked: 'landing', ended: 'ended' }),
  landing: runRow({ stopAsked: 'stopping', sentBack: 'running', ended: 'ended' }),
  stopping: runRow({ ended: 'ended' }),
  ended: runRow({ landingAsked: 'landing', resumed: 'running' }),
};

/**
 * blocked: needs are not met. ready: only a slot is missing. active: an attempt or a matrix's tasks are at work, or a person is
 * asked. delayed: the next attempt waits for its time. ended: it has an outcome.
 */
export type TaskState = 'blocked' | 'ready' | 'active' | 'delayed' | 'ended';
const taskMoves = ['needsMet', 'started', 'expanded', 'asked', 'delayed', 'due', 'ended', 'reopened'] as const;
export type TaskMove = (typeof taskMoves)[number];
const taskRow = rows<TaskState, TaskMove>(taskMoves);

export const taskNext: Table<TaskState, TaskMove> = {
  blocked: taskRow({ needsMet: 'ready', expanded: 'active', asked: 'active', ended: 'ended' }),
  ready: taskRow({ started: 'active', asked: 'active', ended: 'ended' }),
  active: taskRow({ asked: 'active', delayed: 'delayed', ended: 'ended' }),
  delayed: taskRow({ due: 'ready', ended: 'ended' }),
  ended: taskRow({ reopened: 'blocked' }),
};

/**
 * preparing: its workspace is being made. resting: it has a workspace and no process (just prepared, between two launches, or
 * parked). launching: a process was ordered. running: there is a process. saving: the work is being saved. proving: evidence is
 * being gathered. integrating: the work is being merged onto the run's branch. Being asked to stop is not a state but a reason
 * that any of them may carry: the first one wins.
 */
export type AttemptState =
  | 'preparing'
  | 'resting'
  | 'launching'
  | 'running'
  | 'saving'
  | 'proving'
  | 'integrating'
  | 'ended';
const attemptMoves = [
  'prepared',
  'launchIntended',
  'launched',
  'down',
  'finished',
  'saved',
  'proved',
  'ended',
] as const;
export type AttemptMove = (typeof attemptMoves)[number];
const row = rows<AttemptState, AttemptMove>(attemptMoves);

export const attemptNext: Table<AttemptState, AttemptMove> = {
  preparing: row({ prepared: 'resting', ended: 'ended' }),
  resting: row({ launchIntended: 'launching', finished: 'saving' }),
  launching: row({ launched: 'running', down: 'resting' }),
  running: row({ down: 'resting' }),
  saving: row({ saved: 'proving', ended: 'ended' }),
  proving: row({ proved: 'integrating', ended: 'ended' }),
  integrating: row({ ended: 'ended' }),
  ended: row({}),
};

/** live: a shim claimed the launch directory. lost: contact lost, which is neither dead nor done. */
export type LaunchState = 'intended' | 'live' | 'ended' | 'lost';
export type LaunchMove = 'started' | 'ended' | 'lost';

export const launchNext: Table<LaunchState, LaunchMove> = {
  intended: { started: 'live', ended: 'ended', lost: 'lost' },
  live: { started: null, ended: 'ended', lost: 'lost' },
  ended: { started: null, ended: null, lost: null },
  lost: { started: null, ended: null, lost: null },
};

/**
 * A written record is in the launch's `in` file; a delivered one was also read by the agent. The agent's acknowledgement may be
 * journalled before our own note of the writing (acked): the next record's place is known only with that note.
 */
export type RecordState = 'queued' | 'written' | 'acked' | 'delivered' | 'dead';
export type RecordMove = 'written' | 'delivered' | 'found' | 'launchGone' | 'givenUp';

export const recordNext: Table<RecordState, RecordMove> = {
  queued: { written: 'written', delivered: 'acked', found: 'delivered', launchGone: 'queued', givenUp: 'dead' },
  written: { written: null, delivered: 'delivered', found: 'delivered', launchGone: 'queued', givenUp: 'dead' },
  acked: {
    written: 'delivered',
    delivered: 'acked',
    found: 'delivered',
    launchGone: 'delivered',
    givenUp: 'delivered',
  },
  delivered: {
    written: null,
    delivered: 'delivered',
    found: 'delivered',
    launchGone: 'delivered',
    givenUp: 'delivered',
  },
  dead: { written: null, delivered: 'dead', found: 'dead', launchGone: 'dead', givenUp: 'dead' },
};

export type WorkspaceState = 'absent' | 'held' | 'saved' | 'removed';
export type WorkspaceMove = 'prepared' | 'saved' | 'removed';

/** held never becomes removed: unsaved work is never destroyed. */
export const workspaceNext: Table<WorkspaceState, WorkspaceMove> = {
  absent: { prepared: 'held', saved: null, removed: null },
  held: { prepared: null, saved: 'saved', removed: null },
  saved: { prepared: null, saved: 'saved', removed: 'removed' },
  removed: { prepared: null, saved: null, removed: 'removed' },
};

/** An ask is answered once, or expires. */
export type AskState = 'open' | 'approved' | 'rejected' | 'expired';
export type AskMove = 'approved' | 'rejected' | 'expired';

export const askNext: Table<AskState, AskMove> = {
  open: { approved: 'approved', rejected: 'rejected', expired: 'expired' },
  approved: { approved: null, rejected: null, expired: null },
  rejected: { approved: null, rejected: null, expired: null },
  expired: { approved: null, rejected: null, expired: null },
};

/** The only place where a table is applied. */
export function next<S extends string, M extends string>(table: Table<S, M>, state: S, move: M): S {
  const to = table[state][move];
  assert(to !== null, `${state} cannot answer ${move}`);
  return to;
}

/** Makes the rows of a table: a move that a row does not name cannot happen. */
function rows<State extends string, Move extends string>(moves: readonly Move[]) {
  const nothing = Object.fromEntries(moves.map((move) => [move, null])) as Record<Move, null>;
  return (to: Partial<Record<Move, State>>): Readonly<Record<Move, State | null>> => ({ ...nothing, ...to });
}
