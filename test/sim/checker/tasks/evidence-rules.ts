// What proves that work is good: its checks on exactly the saved commit, that it kept to its paths, that its output fits, that
// it is committed, and that nothing of it goes on. Each item is recorded where it is so, and only there.

import type { AttemptView } from '../view/attempt-view.ts';
import type { Data, ItemData, TaskData } from '../view/event-data.ts';
import { blame, checkKey, outOfPlace, type View } from '../view/view.ts';
import { hasOutput } from './typed-output-rules.ts';

export function recordEvidence(view: View, attempt: AttemptView, { items = [] }: Data): void {
  if (attempt.evidence !== null || attempt.saved === null) outOfPlace(view, attempt, 'evidence.recorded');
  attempt.evidence = items;
  for (const item of items) {
    if (!item.passed) continue;
    const own = ownProofs[item.check];
    const wrong = own === undefined ? whyNotRun(view, attempt, item.check) : own(view, attempt, item);
    if (wrong !== null) blame(view, 4, `${item.check} of ${attempt.id} is recorded as passed and ${wrong}`);
  }
}

/** What is known without running anything; null: it is so. */
const ownProofs: Readonly<Record<string, (view: View, attempt: AttemptView, item: ItemData) => string | null>> = {
  'typed output': (_, { task, given }) =>
    hasOutput(task.spec) && given?.right === true ? null : 'its output does not fit',
  'committed work': ({ refs }, { task, saved }, { detail = '' }) => {
    if (task.spec.keeps === false || saved?.ref === undefined || refs.get(saved.ref) !== saved.commit)
      return 'is not kept';
    return detail.includes('not committed') === saved.uncommitted > 0
      ? null
      : 'says the contrary of what was saved for it';
  },
  'background work': ({ alive }, { id, launch }) => {
    const left = launch?.down === null || [...alive].some(({ attemptId }) => attemptId === id);
    return left ? 'its process goes on' : null;
  },
};

function whyNotRun(view: View, { id, saved }: AttemptView, check: string): string | null {
  const alone = view.engines <= 1 && saved?.engineChanges === view.engineChanges;
  const runs = view.checks.get(checkKey(id, check, saved?.commit ?? '')) ?? [];
  // Two engines may run a check at the same time and one of them reports it: then any result is a true one.
  if (alone ? runs.at(-1) === true : runs.includes(true)) return null;
  return runs.length === 0 ? 'was never run on its commit' : 'failed when it was run last';
}

/** The first thing that is not proved; null: all is. */
export function missingProof({ task, evidence }: AttemptView): string | null {
  if (evidence === null) return 'without any evidence';
  const missing = proofsOf(task.spec).find((name) => !evidence?.some(({ check, passed }) => check === name && passed));
  return missing === undefined ? null : `without evidence that ${missing} passed`;
}

/** What must have been proved. Of what is thrown away only that it has ended, and its output. */
function proofsOf(spec: TaskData): string[] {
  const { checks = [], writes = null, keeps = true } = spec;
  const own = [...(hasOutput(spec) ? ['typed output'] : []), 'background work'];
  if (!keeps) return own;
  return [...(writes === null ? [] : ['write set']), ...checks.map(({ name }) => name), 'committed work', ...own];
}
