// The paths that a task reads and writes, from the plan file to the request. Nothing else in src/plan looks into them.

import type { Text } from '../model/inputs/reference.ts';
import { flawOfGlob } from '../std/path-glob.ts';
import type { CreateRunInput } from '../wire/request-schemas.ts';
import { textSource } from './file/expression.ts';
import type { InputValues } from './file/plan-inputs.ts';
import type { Flaw, PlanPath } from './file/problem.ts';
import type { Reading } from './file/read-values.ts';
import type { PlanTask } from './plan.ts';

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
      const flaw = globFlaw(glob, word);
      return flaw === null ? [] : [{ word, index, flaw }];
    }),
  );
}

function globFlaw(glob: PlanGlob, word: string): Flaw | null {
  if (typeof glob !== 'string') {
    return {
      message: `"${word}" has no references: paths are known before anything runs`,
      suggestion: 'name a path that holds for every item, or write a task for each',
    };
  }
  const message = flawOfGlob(glob);
  return message === null ? null : { message };
}

export interface PathSet {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/**
 * `apart`: one set for each task that this one becomes. `shared`: all of them have the one set. `unknown`: each has its own, which
 * the run alone knows; the one set covers them all.
 */
export interface PathSets {
  readonly kind: 'apart' | 'shared' | 'unknown';
  readonly sets: readonly PathSet[];
}

/** Of a task in which `pathFlaws` finds nothing. */
export function pathSets({ matrix, writes, reads }: PlanTask): PathSets {
  const set = { writes: (writes ?? []).map(textSource), reads: reads.map(textSource) };
  return { kind: matrix === null ? 'apart' : 'shared', sets: [set] };
}

/** As the plan has them; null = not declared. */
export function shownWrites({ writes }: PlanTask): string[] | null {
  return writes === null ? null : writes.map(textSource);
}

export function requestPaths({ writes, reads }: PlanTask, _inputs: InputValues): Pick<TaskInput, 'writes' | 'reads'> {
  return { writes: writes === null ? null : writes.map(textSource), reads: reads.map(textSource) };
}
