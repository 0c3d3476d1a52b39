// Rules on runs and their tasks: what may start, what follows from an attempt's end, and which outcomes are true.

import { attemptEvent, startAttempt } from './checker-attempt.ts';
import type { CommitDoings } from './checker-host.ts';
import { checkPaths } from './checker-paths.ts';
import { blame, type Data, type OutcomeData, type RunView, type Scene, type TaskView } from './checker-scene.ts';

/** Reasons for which another attempt may end differently. Written down here a second time, on purpose. */
const curable = new Set(
  (
    'crash timeout stall invalid-output context-overflow max-output rate-limit quota out-of-memory disk ' +
    'setup-failed check-failed out-of-scope conflict spawn-refused lost'
  ).split(' '),
);

export function runEvent(scene: Scene, run: RunView, type: string, at: number, data: Data, doings: CommitDoings): void {
  if (type === 'run.created') return createRun(scene, run, data);
  if (run.state === 'uncreated') return blame(scene, 2, `${type} in ${run.id} before the run was created`);
  if (run.state === 'settled' && type !== 'run.resumed') {
    blame(scene, 2, `${type} in ${run.id} after it was settled`);
  }
  switch (type) {
    case 'run.stopAsked':
      scene.traces.stop += 1;
      if (run.state !== 'running') blame(scene, 2, `${run.id} was asked to stop while ${run.state}`);
      run.state = 'stopping';
      return;
    case 'run.resumed':
      scene.traces.resume += 1;
      if (run.state !== 'settled') blame(scene, 2, `${run.id} was resumed while ${run.state}`);
      run.state = 'running';
      return;
    case 'run.settled':
      return settleRun(scene, run, data);
    case 'task.added':
      return addTask(scene, run, data);
    case 'attempt.started': {
      const task = taskOf(scene, run, data.taskId, type);
      if (task === null) return;
      checkStart(scene, run, task, data);
      return startAttempt(scene, task, at, data, doings);
    }
    case 'task.delayed':
    case 'task.due':
    case 'task.settled':
    case 'task.reopened': {
      const task = taskOf(scene, run, data.taskId, type);
      if (task === null) return;
      task.last = type;
      if (type === 'task.delayed') return delayTask(scene, task, at, data);
      if (type === 'task.due') return taskDue(scene, task, at);
      return type === 'task.settled' ? settleTask(scene, task, data) : reopenTask(scene, task);
    }
    default:
      return attemptEvent(scene, run, type, at, data, doings);
  }
}

function createRun(scene: Scene, run: RunView, { run: spec }: Data): void {
  scene.traces.submit += 1;
  if (run.state !== 'uncreated') return blame(scene, 2, `${run.id} was created twice`);
  if (spec?.id !== run.id) blame(scene, 2, `${run.id} was created as ${spec?.id}`);
  run.state = 'running';
  run.parallelMax = spec?.limits?.parallelMax ?? 0;
}

function addTask(scene: Scene, run: RunView, { task: spec }: Data): void {
  if (spec === undefined || scene.tasks.has(spec.id)) return blame(scene, 2, `${spec?.id} was added twice`);
  for (const need of spec.needs ?? []) {
    if (scene.tasks.get(need)?.run !== run) blame(scene, 2, `${spec.id} needs ${need}, which is not there`);
  }
  const task: TaskView = {
    id: spec.id,
    run,
    spec,
    state: 'waiting',
    outcome: null,
    attempts: 0,
    forgiven: 0,
    attempt: null,
    delay: null,
    last: 'task.added',
  };
  scene.tasks.set(spec.id, task);
  run.tasks.push(task);
  run.unsettled += 1;
}

function taskOf(scene: Scene, run: RunView, id: string | undefined, type: string): TaskView | null {
  const task = id === undefined ? undefined : scene.tasks.get(id);
  if (task?.run === run) return task;
  blame(scene, 2, `${type} names ${id}, which is no task of ${run.id}`);
  return null;
}

function checkStart(scene: Scene, run: RunView, task: TaskView, { n, attemptId }: Data): void {
  if (run.state !== 'running') blame(scene, 7, `${attemptId} starts while ${run.id} is ${run.state}`);
  if (task.state === 'active') blame(scene, 7, `${attemptId} starts beside a live attempt of ${task.id}`);
  else if (task.state === 'delayed') blame(scene, 8, `${attemptId} starts before ${task.id} was due`);
  else if (task.state !== 'waiting') blame(scene, 7, `${attemptId} starts while ${task.id} is ${task.state}`);
  for (const need of task.spec.needs ?? []) {
    if (scene.tasks.get(need)?.outcome !== 'succeeded') {
      blame(scene, 7, `${attemptId} starts although ${need}, which ${task.id} needs, has not succeeded`);
    }
  }
  if (n !== task.attempts + 1) blame(scene, 2, `${attemptId} is number ${n} after ${task.attempts} attempts`);
  if (task.attempts - task.forgiven >= attemptsMaxOf(task)) {
    blame(scene, 7, `${attemptId} is one more than the ${attemptsMaxOf(task)} attempts ${task.id} may have`);
  }
  checkPaths(scene, run, task, attemptId);
  if (run.live >= run.parallelMax) {
    blame(scene, 7, `${attemptId} starts beside ${run.live} others; ${run.id} allows ${run.parallelMax}`);
  }
}

function delayTask(scene: Scene, task: TaskView, at: number, { delayMs: ms = 0 }: Data): void {
  const reason = failureOf(task);
  if (task.state !== 'ended' || reason === null) {
    return blame(scene, 2, `${task.id} is delayed without an attempt that failed`);
  }
  if (task.run.state === 'stopping') blame(scene, 7, `${task.id} is to be retried while its run is being stopped`);
  if (!curable.has(reason)) blame(scene, 7, `${task.id} is to be retried after ${reason}, which no retry cures`);
  const made = task.attempts - task.forgiven;
  if (made >= attemptsMaxOf(task))
    blame(scene, 7, `${task.id} is to be retried after ${made} attempts, all it may have`);
  const { delayMs = 0, delayMaxMs = 0 } = task.spec.retry ?? {};
  const full = Math.min(delayMs * 2 ** (made - 1), delayMaxMs);
  if (ms < full * 0.75 - 1 || ms > full * 1.25 + 1) {
    blame(scene, 8, `${task.id} is delayed by ${ms} ms after ${made} attempts, about ${full} is right`);
  }
  task.state = 'delayed';
  task.delay = { from: at, ms };
}

/** Due when its time has passed, or when the clock went back behind the beginning of the wait. */
function taskDue(scene: Scene, task: TaskView, at: number): void {
  if (task.state !== 'delayed' || task.delay === null) return blame(scene, 2, `${task.id} is due while ${task.state}`);
  const { from, ms } = task.delay;
  if (at >= from && at - from < ms) blame(scene, 8, `${task.id} is due after ${at - from} of ${ms} ms`);
  task.state = 'waiting';
  task.delay = null;
}

function settleTask(scene: Scene, task: TaskView, { outcome }: Data): void {
  if (task.state === 'settled' || typeof outcome !== 'object') {
    return blame(scene, 2, `${task.id} is settled twice, or without an outcome`);
  }
  if (task.state === 'active') blame(scene, 3, `${task.id} is settled as ${outcome.kind} while its attempt goes on`);
  else checkOutcome(scene, task, outcome);
  if (outcome.kind === 'stopped' && task.run.state !== 'stopping') scene.traces.stopTask += 1;
  task.state = 'settled';
  task.outcome = outcome.kind;
  task.delay = null;
  task.run.unsettled -= 1;
}

function checkOutcome(scene: Scene, task: TaskView, outcome: OutcomeData): void {
  const { id, attempt, run } = task;
  const reason = failureOf(task);
  if (outcome.kind !== 'succeeded' && task.state === 'ended' && reason === null) {
    return blame(scene, 3, `${id} is settled as ${outcome.kind} although its attempt ended well`);
  }
  switch (outcome.kind) {
    case 'succeeded':
      if (task.state !== 'ended' || attempt?.verdict?.kind !== 'ok') {
        return blame(scene, 3, `${id} is settled as succeeded without an attempt that ended well`);
      }
      if (attempt.saved === null || outcome.commit !== attempt.saved.commit) {
        blame(scene, 4, `${id} succeeded with ${outcome.commit}, saved was ${attempt.saved?.commit ?? 'nothing'}`);
      } else if (scene.refs.get(attempt.saved.ref ?? '') !== outcome.commit) {
        blame(scene, 4, `${id} succeeded with ${outcome.commit}, which ${attempt.saved.ref} does not hold`);
      }
      return;
    case 'failed': {
      if (task.state !== 'ended') return blame(scene, 3, `${id} is settled as failed while it waits for an attempt`);
      if (outcome.failure?.reason !== reason) {
        blame(scene, 3, `${id} failed for ${outcome.failure?.reason}, its attempt for ${reason}`);
      }
      const left = attemptsMaxOf(task) - (task.attempts - task.forgiven);
      if (reason !== null && curable.has(reason) && left > 0) {
        blame(scene, 8, `${id} is given up after ${reason} with ${left} attempts left`);
      }
      return;
    }
    case 'stopped':
      if (task.state === 'ended' && reason !== 'stopped' && run.state !== 'stopping') {
        blame(scene, 3, `${id} is settled as stopped, but failed for ${reason}`);
      }
      return;
    case 'skipped': {
      const cause = scene.tasks.get(outcome.because ?? '')?.outcome ?? null;
      const needed = task.spec.needs?.includes(outcome.because ?? '') === true;
      if (!needed || cause === null || cause === 'succeeded') {
        blame(scene, 3, `${id} is skipped because of ${outcome.because}, which is no reason`);
      }
      return;
    }
    default:
      blame(scene, 2, `${id} is settled as ${outcome.kind}, which is no outcome`);
  }
}

function reopenTask(scene: Scene, task: TaskView): void {
  if (task.state !== 'settled') return blame(scene, 2, `${task.id} is reopened while ${task.state}`);
  if (task.outcome === 'succeeded') blame(scene, 6, `${task.id} is reopened although it has succeeded`);
  task.state = 'waiting';
  task.outcome = null;
  task.forgiven = task.attempts;
  task.run.unsettled += 1;
}

function settleRun(scene: Scene, run: RunView, { outcome }: Data): void {
  const open = run.tasks.filter((task) => task.state !== 'settled');
  for (const task of open) blame(scene, 3, `${run.id} is settled while ${task.id} is ${task.state}`);
  const count = (kind: string): number => run.tasks.filter((task) => task.outcome === kind).length;
  const succeeded = count('succeeded');
  const ended = count('stopped') > 0 ? 'stopped' : succeeded > 0 ? 'partial' : 'failed';
  const right = succeeded === run.tasks.length ? 'succeeded' : ended;
  if (open.length === 0 && outcome !== right)
    blame(scene, 3, `${run.id} is settled as ${JSON.stringify(outcome)}, not ${right}`);
  run.state = 'settled';
}

/** What must hold between two commits: nobody waits for nothing. */
export function checkRunAtRest(scene: Scene, run: RunView): void {
  if (run.unsettled === 0 && run.state !== 'settled') {
    blame(scene, 8, `all tasks of ${run.id} are settled and the run is not`);
  }
  if (run.state !== 'stopping') return;
  for (const task of run.tasks) {
    if (task.state === 'settled') continue;
    if (task.state !== 'active') blame(scene, 8, `${run.id} is being stopped and ${task.id} is still ${task.state}`);
    const { attempt } = task;
    if (attempt !== null && attempt.stop === null && attempt.verdict === null && task.state === 'active') {
      blame(scene, 8, `${run.id} is being stopped and nobody stops ${attempt.id}`);
    }
  }
}

function failureOf(task: TaskView): string | null {
  return task.attempt?.verdict?.failure?.reason ?? null;
}

function attemptsMaxOf(task: TaskView): number {
  return task.spec.retry?.attemptsMax ?? 1;
}
