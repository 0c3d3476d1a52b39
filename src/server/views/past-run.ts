// The state of a run right after one of its attempts ended, folded from the journal; the task may have been reopened since.

import type { RunEvent } from '../../model/core/events.ts';
import type { AttemptId, RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { evolve } from '../../model/evolve.ts';
import { readEvent } from '../../model/format.ts';
import { emptyRun } from '../../model/new-state.ts';
import type { Journal } from '../../ports/journal.ts';

const pageSize = 1_000;

/** null = the journal has no end of that attempt. */
export async function runAtEndOf(
  journal: Pick<Journal, 'read'>,
  runId: RunId,
  attemptId: AttemptId,
): Promise<Run | null> {
  const run = emptyRun();
  for (let after = 0; ; ) {
    const page = await journal.read(runId, after, pageSize);
    for (const { type, data, at } of page) {
      const event = readEvent<RunEvent>({ type, data }, at);
      evolve(run, event);
      if (event.type === 'attempt.ended' && event.attemptId === attemptId) return run;
    }
    const last = page.at(-1);
    if (last === undefined) return null;
    after = last.seq;
  }
}
