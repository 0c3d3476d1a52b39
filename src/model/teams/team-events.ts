// Events of a team. Everything else that its members do is in the events of their tasks.

import type { TaskId } from '../core/ids.ts';
import type { Item } from './team.ts';

export type TeamEvent =
  | { readonly type: 'team.created'; readonly team: string; readonly purpose: string; readonly lead: TaskId }
  | { readonly type: 'team.joined'; readonly team: string; readonly taskId: TaskId }
  /** New items are numbered after the existing ones. */
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
  /** Given back by its holder or the lead. When its holder's task ends, an item is free without this event. */
  | { readonly type: 'team.itemGivenBack'; readonly team: string; readonly n: number; readonly by: TaskId }
  /** An idle member is notified of a free item. */
  | { readonly type: 'team.itemOffered'; readonly team: string; readonly n: number; readonly to: TaskId }
  /** The lead asks these members to end. */
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
  /** These members will get no more work, so they end. */
  | { readonly type: 'team.dismissed'; readonly team: string; readonly members: readonly TaskId[] }
  | { readonly type: 'team.deleted'; readonly team: string };
