// What an agent waits for that has ended its turn for it.

import type { AskId, TaskId } from '../core/ids.ts';

export interface Waits {
  /** Tasks that have to end; none where it waits for a person, or for messages. */
  readonly tasks: readonly TaskId[];
  readonly mode: 'any' | 'all';
  /** What a person is asked; null = nobody is. */
  readonly askId: AskId | null;
  /** Until when at most; null = as long as it takes. */
  readonly until: number | null;
}
