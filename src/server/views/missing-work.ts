// What a run that has ended did not do, and why: bounded, for people and programs. Derived at each look.

import { taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { MissingView } from '../../wire/views.ts';

/** So many are told one by one; how many there are is always told. */
const toldMax = 20;
const whyMax = 200;

/** null: it goes on, or nothing is missing. */
export function viewMissing(run: Run): MissingView | null {
  if (run.state !== 'ended') return null;
  const missing = [...run.tasks.values()].filter(({ spec, outcome, members }) => {
    // A milestone is nobody's work, and the tasks of a matrix stand for it.
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

/** The task at the beginning: what was skipped for the sake of another skipped one misses the same. */
function causeOf(run: Run, task: Task): string {
  let at = task;
  while (at.outcome?.kind === 'skipped') at = taskOf(run, at.outcome.because);
  return at.spec.name;
}
