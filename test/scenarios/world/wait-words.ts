// What a task of a view waits for, as people read it.

import { waitWords } from '../../../src/cli/text/wait-text.ts';
import type { TaskView } from '../../../src/wire/views.ts';

/** Empty = for nothing. */
export function waitsFor({ wait }: Pick<TaskView, 'wait'>): string {
  return wait === null ? '' : waitWords(wait);
}
