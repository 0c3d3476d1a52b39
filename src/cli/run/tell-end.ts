// What a person reads when a run has ended: collects what its tasks changed, and how commands can name the run.

import { isFault } from '../../std/fault.ts';
import { shellQuote } from '../../std/shell-quote.ts';
import { mostTelling, shownTasks } from '../../wire/shown-tasks.ts';
import type { RunView } from '../../wire/views.ts';
import { changesOf } from '../client/changed-files.ts';
import type { Context } from '../client/context.ts';
import { find } from '../client/find-id.ts';
import { createPaint } from '../text/paint.ts';
import { runEnd } from '../text/run-end.ts';

export async function endOf(context: Context, run: RunView, verbose: boolean): Promise<string> {
  const { place, terminal } = context;
  const [changes, name] = await Promise.all([
    changesOf(place, mostTelling(shownTasks(run)).shown),
    verbose ? run.id : nameFor(context, run),
  ]);
  const paint = createPaint(terminal.hasColour(place.look));
  return runEnd(run, { changes, name, columns: terminal.columns, paint, verbose });
}

/** Its name, if that means this run; else its id. */
export async function nameFor(context: Pick<Context, 'client'>, run: Pick<RunView, 'id' | 'name'>): Promise<string> {
  try {
    const { runId } = await find(context, run.name);
    return runId === run.id ? shellQuote(run.name) : run.id;
  } catch (error) {
    if (isFault(error)) return run.id;
    throw error;
  }
}
