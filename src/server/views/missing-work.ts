// The tasks that did not succeed in an ended run, with reasons; bounded. Derived on every request.

import { taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { MissingView } from '../../wire/views.ts';

/** At most this many are listed; the total is always given. */
const toldMax = 20;
const whyMax = 200;

/** null: the run is open, or nothing is missing. */
export function viewMissing(run: Run): MissingView | null {
  if (run.state !== 'ended') return null;
  const missing = [...run.tasks.values()].filter(({ spec, outcome, graph: { members } }) => {
    // A milestone is no work, and a matrix is represented by its tasks.
    if (spec.kind === 'milestone' || members.length > 0) return false;
    return outcome?.kind === 'failed' || outcome?.kind === 'skipped' || outcome?.kind === 'stopped';
  });
  if (missing.length === 0) return null;
  return { total: missing.length, tasks: missing.slice(0, toldMax).map((task) => told(run, task)) };
}

function told(run: Run, { spec: { id, name }, outcome }: Task): MissingView['tasks'][number] {
  const base = { id, name, because: null };
  switch (outcome?.kind) {
    case 'failed': {
      const { reason, detail } = outcome.failure;
      return { ...base, outcome: 'failed', reason, detail: detail.slice(0, whyMax) };
    }
    case 'skipped':
      return { ...base, outcome: 'skipped', reason: null, detail: null, because: causeOf(run, taskOf(run, id)) };
    default:
      return { ...base, outcome: 'stopped', reason: null, detail: null };
  }
}

/** The first cause: follows skipped tasks back to the one that failed. */
function causeOf(run: Run, task: Task): string {
  let at = task;
  while (at.outcome?.kind === 'skipped') at = taskOf(run, at.outcome.because);
  return at.spec.name;
}
