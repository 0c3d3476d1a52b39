// Rules on outcomes: of a task, of a matrix from its tasks, and of a run from all.

import { checkAsked } from '../asks/ask-rules.ts';
import { checkBranch } from '../branch/integration-rules.ts';
import { outcomeLanded } from '../branch/landing-rules.ts';
import type { Data, OutcomeData } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';
import { checkOutOfQuota, failureOf, isAskedAbout, isCurable } from './failures.ts';
import { attemptsLeft, conditionHolds, itemsOf, unmetNeed } from './graph-rules.ts';

export function endTask(view: View, task: TaskView, { outcome }: Data): void {
  if (task.state === 'ended' || typeof outcome !== 'object') {
    return blame(view, 2, `${task.id} is ended twice, or without an outcome`);
  }
  if (task.state === 'active') blame(view, 3, `${task.id} is ended as ${outcome.kind} while its attempt goes on`);
  else checkOutcome(view, task, outcome);
  const { run, spec } = task;
  if (outcome.kind === 'stopped' && run.state !== 'stopping') view.traces.stopTask += 1;
  // That of a matrix is that of one of its tasks, which has stopped the run itself.
  const own = outcome.kind === 'failed' && task.state !== 'expanded';
  if (own && isAskedAbout(task, outcome.failure?.reason) && spec.kind !== 'gate' && task.state !== 'asked') {
    blame(view, 7, `${task.id} has failed, and nobody was asked what follows`);
  }
  // If a person was asked, the answer decides whether the run stops.
  if (own && spec.onFailure === 'stop' && run.state !== 'stopping' && task.state !== 'asked') {
    blame(view, 8, `${task.id} has failed, which was to stop ${run.id}, and that goes on`);
  }
  const working = task.spawning.children.find(({ state }) => state !== 'ended');
  if (outcome.kind === 'succeeded' && working !== undefined)
    blame(view, 3, `${task.id} has succeeded before ${working.id}, which it asked for, has ended`);
  if (outcome.kind === 'succeeded') task.output = outputOf(task);
  task.state = 'ended';
  task.steered = [];
  task.outcome = outcome.kind;
  task.failure = outcome.failure?.reason ?? null;
  task.delay = null;
  run.openTasks -= 1;
}

function outputOf({ spec, members, attempt, ask }: TaskView): unknown {
  if (spec.kind === 'gate') return ask?.values ?? null;
  if (spec.kind !== 'matrix') return spec.kind === 'milestone' ? null : (attempt?.given?.value ?? null);
  return members.map(({ outcome, output }) => (outcome === 'succeeded' ? output : null));
}

function checkOutcome(view: View, task: TaskView, outcome: OutcomeData): void {
  if (task.state === 'expanded') return checkMatrix(view, task, outcome);
  if (task.state === 'asked') return checkAsked(view, task, outcome);
  const { id, run } = task;
  const reason = failureOf(task);
  if (outcome.kind !== 'succeeded' && task.state === 'attemptEnded' && reason === null) {
    return blame(view, 3, `${id} is ended as ${outcome.kind} although its attempt ended well`);
  }
  switch (outcome.kind) {
    case 'succeeded':
      return task.spec.kind === 'milestone' ? checkMilestone(view, task, null) : checkSuccess(view, task, outcome);
    case 'failed': {
      if (task.spec.kind === 'milestone') return checkMilestone(view, task, outcome.failure?.reason ?? 'undefined');
      if (task.spec.kind === 'matrix') return checkNoMatrix(view, task, outcome.failure?.reason);
      if (task.state === 'waiting' && outcome.failure?.reason === 'quota') return checkOutOfQuota(view, task);
      if (task.state !== 'attemptEnded')
        return blame(view, 3, `${id} is ended as failed while it waits for an attempt`);
      if (outcome.failure?.reason !== reason) {
        blame(view, 3, `${id} failed for ${outcome.failure?.reason}, its attempt for ${reason}`);
      }
      if (reason !== null && isCurable(task, reason) && attemptsLeft(task) > 0) {
        blame(view, 8, `${id} is given up after ${reason} with ${attemptsLeft(task)} attempts left`);
      }
      return;
    }
    case 'stopped':
      if (task.state === 'attemptEnded' && reason !== 'stopped' && run.state !== 'stopping') {
        blame(view, 3, `${id} is ended as stopped, but failed for ${reason}`);
      }
      return;
    case 'skipped':
    case 'omitted':
      return checkLeftOut(view, task, outcome);
    default:
      blame(view, 2, `${id} is ended as ${outcome.kind}, which is no outcome`);
  }
}

function checkSuccess(view: View, { id, spec, state, attempt }: TaskView, { commit }: OutcomeData): void {
  if (state !== 'attemptEnded' || attempt?.verdict?.kind !== 'ok') {
    return blame(view, 3, `${id} is ended as succeeded without an attempt that ended well`);
  }
  if (spec.keeps === false) {
    if (commit !== '') blame(view, 4, `${id} keeps nothing and succeeded with ${commit}`);
  } else if (attempt.saved === null || commit !== attempt.saved.commit) {
    blame(view, 4, `${id} succeeded with ${commit}, saved was ${attempt.saved?.commit ?? 'nothing'}`);
  } else if (view.refs.get(attempt.saved.ref ?? '') !== commit) {
    blame(view, 4, `${id} succeeded with ${commit}, which ${attempt.saved.ref} does not hold`);
  }
}

/** It holds when all it needs is there and its condition is true, and fails when that is not. */
function checkMilestone(view: View, task: TaskView, reason: string | null): void {
  const { id } = task;
  const unmet = unmetNeed(view, task);
  if (unmet !== null) return blame(view, 3, `${id} is decided although ${unmet}`);
  if (conditionHolds(task) !== (reason === null)) {
    blame(view, 3, `${id} is ended as ${reason ?? 'reached'}, and its condition says otherwise`);
  } else if (reason !== null && reason !== 'contract') blame(view, 3, `${id} failed for ${reason}`);
}

/** A matrix that never became its tasks. */
function checkNoMatrix(view: View, task: TaskView, reason: string | undefined): void {
  const unmet = unmetNeed(view, task);
  if (unmet !== null) blame(view, 3, `${task.id} is decided although ${unmet}`);
  if (itemsOf(task) !== null) blame(view, 3, `${task.id} failed for its items, and there are some`);
  if (reason !== 'invalid-output') blame(view, 3, `${task.id} failed for ${reason} before it had any tasks`);
}

function checkMatrix(view: View, task: TaskView, outcome: OutcomeData): void {
  const { id, members } = task;
  for (const member of members) {
    if (member.state !== 'ended') blame(view, 3, `${id} is ended while ${member.id} is ${member.state}`);
  }
  const failed = members.find((member) => member.outcome === 'failed');
  const stopped = members.some((member) => member.outcome === 'stopped');
  const right = stopped ? 'stopped' : failed === undefined ? 'succeeded' : 'failed';
  if (outcome.kind !== right) return blame(view, 3, `${id} is ended as ${outcome.kind}, its tasks make it ${right}`);
  if (right === 'failed' && failed !== undefined && outcome.failure?.reason !== failed.failure) {
    blame(view, 3, `${id} failed for ${outcome.failure?.reason}, the first of its tasks for ${failed.failure}`);
  }
}

/** Skipped for the sake of a need that did not succeed; omitted for one that was, or because its condition is not true. */
function checkLeftOut(view: View, task: TaskView, { kind, because = null }: OutcomeData): void {
  const { id, spec } = task;
  if (task.state !== 'waiting') blame(view, 3, `${id} is ${kind} while it is ${task.state}`);
  if (kind === 'omitted' && spec.kind === 'milestone') blame(view, 3, `${id} is omitted, and is a milestone`);
  if (because === null) {
    const unmet = unmetNeed(view, task);
    if (kind === 'skipped') blame(view, 3, `${id} is skipped because of nothing, which is no reason`);
    else if (unmet !== null) blame(view, 3, `${id} is omitted although ${unmet}`);
    else if (conditionHolds(task)) blame(view, 3, `${id} is omitted although its condition holds`);
    return;
  }
  const cause = view.tasks.get(because)?.outcome ?? null;
  const needed = spec.needs?.includes(because) === true && spec.tolerates?.includes(because) !== true;
  const fits =
    kind === 'omitted' ? cause === 'omitted' : cause !== null && cause !== 'succeeded' && cause !== 'omitted';
  if (!needed || !fits) blame(view, 3, `${id} is ${kind} because of ${because}, which is no reason`);
}

export function endRun(view: View, run: RunView, { outcome }: Data): void {
  const open = run.tasks.filter((task) => task.state !== 'ended');
  for (const task of open) blame(view, 3, `${run.id} is ended while ${task.id} is ${task.state}`);
  const right = outcomeLanded(view, run, outcomeOf(run));
  run.hasLanded = false;
  if (open.length === 0 && outcome !== right)
    blame(view, 3, `${run.id} is ended as ${JSON.stringify(outcome)}, not ${right}`);
  checkBranch(view, run);
  run.state = 'ended';
}

/** What was omitted was not wanted. A failure that stopped the rest is a failure and no stop. */
function outcomeOf({ tasks: all }: RunView): string {
  // The outcomes of children are up to their parents.
  const tasks = all.filter(({ spawning }) => spawning.asker === null);
  const some = (kind: string): boolean => tasks.some((task) => task.outcome === kind);
  const stops = ({ spec, ask }: TaskView): boolean => spec.onFailure === 'stop' || ask?.choice === 'stop';
  const byFailure = tasks.some((task) => task.outcome === 'failed' && stops(task));
  if (some('stopped') && !byFailure) return 'stopped';
  if (!some('failed') && !some('skipped') && !some('stopped')) return 'succeeded';
  return tasks.some(({ outcome, spec }) => outcome === 'succeeded' && (spec.kind ?? 'work') === 'work')
    ? 'partial'
    : 'failed';
}
