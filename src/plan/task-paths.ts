// The paths that a task reads and writes, from the plan file to the request. Nothing else in src/plan looks into them.

import type { Json } from '../model/core/json.ts';
import { type Text, within } from '../model/inputs/reference.ts';
import { pathForItem } from '../model/tasks/matrix-member.ts';
import { flawOfGlob } from '../std/path-glob.ts';
import type { CreateRunInput } from '../wire/request-schemas.ts';
import { sent } from './compile/compile-work.ts';
import { pathText, textSource } from './file/expression.ts';
import type { InputValues } from './file/plan-inputs.ts';
import type { Flaw, PlanPath } from './file/problem.ts';
import type { Reading } from './file/read-values.ts';
import { textWith } from './file/substitute.ts';
import { isRef, type PlanTask } from './plan.ts';

/** A glob, which may hold references. */
export type PlanGlob = Text;

type TaskInput = CreateRunInput['tasks'][number];

export function globsFrom(given: string | readonly string[] | undefined, path: PlanPath, reading: Reading): PlanGlob[] {
  const globs = typeof given === 'string' ? [given] : (given ?? []);
  return globs.map((glob, i) => reading.text(glob, [...path, i]));
}

export interface PathFlaw {
  readonly word: 'reads' | 'writes';
  readonly index: number;
  readonly flaw: Flaw;
}

export function pathFlaws(task: PlanTask): PathFlaw[] {
  return (['reads', 'writes'] as const).flatMap((word) =>
    (task[word] ?? []).flatMap((glob, index) => {
      const flaw = globFlaw(glob, word, task.matrix);
      return flaw === null ? [] : [{ word, index, flaw }];
    }),
  );
}

/** Only what is known when a task is made can be part of its paths. */
const roots: readonly (string | undefined)[] = ['matrix', 'inputs'];

function globFlaw(glob: PlanGlob, word: string, matrix: PlanTask['matrix']): Flaw | null {
  if (typeof glob === 'string') {
    const message = flawOfGlob(glob);
    return message === null ? null : { message };
  }
  const stranger = refsOf(glob).find(([root]) => !roots.includes(root));
  if (stranger !== undefined) {
    const suggestion = 'a path may hold values of the matrix and inputs: make a matrix over that output';
    return { message: `"${pathText(stranger)}" cannot stand in a path`, suggestion };
  }
  const items = matrix === null || isRef(matrix) ? [] : matrix;
  // A reference that fits no item at all is reported with the other references.
  const fits = (path: readonly string[]): boolean => items.some((item) => within(item, path) !== undefined);
  if (!refsOf(glob).every(([root, ...path]) => root !== 'matrix' || fits(path))) return null;
  for (const [i, item] of items.entries()) {
    const made = exactPath(glob, item);
    if (made !== null && 'flaw' in made) return { message: `"${word}" is not a path with item ${i + 1}: ${made.flaw}` };
  }
  return null;
}

const refsOf = (glob: PlanGlob): (readonly string[])[] =>
  typeof glob === 'string' ? [] : glob.flatMap((part) => (typeof part === 'string' ? [] : [part.ref]));

/** null = an input decides it. */
function exactPath(glob: PlanGlob, item: Json): ReturnType<typeof pathForItem> | null {
  const isKnown = refsOf(glob).every(([root, ...path]) => {
    return root === 'matrix' && !JSON.stringify(within(item, path) ?? null).includes('${{');
  });
  return isKnown ? pathForItem(glob, item) : null;
}

/** Covers the glob whatever its values are: everything below the directories that it begins with. */
function covering(glob: PlanGlob): string {
  if (typeof glob === 'string') return glob;
  const [first] = glob;
  const literal = typeof first === 'string' ? first : '';
  // A value inside of braces could stand in another alternative.
  return literal.includes('{') ? '**' : `${literal.slice(0, literal.lastIndexOf('/') + 1)}**`;
}

export interface PathSet {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/**
 * `apart`: one set for each task that this one becomes. `shared`: all of them have the same set. `unknown`: each has its own,
 * known only in the run; the one set covers them all.
 */
export interface PathSets {
  readonly kind: 'apart' | 'shared' | 'unknown';
  readonly sets: readonly PathSet[];
}

/** For a task without path flaws (`pathFlaws`). */
export function pathSets({ matrix, writes, reads }: PlanTask): PathSets {
  const whole = { writes: (writes ?? []).map(covering), reads: reads.map(covering) };
  if (matrix === null) return { kind: 'apart', sets: [whole] };
  const refersToItems = [...(writes ?? []), ...reads].some((glob) => refsOf(glob).some(([root]) => root === 'matrix'));
  if (!refersToItems) return { kind: 'shared', sets: [whole] };
  const sets = isRef(matrix) ? [null] : matrix.map((item) => exactSet(writes ?? [], reads, item));
  const known = sets.filter((set) => set !== null);
  return known.length === sets.length ? { kind: 'apart', sets: known } : { kind: 'unknown', sets: [whole] };
}

function exactSet(writes: readonly PlanGlob[], reads: readonly PlanGlob[], item: Json): PathSet | null {
  const [written, read] = [writes, reads].map((globs) =>
    globs.flatMap((glob) => {
      const made = typeof glob === 'string' ? { path: glob } : exactPath(glob, item);
      return made !== null && 'path' in made ? [made.path] : [];
    }),
  );
  const isWhole = written?.length === writes.length && read?.length === reads.length;
  return isWhole ? { writes: written, reads: read } : null;
}

/** As the plan has them; null = not declared. */
export function shownWrites({ writes }: PlanTask): string[] | null {
  return writes === null ? null : writes.map(textSource);
}

/** Globs with values of a matrix are sent as data, beside globs that cover them all. */
export function requestPaths(task: PlanTask, inputs: InputValues): Pick<TaskInput, 'writes' | 'reads' | 'itemPaths'> {
  const [writes, reads] = [task.writes, task.reads].map(
    (globs) => globs?.map((glob) => textWith(inputs, glob)) ?? null,
  );
  const paths = { writes: writes?.map(covering) ?? null, reads: reads?.map(covering) ?? [] };
  if ([...(writes ?? []), ...(reads ?? [])].every((glob) => typeof glob === 'string')) return paths;
  return { ...paths, itemPaths: { writes: writes?.map(sent) ?? null, reads: reads?.map(sent) ?? [] } };
}
