// Warns about tasks that could run together and write the same files. They are safe, since they take turns; the author of the
// plan should know that they do.

import { globsOverlap, type PathGlob, parseGlob } from '../../std/path-glob.ts';
import { type Flaw, type Problem, problemAt } from '../file/problem.ts';
import { keeps, type Plan, type PlanTask } from '../plan.ts';
import type { Graph } from '../task-graph.ts';
import { type PathSets, pathSets } from '../task-paths.ts';

const shownMax = 3;

export function writerProblems(plan: Plan, graph: Graph, strict: boolean): Problem[] {
  const writers = plan.tasks.filter((task) => keeps(plan, task) && (task.writes ?? []).length > 0).map(writerOf);
  const overlaps = overlapping([...new Set(writers.flatMap(({ globs }) => globs))]);
  const users = new Map<string, PlanTask[]>();
  const severity = strict ? 'error' : 'warning';
  return writers.flatMap((writer) => {
    const { task, globs } = writer;
    const met = othersMet(graph, writer, overlaps, users);
    for (const glob of globs) {
      const list = users.get(glob);
      if (list === undefined) users.set(glob, [task]);
      else list.push(task);
    }
    const flaws = [...met].map(([name, paths]) => ({
      message: `"${task.name}" and "${name}" could run together and write the same files (${paths}): they will take turns`,
      suggestion: 'let one need the other, or make them write different paths',
    }));
    const inside = task.matrix === null ? null : memberFlaw(writer, overlaps);
    const path = ['tasks', task.name, 'writes'];
    return [...flaws, ...(inside === null ? [] : [inside])].map((flaw) =>
      problemAt(plan.source, path, { ...flaw, severity }),
    );
  });
}

interface Writer {
  readonly task: PlanTask;
  readonly paths: PathSets;
  /** Of all tasks that it expands to, without duplicates. */
  readonly globs: readonly string[];
}

function writerOf(task: PlanTask): Writer {
  const paths = pathSets(task);
  return { task, paths, globs: [...new Set(paths.sets.flatMap(({ writes }) => writes))] };
}

/** Earlier tasks that could run together with this one, by name, with the paths that both write. */
function othersMet(
  graph: Graph,
  { task, globs }: Writer,
  overlaps: Overlaps,
  users: ReadonlyMap<string, readonly PlanTask[]>,
): ReadonlyMap<string, string> {
  const met = new Map<string, string>();
  for (const glob of globs) {
    for (const other of overlaps.get(glob) ?? []) {
      for (const user of users.get(other) ?? []) {
        if (met.size >= shownMax) return met;
        if (!together(graph, task, user) || met.has(user.name)) continue;
        met.set(user.name, glob === other ? glob : `${glob} and ${other}`);
      }
    }
  }
  return met;
}

/** Whether tasks of one matrix write the same files. */
function memberFlaw({ task, paths, globs }: Writer, overlaps: Overlaps): Flaw | null {
  const suggestion =
    'leave "writes" out to let them work at once; what does not fit together is then found when it is merged';
  if (paths.kind === 'shared') {
    const message = `the tasks of the matrix "${task.name}" all write ${globs.join(', ')}: they will take turns`;
    return { message, suggestion };
  }
  if (paths.kind === 'unknown') {
    const message = `tasks of the matrix "${task.name}" may write the same files, depending on its items: those that do will take turns`;
    return { message, suggestion };
  }
  const itemOf = new Map<string, number>();
  for (const [i, { writes }] of paths.sets.entries()) {
    const other = writes.flatMap((glob) => overlaps.get(glob) ?? []).find((glob) => (itemOf.get(glob) ?? i) !== i);
    if (other !== undefined) {
      const message = `items ${(itemOf.get(other) ?? 0) + 1} and ${i + 1} of the matrix "${task.name}" write the same files (${other}): they will take turns`;
      return { message, suggestion };
    }
    for (const glob of writes) itemOf.set(glob, i);
  }
  return null;
}

function together(graph: Graph, a: PlanTask, b: PlanTask): boolean {
  return a.name !== b.name && !graph.waitsFor(a.name, b.name) && !graph.waitsFor(b.name, a.name);
}

export type Overlaps = ReadonlyMap<string, readonly string[]>;

/** For each glob the globs that can match the same file, itself included. */
export function overlapping(globs: readonly string[]): Overlaps {
  const parsed = globs
    .map((glob) => ({ glob, begins: literalBeginning(glob), automaton: null as PathGlob | null }))
    .sort((a, b) => (a.begins < b.begins ? -1 : a.begins > b.begins ? 1 : 0));
  const out = new Map<string, string[]>(globs.map((glob) => [glob, [glob]]));
  for (const [i, one] of parsed.entries()) {
    // A glob matches only paths that start with its literal beginning, so only globs whose beginning extends this one can overlap.
    for (let j = i + 1; parsed[j]?.begins.startsWith(one.begins) === true; j += 1) {
      const other = parsed[j] as (typeof parsed)[number];
      one.automaton ??= parseGlob(one.glob);
      other.automaton ??= parseGlob(other.glob);
      if (!globsOverlap(one.automaton, other.automaton)) continue;
      out.get(one.glob)?.push(other.glob);
      out.get(other.glob)?.push(one.glob);
    }
  }
  return out;
}

/** The text that every matching path begins with. */
function literalBeginning(glob: string): string {
  const whole = glob.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  return /^[^*?[{\\]*/.exec(whole)?.[0] ?? '';
}
