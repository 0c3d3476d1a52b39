// What can happen to a team. What its members do otherwise is told of their tasks.

import type { TaskId } from '../core/ids.ts';
import type { Item } from './team.ts';

export type TeamEvent =
  | { readonly type: 'team.created'; readonly team: string; readonly purpose: string; readonly lead: TaskId }
  | { readonly type: 'team.joined'; readonly team: string; readonly taskId: TaskId }
  /** They follow those that are there, by number. */
  | {
      readonly type: 'team.itemsAdded';
      readonly team: string;
      readonly by: TaskId;
      readonly items: readonly Pick<Item, 'title' | 'text' | 'needs'>[];
    }
  | { readonly type: 'team.itemClaimed'; readonly team: string; readonly n: number; readonly by: TaskId }
  | {
      readonly type: 'team.itemDone';
      readonly team: string;
      readonly n: number;
      readonly by: TaskId;
      readonly result: string;
    }
  /** By its holder or the lead; with the end of its holder's task it is free by itself. */
  | { readonly type: 'team.itemGivenBack'; readonly team: string; readonly n: number; readonly by: TaskId }
  /** A member that rests is told of it. */
  | { readonly type: 'team.itemOffered'; readonly team: string; readonly n: number; readonly to: TaskId }
  /** The lead wants these to end. */
  | { readonly type: 'team.shutdownAsked'; readonly team: string; readonly members: readonly TaskId[] }
  | {
      readonly type: 'team.shutdownAnswered';
      readonly team: string;
      readonly taskId: TaskId;
      readonly agreed: boolean;
      readonly reason: string;
    }
  /** Members that do not agree are stopped when their grace is over. */
  | { readonly type: 'team.forced'; readonly team: string }
  /** Nobody will have anything for these any more. */
  | { readonly type: 'team.dismissed'; readonly team: string; readonly members: readonly TaskId[] }
  | { readonly type: 'team.deleted'; readonly team: string };
