// Rules on what the journal says of a run's branch: only verified work is queued, each result is true, and every attempt starts
// from a head that holds the work of all its needs and of every earlier writer of its paths. What really happens to the branch
// is in branch-rules.ts.

import type { WorldEntry } from '../../world/world-entries.ts';
import { chainOf, isWorkOf } from '../attempts/continue-rules.ts';
import { commonWrite } from '../children/written-paths.ts';
import { missingProof } from '../tasks/evidence-rules.ts';
import type { AttemptView } from '../view/attempt-view.ts';
import type { Data } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';
import { contentsOf, namesOf } from './branch-rules.ts';

type Of<Kind extends WorldEntry['kind']> = Extract<WorldEntry, { kind: Kind }>;

/** Whether its success means that it is on the branch. */
export function mustIntegrate({ task, saved, origin }: AttemptView): boolean {
  return task.run.integrates && task.spec.keeps !== false && saved !== null && saved.commit !== origin;
}

export function integrationEvent(view: View, attempt: AttemptView, type: string, data: Data): void {
  if (type === 'integration.queued') return queueIntegration(view, attempt);
  if (type === 'integration.dropped') return recordDropped(view, attempt);
  if (attempt.state !== 'integrating') return outOfPlace(view, attempt, type);
  if (type === 'integration.succeeded') return recordIntegrated(view, attempt, data);
  if (type === 'integration.failed') return recordFailed(view, attempt, data);
  const { id, saved, task } = attempt;
  if (!view.conflicts.get(`${id} ${saved?.commit}`)?.includes(task.run.head)) {
    blame(view, 3, `${id} is recorded as a conflict with ${task.run.head}, where its work was never tried`);
  }
  attempt.unfit = 'conflict';
  task.conflicts += 1;
  task.conflict = data.artifact ?? null;
}

/** In the order in which the branch got them, each with what was proved of where the branch is then. */
function recordIntegrated(view: View, attempt: AttemptView, { head = '', tree, items = [] }: Data): void {
  const { id, onBranch, task } = attempt;
  const { run } = task;
  if (onBranch?.to !== head || !holds(view, run.branch, attempt)) {
    blame(view, 4, `${id} is recorded as integrated at ${head}, the branch is at ${run.branch}`);
  } else if (onBranch.from !== run.head) {
    blame(view, 4, `${id} is recorded as integrated on ${run.head}, it integrated on ${onBranch.from}`);
  }
  if (tree !== `tree of ${head}`) blame(view, 2, `${id} integrated at ${head}, and not as ${tree}`);
  for (const command of onBranch?.commands ?? []) {
    const names = namesOf(run, command);
    if (items.some(({ check, passed }) => passed && names.includes(check))) continue;
    blame(view, 4, `${id} is recorded as integrated without evidence that ${command} passes there`);
  }
  if (items.some(({ passed }) => !passed)) blame(view, 4, `${id} is recorded as integrated where a check fails`);
  attempt.integrated = head;
  run.head = head;
}

/** It could be merged, and then a check fails: together with another work, which is a conflict, or alone. */
function recordFailed(view: View, attempt: AttemptView, data: Data): void {
  const { with: named = null, items = [] } = data;
  const other = typeof named === 'string' ? named : null;
  const { id, saved, task } = attempt;
  const found = view.failing.get(`${id} ${saved?.commit} ${task.run.head}`) ?? [];
  if (!found.some((each) => each === other)) {
    blame(view, 3, `${id} is recorded as failing with ${other ?? 'nobody'} on ${task.run.head}, which nobody found`);
  }
  if (items.every(({ passed }) => passed)) blame(view, 3, `${id} is recorded as failing with nothing that fails`);
  attempt.unfit = other === null ? 'check-failed' : 'conflict';
  if (other === null) return;
  task.conflicts += 1;
  task.conflict = data.artifact ?? null;
}

/** It was verified, had conflicting work to merge, and changed nothing. */
function recordDropped(view: View, attempt: AttemptView): void {
  const { id, task, verdict, state } = attempt;
  if (state !== 'proving') return outOfPlace(view, attempt, 'integration.dropped');
  const missing = missingProof(attempt);
  if (verdict?.kind !== 'ok' || missing !== null) blame(view, 3, `${id} is said to drop work, and was not good itself`);
  if (!isDropping(attempt)) blame(view, 3, `${id} is said to drop work, and had none to bring in or brought it`);
  attempt.unfit = 'conflict';
  task.conflicts += 1;
}

function isDropping(attempt: AttemptView): boolean {
  const { task, saved } = attempt;
  return (
    task.conflicts > 0 && task.run.integrates && task.spec.keeps !== false && saved !== null && !mustIntegrate(attempt)
  );
}

function queueIntegration(view: View, attempt: AttemptView): void {
  const { id, task, verdict } = attempt;
  if (attempt.state !== 'proving') return outOfPlace(view, attempt, 'integration.queued');
  if (verdict?.kind !== 'ok') blame(view, 3, `the work of ${id} is to be integrated, and was not finished well`);
  const missing = missingProof(attempt);
  if (missing !== null) blame(view, 4, `the work of ${id} is to be integrated without proof: ${missing}`);
  if (!mustIntegrate(attempt)) blame(view, 4, `the work of ${id} is to be integrated, and there is none to keep`);
  attempt.state = 'integrating';
  attempt.queuedAs = task.run.queued++;
  task.run.integration.push(attempt);
}

/** How an attempt may end, by the result of its integration. */
export function checkIntegrated(view: View, attempt: AttemptView, reason: string | null): void {
  const { id, integrated, unfit, task } = attempt;
  if (reason === null) {
    if (unfit !== null) blame(view, 3, `${id} has ended well although its work did not fit`);
    else if (isDropping(attempt)) blame(view, 4, `${id} has ended well without the work that did not fit before`);
    else if (mustIntegrate(attempt) && integrated === null)
      blame(view, 4, `${id} has ended well and its work has not been integrated`);
  } else if (integrated !== null) blame(view, 3, `${id} has failed for ${reason} after its work had been integrated`);
  else if ((unfit === 'conflict') !== (reason === 'conflict')) {
    blame(view, 3, `${id} has failed for ${reason}, and its work ${unfit ? 'did not fit' : 'was no conflict'}`);
  } else if (attempt.onBranch !== null) blame(view, 3, `${id} has failed for ${reason}, and its work is on the branch`);
  const at = task.run.integration.indexOf(attempt);
  if (at >= 0) task.run.integration.splice(at, 1);
}

/** A workspace was made: is everything there that it must be able to see? */
export function workspaceMade(view: View, { attemptId, base }: Of<'workspaceMade'>): void {
  const attempt = view.attempts.get(attemptId);
  if (attempt === undefined) {
    return blame(view, 7, `a workspace was made for ${attemptId}, whose start is not durable`);
  }
  view.bases.set(attemptId, base);
  if (base !== attempt.from) {
    blame(
      view,
      4,
      `the workspace of ${attemptId} was made from ${base}, the branch was at ${attempt.from} at its start`,
    );
  }
  const needed = allNeeds(view, attempt.task);
  // An attempt that continues its own work has what there was when that work began; later changes meet it at integration.
  const begun = firstOf(attempt);
  for (const other of attempt.task.run.tasks) {
    const done = other.attempt;
    // One that was only to have ended may have been done again since.
    if (other === attempt.task || done === null || !endedBefore(done, attempt) || other.outcome !== 'succeeded')
      continue;
    if (!mustIntegrate(done) || holds(view, base, done)) continue;
    if (needed.has(other) && endedBefore(done, begun))
      blame(view, 7, `the workspace of ${attemptId} lacks the work of ${done.id}, which it needs`);
    if (attempt.formerWork !== null) continue;
    const path = commonWrite(other.spec, attempt.task.spec);
    if (path !== null) blame(view, 7, `the workspace of ${attemptId} lacks what ${done.id} wrote to ${path} before`);
  }
}

function firstOf(attempt: AttemptView): AttemptView {
  return attempt.formerWork === null ? attempt : firstOf(attempt.formerWork);
}

function endedBefore({ endedAs }: AttemptView, { startedAs }: AttemptView): boolean {
  return endedAs !== null && endedAs < startedAs;
}

/** A commit was saved: it holds what its workspace began with, and the work itself. */
export function workSaved(view: View, attemptId: string, commit: string): void {
  const base = view.bases.get(attemptId) ?? '';
  if (commit !== base) view.contents.set(commit, new Set([...contentsOf(view, base), attemptId]));
}

/** The run is at rest: its branch is where the journal says, and holds exactly the work of what succeeded. */
export function checkBranch(view: View, run: RunView): void {
  if (run.branch !== run.head) {
    blame(view, 4, `${run.id} is ended with its branch at ${run.head}, it really is at ${run.branch}`);
  }
  const there = new Set(contentsOf(view, run.branch));
  for (const { outcome, attempt } of run.tasks) {
    if (outcome !== 'succeeded' || attempt === null || !mustIntegrate(attempt)) continue;
    if (!isWorkOf(there, attempt)) blame(view, 6, `the work of ${attempt.id} succeeded and is not on the branch`);
    for (const id of chainOf(attempt)) there.delete(id);
  }
  for (const { integratedBefore } of run.tasks) for (const id of integratedBefore) there.delete(id);
  for (const id of there) blame(view, 4, `the work of ${id} is on the branch, and its task did not succeed with it`);
}

function allNeeds(view: View, task: TaskView, seen = new Set<TaskView>()): ReadonlySet<TaskView> {
  const needs = (task.spec.needs ?? []).flatMap((id) => view.tasks.get(id) ?? []);
  for (const need of [...needs, ...task.members]) {
    if (seen.has(need)) continue;
    seen.add(need);
    allNeeds(view, need, seen);
  }
  return seen;
}

function holds(view: View, commit: string, attempt: AttemptView): boolean {
  return isWorkOf(contentsOf(view, commit), attempt);
}
