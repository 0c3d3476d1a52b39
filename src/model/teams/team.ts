// A team: agents under one lead that stay when they have nothing to do, and a list of work that they share. Part of a run's
// state, written only by evolve-team.ts. What can be derived from a team alone is derived here.

import type { TaskId } from '../core/ids.ts';

export interface Team {
  readonly name: string;
  readonly purpose: string;
  /** The agent of this task leads the team. */
  readonly lead: TaskId;
  readonly createdAt: number;
  /** In the order of joining; ended members stay in the list. */
  readonly members: Member[];
  /** The shared list of work, numbered from 1. */
  readonly items: Item[];
  /** Members that do not agree to end are stopped when their grace is over. */
  forced: boolean;
  deletedAt: number | null;
}

export interface Member {
  readonly taskId: TaskId;
  /** When its lead asked it to end; null = it did not. */
  askedAt: number | null;
  /** It refused to end. */
  refused: boolean;
  /** Why it ends with its turn: it agreed to, or there is no more work for it. null = it stays. */
  leaves: 'agreed' | 'dismissed' | null;
}

export interface Item {
  readonly n: number;
  readonly title: string;
  readonly text: string;
  /** Numbers of items that must be done first; all are lower than its own. */
  readonly needs: readonly number[];
  state: 'free' | 'claimed' | 'done';
  /** The member that holds it or has done it; null = none. */
  by: TaskId | null;
  result: string;
  /** The member that was offered it and has not answered; null = none. */
  offeredTo: TaskId | null;
  /** Members that were offered it since it became free, or had it: none is offered it twice. */
  offered: readonly TaskId[];
  /** Members that held it before: they are not offered it again. */
  had: readonly TaskId[];
}

export function memberOf({ members }: Team, id: TaskId): Member | null {
  return members.find(({ taskId }) => taskId === id) ?? null;
}

/** Numbers of unfinished items that it needs. */
export function unmetOf({ items }: Team, { needs }: Item): readonly number[] {
  return needs.filter((n) => items[n - 1]?.state !== 'done');
}

export function isClaimable(team: Team, item: Item): boolean {
  return item.state === 'free' && unmetOf(team, item).length === 0;
}

export function heldBy({ items }: Team, id: TaskId): readonly Item[] {
  return items.filter(({ state, by }) => state === 'claimed' && by === id);
}

/** The size of a list in characters. */
export function sizeOf(items: readonly Pick<Item, 'title' | 'text'>[]): number {
  return items.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
}
