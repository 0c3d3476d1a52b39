// Interlocking of paths: no two tasks of a run that write to the same path are at work at once. A task holds its paths from the
// start of an attempt to its end, all of them or none, and a task that waits for paths goes before later ones. What is held is
// derived from the live attempts alone. Exceptions, by which a task may pass a holder: children/blocking.ts.

import { globsOverlap, type PathGlob, parseGlob } from '../../std/path-glob.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { isRelated } from '../core/task-tree.ts';
import { dequeue, enqueue, inOrder } from './ready-queues.ts';
import type { ReadyEntry } from './ready-state.ts';

export interface Conflict {
  readonly task: Task;
  /** The path of that task which this task wants too. */
  readonly path: string;
}

/** A task whose agent has claimed paths that this task writes or has to read undisturbed. */
export function claimantOf(run: Run, task: Task): Conflict | null {
  if (!declares(task)) return null;
  for (const { taskId, claims } of run.live.values()) {
    const claimant = run.tasks.get(taskId);
    const path = claimant === undefined || claimant === task ? null : claimedPath(claims, task);
    if (claimant !== undefined && path !== null) return { task: claimant, path };
  }
  return null;
}

/**
 * All tasks that hold such paths by their declared write-set, until their attempts end; a claim ends when its agent comes to
 * rest.
 */
export function writersOf(run: Run, task: Task): Conflict[] {
  if (!declares(task)) return [];
  return Array.from(run.live.values()).flatMap(({ taskId }) => {
    const holder = run.tasks.get(taskId);
    const path = holder === undefined || holder === task ? null : writtenPath(run, holder, task);
    return holder === undefined || path === null ? [] : [{ task: holder, path }];
  });
}

/** A child works inside its parent's write-set. */
function writtenPath(run: Run, holder: Task, task: Task): string | null {
  return isRelated(run, holder, task) ? null : commonPath(holder, task, true);
}

/** Tasks that come before a ready task and wait for paths that it writes too. */
export function aheadOf(run: Run, task: Task): Task[] {
  if (run.ready.waiting.size === 0 || !declares(task)) return [];
  const rank = { priority: task.spec.priority, order: task.order };
  const isAhead = (each: ReadyEntry): boolean => inOrder(each, rank) < 0 && commonPath(each.task, task, false) !== null;
  return Array.from(run.ready.waiting.values()).flatMap((each) => (isAhead(each) ? [each.task] : []));
}

/** A ready task to skip until its blocker lets it pass or, without a blocker, until there may be a budget for it. */
export interface Aside {
  readonly entry: ReadyEntry;
  readonly blocker: Task | null;
}

/** Takes a ready task out of its queue. */
export function setAside(run: Run, { entry, blocker }: Aside): void {
  dequeue(run, entry);
  if (blocker === null) {
    run.ready.short.add(entry);
    return;
  }
  run.ready.waiting.set(entry.task.spec.id, entry);
  const behind = run.ready.waitingFor.get(blocker.spec.id);
  if (behind === undefined) run.ready.waitingFor.set(blocker.spec.id, [entry]);
  else behind.push(entry);
}

/**
 * Tasks that waited for this task are checked again, and so are those behind them, because they may wait for another task now.
 */
export function letPass(run: Run, { spec: { id } }: Task): void {
  const behind = run.ready.waitingFor.get(id) ?? [];
  run.ready.waitingFor.delete(id);
  for (const entry of behind) {
    if (run.ready.entries.get(entry.task.spec.id) !== entry) continue;
    run.ready.waiting.delete(entry.task.spec.id);
    enqueue(run, entry);
    letPass(run, entry.task);
  }
}

/** The task starts, or ends without starting. */
export function leaveReady(run: Run, task: Task): void {
  const { id } = task.spec;
  const entry = run.ready.entries.get(id);
  if (entry === undefined) return;
  run.ready.entries.delete(id);
  dequeue(run, entry);
  run.ready.short.delete(entry);
  if (run.ready.waiting.delete(id)) letPass(run, task);
}

/** The first of these paths that the task writes or has to read undisturbed. */
function claimedPath(claims: readonly string[], task: Task): string | null {
  if (claims.length === 0) return null;
  const { writes, reads } = globsOf(task.spec);
  const held = claims.map((text) => ({ text, glob: parseGlob(text) }));
  return held.find((claim) => [...writes, ...reads].some(({ glob }) => globsOverlap(claim.glob, glob)))?.text ?? null;
}

function declares({ spec: { writes, reads } }: Task): boolean {
  return (writes !== null && writes.length > 0) || reads.length > 0;
}

/** The first path of `writer` that the other task writes too, or reads. */
function commonPath(writer: Task, other: Task, readsToo: boolean): string | null {
  const wanted = [...globsOf(other.spec).writes, ...(readsToo ? globsOf(other.spec).reads : [])];
  const found = globsOf(writer.spec).writes.find((held) => wanted.some((glob) => globsOverlap(held.glob, glob.glob)));
  return found?.text ?? null;
}

interface Parsed {
  readonly text: string;
  readonly glob: PathGlob;
}

interface Globs {
  readonly writes: readonly Parsed[];
  readonly reads: readonly Parsed[];
}

const parsed = new WeakMap<TaskSpec, Globs>();

/** Parsed once for each task. */
function globsOf(spec: TaskSpec): Globs {
  const known = parsed.get(spec);
  if (known !== undefined) return known;
  const parse = (text: string): Parsed => ({ text, glob: parseGlob(text) });
  const globs = { writes: (spec.writes ?? []).map(parse), reads: spec.reads.map(parse) };
  parsed.set(spec, globs);
  return globs;
}
