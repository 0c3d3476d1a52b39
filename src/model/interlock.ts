// Real interlocking of paths: no two tasks of a run that write to the same path are at work at once. A task holds its
// paths from the start of an attempt to its end, all of them or none, and whoever waits goes before those who come later:
// so nothing is held while waiting, and nobody waits for ever. What is held is derived from the live attempts alone.

import { globsOverlap, type PathGlob, parseGlob } from '../std/path-glob.ts';
import { isKin } from './kin.ts';
import { inOrder, pushReady } from './ready.ts';
import type { ReadyEntry, Run, Task } from './run.ts';
import type { TaskSpec } from './spec.ts';
import { liveAttempt } from './stopping.ts';
import { upwards } from './upwards.ts';

export interface Conflict {
  readonly task: Task;
  /** The path of that task which this one also wants. */
  readonly path: string;
}

/** Who is at work on paths that the task would write to, or wants to read undisturbed. */
export function holderOf(run: Run, task: Task): Conflict | null {
  if (!declares(task)) return null;
  for (const { taskId, claims } of run.live.values()) {
    const holder = run.tasks.get(taskId);
    if (holder === undefined || holder === task) continue;
    // Who was asked for works inside what its asker holds; what that one has claimed it wants for itself.
    const path = claimedPath(claims, task) ?? (isKin(run, holder, task) ? null : commonPath(holder, task, true));
    if (path !== null) return { task: holder, path };
  }
  return null;
}

/** Whom a ready task has to let pass: a holder of its paths, or one that was there before and waits for them too. */
export function blockerOf(run: Run, entry: ReadyEntry): Task | null {
  const { task } = entry;
  if (!declares(task)) return null;
  const holder = holderOf(run, task);
  if (holder !== null) return holder.task;
  for (const waiting of run.waiting.values()) {
    if (inOrder(waiting, entry) >= 0 || commonPath(waiting.task, task, false) === null) continue;
    if (!isBehindOneAbove(run, waiting.task, task)) return waiting.task;
  }
  return null;
}

/** Whoever waits for a task above this one waits for this one as well: that ends after it. */
function isBehindOneAbove(run: Run, waiting: Task, task: Task): boolean {
  for (const above of upwards(run, task)) {
    const isHolder = above !== task && liveAttempt(run, above) !== null && !isKin(run, above, waiting);
    if (isHolder && commonPath(above, waiting, true) !== null) return true;
  }
  return false;
}

/** Puts a ready task aside until its blocker is done. */
export function letWait(run: Run, entry: ReadyEntry, blocker: Task): void {
  run.waiting.set(entry.task.spec.id, entry);
  const behind = run.waitingFor.get(blocker.spec.id);
  if (behind === undefined) run.waitingFor.set(blocker.spec.id, [entry]);
  else behind.push(entry);
}

/** Whoever waited for the task is looked at again. */
export function letPass(run: Run, { spec: { id } }: Task): void {
  for (const entry of run.waitingFor.get(id) ?? []) {
    run.waiting.delete(entry.task.spec.id);
    pushReady(run, entry);
  }
  run.waitingFor.delete(id);
}

/** The first of these paths that the task would change, or wants to read undisturbed. */
function claimedPath(claims: readonly string[], task: Task): string | null {
  if (claims.length === 0) return null;
  const { writes, reads } = globsOf(task.spec);
  const held = claims.map((text) => ({ text, glob: parseGlob(text) }));
  return held.find((claim) => [...writes, ...reads].some(({ glob }) => globsOverlap(claim.glob, glob)))?.text ?? null;
}

function declares({ spec: { writes, reads } }: Task): boolean {
  return (writes !== null && writes.length > 0) || reads.length > 0;
}

/** The first path of `writer` that the other writes too, or reads. */
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
