// A team: agents under one lead that stay when they have nothing to do, and a list of work that they share. Part of a run's
// state, changed by the fold alone; what follows from a team by itself is asked here.

import type { TaskId } from '../core/ids.ts';

export interface Team {
  readonly name: string;
  readonly purpose: string;
  /** Whoever works on this task. */
  readonly lead: TaskId;
  readonly createdAt: number;
  /** In the order of joining; those that have ended stay in it. */
  readonly members: Member[];
  /** What there is to do, by number from 1. */
  readonly items: Item[];
  /** Members that do not agree to end are stopped when their grace is over. */
  forced: boolean;
  deletedAt: number | null;
}

export interface Member {
  readonly taskId: TaskId;
  /** When its lead asked it to end; null = it did not. */
  askedAt: number | null;
  /** It said no. */
  refused: boolean;
  /** Why it ends with its turn: by its own word, or because nobody will have anything for it. null = it stays. */
  leaves: 'agreed' | 'dismissed' | null;
}

export interface Item {
  readonly n: number;
  readonly title: string;
  readonly text: string;
  /** Numbers that have to be done first; all of them lower than its own. */
  readonly needs: readonly number[];
  state: 'free' | 'claimed' | 'done';
  /** Who holds it, or has done it; null = nobody. */
  by: TaskId | null;
  result: string;
  /** Who was told of it and has not said whether it takes it; null = nobody. */
  offeredTo: TaskId | null;
  /** Members that were told of it since it is free, or had it: nobody is told twice. */
  offered: readonly TaskId[];
  /** Those that had it: they are not told when it is free again. */
  had: readonly TaskId[];
}

export function memberOf({ members }: Team, id: TaskId): Member | null {
  return members.find(({ taskId }) => taskId === id) ?? null;
}

/** Numbers that it still needs. */
export function unmetOf({ items }: Team, { needs }: Item): readonly number[] {
  return needs.filter((n) => items[n - 1]?.state !== 'done');
}

export function isClaimable(team: Team, item: Item): boolean {
  return item.state === 'free' && unmetOf(team, item).length === 0;
}

export function heldBy({ items }: Team, id: TaskId): readonly Item[] {
  return items.filter(({ state, by }) => state === 'claimed' && by === id);
}

/** What a list takes up, in characters. */
export function sizeOf(items: readonly Pick<Item, 'title' | 'text'>[]): number {
  return items.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
}
