// Rules on what really becomes of a run's branch: what is asked for is in the order of its queue, only what may be integrated does, all
// of one batch at once, on top of what is durable, and only where all passed that has to.

import type { WorldEntry } from '../../world/world-entries.ts';
import type { CheckData } from '../view/event-data.ts';
import { type AttemptView, blame, type RunView, type Scene } from '../view/view.ts';

type Of<Kind extends WorldEntry['kind']> = Extract<WorldEntry, { kind: Kind }>;

/** When a stop became durable, and by which engine. */
export interface StopMark {
  readonly engine: number | undefined;
  readonly index: number;
  readonly t: number;
}

export interface BranchStep {
  readonly from: string;
  readonly to: string;
  /** Where the branch was moved to with it, and what had to pass there. */
  readonly tip: string;
  readonly commands: readonly string[];
}

/** By priority, then by age; whoever knows of one knows of all that were queued before it. */
export function integrateOrdered(scene: Scene, { engine, runId, works }: Of<'integrateOrdered'>): void {
  const run = scene.runs.get(runId);
  if (run === undefined) return blame(scene, 4, `work is to be integrated in ${runId}, which is not known`);
  const attempts = works.flatMap(({ attemptId }) => scene.attempts.get(attemptId) ?? []);
  for (const [i, attempt] of attempts.entries()) {
    const before = attempts[i - 1];
    if (before !== undefined && !comesBefore(before, attempt)) {
      blame(scene, 7, `${before.id} is to be integrated before ${attempt.id}, whose turn comes first`);
    }
  }
  const newest = Math.max(...attempts.map(({ queuedAs }) => queuedAs ?? -1));
  for (const other of run.integration) {
    if ((other.queuedAs ?? 0) > newest || attempts.includes(other) || works.length >= batchMax) continue;
    blame(scene, 7, `${other.id} is left out of an integration with what was queued after it`);
  }
  for (const { attemptId, wanted } of works) {
    const attempt = scene.attempts.get(attemptId);
    const stop = attempt?.brokenOff ?? run.stopped;
    if (!wanted && stop === null) blame(scene, 8, `${attemptId} is not to be integrated, and nobody stopped it`);
    if (wanted && knows(scene, engine, stop))
      blame(scene, 8, `${attemptId} is to be integrated although it was stopped`);
  }
}

/** How many integrate together at most. */
const batchMax = 64;

function comesBefore(a: AttemptView, b: AttemptView): boolean {
  const [first = 0, second = 0] = [a.task.spec.priority, b.task.spec.priority];
  return first === second ? (a.queuedAs ?? 0) < (b.queuedAs ?? 0) : first > second;
}

/** Whether nobody else was ever at work beside the engine that stored this. */
export function isAlone({ engine, beside }: Scene): boolean {
  return engine === undefined || !beside.has(engine);
}

export function markStop({ engine, worldIndex: index, t }: Scene): StopMark {
  return { engine, index, t };
}

/** It stored the stop itself, or read it when it came up, and has had the time to learn so. */
function knows({ enginesUp, t }: Scene, engine: number, stop: StopMark | null): boolean {
  if (stop === null || t - stop.t < learnMs) return false;
  return stop.engine === engine || stop.index <= (enginesUp.get(engine) ?? 0);
}

const learnMs = 1_000;

export function branchMoved(scene: Scene, { runId, from, to, works }: Of<'branchMoved'>): void {
  const run = scene.runs.get(runId);
  if (run === undefined) return blame(scene, 4, `the branch of ${runId} was moved, which is not known`);
  if (from !== run.branch) blame(scene, 4, `the branch of ${runId} was moved from ${from}, it was at ${run.branch}`);
  if (run.branch !== run.head) {
    blame(scene, 4, `the branch of ${runId} was moved, and the step before, to ${run.branch}, is not durable`);
  }
  const attempts: AttemptView[] = [];
  for (const work of works) {
    const attempt = scene.attempts.get(work.attemptId);
    if (attempt?.task.run !== run) {
      blame(scene, 4, `the branch of ${runId} was moved for ${work.attemptId}, which is not known in it`);
    } else {
      checkComing(scene, run, attempt, work.commit);
      attempts.push(attempt);
    }
  }
  const commands = commandsOf(run, attempts);
  for (const command of commands) {
    if (scene.treeChecks.get(to)?.get(command) === true) continue;
    const how = scene.treeChecks.get(to)?.has(command) === true ? 'fails' : 'was never run';
    blame(scene, 4, `the branch of ${runId} was moved to ${to}, where ${command} ${how}`);
  }
  let at = from;
  for (const [i, work] of works.entries()) {
    const attempt = attempts[i];
    scene.contents.set(work.to, new Set([...contentsOf(scene, at), ...contentsOf(scene, work.commit)]));
    if (attempt !== undefined) attempt.onBranch = { from: at, to: work.to, tip: to, commands };
    if (attempt !== undefined) run.onBranch.add(attempt);
    at = work.to;
  }
  if (at !== to) blame(scene, 4, `the branch of ${runId} was moved to ${to}, and its works to ${at}`);
  run.branch = to;
}

function checkComing(scene: Scene, run: RunView, attempt: AttemptView, commit: string): void {
  const { id, state, saved, brokenOff } = attempt;
  if (state !== 'integrating') {
    blame(
      scene,
      4,
      `the branch of ${run.id} was moved for ${id} before it was durable that its work may be integrated`,
    );
  }
  if (commit !== saved?.commit) blame(scene, 4, `the branch got ${commit}, which is not what ${id} saved`);
  if (run.onBranch.has(attempt)) blame(scene, 4, `the work of ${id} came onto the branch twice`);
  const stop = brokenOff ?? run.stopped;
  if (stop !== null && scene.t - stop.t > stopMaxMs) {
    blame(scene, 8, `the work of ${id} came onto the branch ${scene.t - stop.t} ms after it was stopped`);
  }
}

/** So long an integration that is under way may go on after a stop; an engine in trouble waits ten seconds. */
const stopMaxMs = 30_000;

/** What has to pass: what the plan says, else the checks of all that is there and that is to come. */
function commandsOf(run: RunView, coming: readonly AttemptView[]): string[] {
  const checks = run.integrationChecks ?? [...run.onBranch, ...coming].flatMap(({ task }) => task.spec.checks ?? []);
  return [...new Set(checks.map(commandOf))];
}

function commandOf({ name, argv }: CheckData): string {
  return argv?.join(' ') ?? name;
}

/** All names that a command has in a run. */
export function namesOf(run: RunView, command: string): string[] {
  const checks = [...(run.integrationChecks ?? []), ...run.tasks.flatMap(({ spec }) => spec.checks ?? [])];
  return checks.filter((check) => commandOf(check) === command).map(({ name }) => name);
}

export function treeChecked(scene: Scene, { commit, command, passed }: Of<'treeChecked'>): void {
  const results = scene.treeChecks.get(commit) ?? new Map<string, boolean>();
  results.set(command, passed);
  scene.treeChecks.set(commit, results);
}

export function conflictFound(scene: Scene, { attemptId, head, commit }: Of<'conflictFound'>): void {
  const key = `${attemptId} ${commit}`;
  scene.conflicts.set(key, [...(scene.conflicts.get(key) ?? []), head]);
}

/** It is held only to what has to pass where it is. */
export function checkConflictFound(
  scene: Scene,
  { runId, attemptId, head, commit, ...found }: Of<'checkConflictFound'>,
): void {
  const run = scene.runs.get(runId);
  const there = [...found.on, attemptId].flatMap((id) => scene.attempts.get(id) ?? []);
  const due = run === undefined ? [] : commandsOf(run, there);
  for (const command of found.commands) {
    if (!due.includes(command)) blame(scene, 4, `${attemptId} is held to ${command}, which is no check of where it is`);
  }
  const key = `${attemptId} ${commit} ${head}`;
  scene.failing.set(key, [...(scene.failing.get(key) ?? []), found.with]);
}

export function contentsOf(scene: Scene, commit: string): ReadonlySet<string> {
  return scene.contents.get(commit) ?? nothing;
}

const nothing: ReadonlySet<string> = new Set();
