// What proves that work is good: its checks on exactly the saved commit, and that it kept to its paths.

import type { Data, TaskData } from './checker-data.ts';
import { type AttemptView, blame, checkKey, outOfPlace, type Scene } from './checker-scene.ts';

export function recordEvidence(scene: Scene, attempt: AttemptView, { items = [] }: Data): void {
  if (attempt.evidence !== null || attempt.saved === null) outOfPlace(scene, attempt, 'evidence.recorded');
  attempt.evidence = items;
  const alone = scene.engines <= 1 && attempt.saved?.engineChanges === scene.engineChanges;
  for (const { check, passed } of items) {
    if (!passed) continue;
    const runs = scene.checks.get(checkKey(attempt.id, check, attempt.saved?.commit ?? '')) ?? [];
    // Two engines may run a check at the same time and one of them tells: then any result is a true one.
    if (alone ? runs.at(-1) === true : runs.includes(true)) continue;
    const how = runs.length === 0 ? 'was never run on its commit' : 'failed when it was run last';
    blame(scene, 4, `check ${check} of ${attempt.id} is recorded as passed and ${how}`);
  }
}

/** The first thing that is not proved; null: all is. */
export function missingProof({ task, evidence }: AttemptView): string | null {
  if (evidence === null) return 'without any evidence';
  const missing = proofsOf(task.spec).find((name) => !evidence?.some(({ check, passed }) => check === name && passed));
  return missing === undefined ? null : `without evidence that check ${missing} passed`;
}

/** What must have been proved: its checks, and that it kept to its paths. Of what is thrown away nothing. */
function proofsOf({ checks = [], writes = null, keeps = true }: TaskData): string[] {
  return keeps ? [...checks.map(({ name }) => name), ...(writes === null ? [] : ['write set'])] : [];
}
