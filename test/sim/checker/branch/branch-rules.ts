// Rules on what really happens to a run's branch: integrations are ordered as in the queue, only works that may be integrated
// are, all of one batch at once, on top of what is durable, and only if everything passed that has to.

import type { WorldEntry } from '../../world/world-entries.ts';
import type { AttemptView } from '../view/attempt-view.ts';
import type { CheckData } from '../view/event-data.ts';
import type { RunView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

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

/** By priority, then by age; an engine that knows one work knows all that were queued before it. */
export function integrateOrdered(view: View, { engine, runId, works }: Of<'integrateOrdered'>): void {
  const run = view.runs.get(runId);
  if (run === undefined) return blame(view, 4, `work is to be integrated in ${runId}, which is not known`);
  const attempts = works.flatMap(({ attemptId }) => view.attempts.get(attemptId) ?? []);
  for (const [i, attempt] of attempts.entries()) {
    const before = attempts[i - 1];
    if (before !== undefined && !comesBefore(before, attempt)) {
      blame(view, 7, `${before.id} is to be integrated before ${attempt.id}, whose turn comes first`);
    }
  }
  const newest = Math.max(...attempts.map(({ queuedAs }) => queuedAs ?? -1));
  for (const other of run.integration) {
    if ((other.queuedAs ?? 0) > newest || attempts.includes(other) || works.length >= batchMax) continue;
    blame(view, 7, `${other.id} is left out of an integration with what was queued after it`);
  }
  for (const { attemptId, wanted } of works) {
    const attempt = view.attempts.get(attemptId);
    const stop = attempt?.brokenOff ?? run.stopped;
    if (!wanted && stop === null) blame(view, 8, `${attemptId} is not to be integrated, and nobody stopped it`);
    if (wanted && knows(view, engine, stop)) blame(view, 8, `${attemptId} is to be integrated although it was stopped`);
  }
}

/** How many integrate together at most. */
const batchMax = 64;

function comesBefore(a: AttemptView, b: AttemptView): boolean {
  const [first = 0, second = 0] = [a.task.spec.priority, b.task.spec.priority];
  return first === second ? (a.queuedAs ?? 0) < (b.queuedAs ?? 0) : first > second;
}

/** Whether no other engine was ever at work beside the one that stored this. */
export function isAlone({ engine, beside }: View): boolean {
  return engine === undefined || !beside.has(engine);
}

export function markStop({ engine, worldIndex: index, t }: View): StopMark {
  return { engine, index, t };
}

/** It stored the stop itself, or read it when it came up, and has had the time to learn so. */
function knows({ enginesUp, t }: View, engine: number, stop: StopMark | null): boolean {
  if (stop === null || t - stop.t < learnMs) return false;
  return stop.engine === engine || stop.index <= (enginesUp.get(engine) ?? 0);
}

const learnMs = 1_000;

export function branchMoved(view: View, { runId, from, to, works }: Of<'branchMoved'>): void {
  const run = view.runs.get(runId);
  if (run === undefined) return blame(view, 4, `the branch of ${runId} was moved, which is not known`);
  if (from !== run.branch) blame(view, 4, `the branch of ${runId} was moved from ${from}, it was at ${run.branch}`);
  if (run.branch !== run.head) {
    blame(view, 4, `the branch of ${runId} was moved, and the step before, to ${run.branch}, is not durable`);
  }
  const attempts: AttemptView[] = [];
  for (const work of works) {
    const attempt = view.attempts.get(work.attemptId);
    if (attempt?.task.run !== run) {
      blame(view, 4, `the branch of ${runId} was moved for ${work.attemptId}, which is not known in it`);
    } else {
      checkComing(view, run, attempt, work.commit);
      attempts.push(attempt);
    }
  }
  const commands = commandsOf(run, attempts);
  for (const command of commands) {
    if (view.treeChecks.get(to)?.get(command) === true) continue;
    const how = view.treeChecks.get(to)?.has(command) === true ? 'fails' : 'was never run';
    blame(view, 4, `the branch of ${runId} was moved to ${to}, where ${command} ${how}`);
  }
  let at = from;
  for (const [i, work] of works.entries()) {
    const attempt = attempts[i];
    view.contents.set(work.to, new Set([...contentsOf(view, at), ...contentsOf(view, work.commit)]));
    if (attempt !== undefined) attempt.onBranch = { from: at, to: work.to, tip: to, commands };
    if (attempt !== undefined) run.onBranch.add(attempt);
    at = work.to;
  }
  if (at !== to) blame(view, 4, `the branch of ${runId} was moved to ${to}, and its works to ${at}`);
  run.branch = to;
}

function checkComing(view: View, run: RunView, attempt: AttemptView, commit: string): void {
  const { id, state, saved, brokenOff } = attempt;
  if (state !== 'integrating') {
    blame(view, 4, `the branch of ${run.id} was moved for ${id} before it was durable that its work may be integrated`);
  }
  if (commit !== saved?.commit) blame(view, 4, `the branch got ${commit}, which is not what ${id} saved`);
  if (run.onBranch.has(attempt)) blame(view, 4, `the work of ${id} came onto the branch twice`);
  const stop = brokenOff ?? run.stopped;
  if (stop !== null && view.t - stop.t > stopMaxMs) {
    blame(view, 8, `the work of ${id} came onto the branch ${view.t - stop.t} ms after it was stopped`);
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

export function treeChecked(view: View, { commit, command, passed }: Of<'treeChecked'>): void {
  const results = view.treeChecks.get(commit) ?? new Map<string, boolean>();
  results.set(command, passed);
  view.treeChecks.set(commit, results);
}

export function conflictFound(view: View, { attemptId, head, commit }: Of<'conflictFound'>): void {
  const key = `${attemptId} ${commit}`;
  view.conflicts.set(key, [...(view.conflicts.get(key) ?? []), head]);
}

/** It is held only to what has to pass where it is. */
export function checkConflictFound(
  view: View,
  { runId, attemptId, head, commit, ...found }: Of<'checkConflictFound'>,
): void {
  const run = view.runs.get(runId);
  const there = [...found.on, attemptId].flatMap((id) => view.attempts.get(id) ?? []);
  const due = run === undefined ? [] : commandsOf(run, there);
  for (const command of found.commands) {
    if (!due.includes(command)) blame(view, 4, `${attemptId} is held to ${command}, which is no check of where it is`);
  }
  const key = `${attemptId} ${commit} ${head}`;
  view.failing.set(key, [...(view.failing.get(key) ?? []), found.with]);
}

export function contentsOf(view: View, commit: string): ReadonlySet<string> {
  return view.contents.get(commit) ?? nothing;
}

const nothing: ReadonlySet<string> = new Set();
