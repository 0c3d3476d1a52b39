// Writers that could be at work at once and can touch the same file. They are safe, since they take turns; whoever wrote
// the plan should know that they do.

import { globsOverlap, type PathGlob, parseGlob } from '../../std/path-glob.ts';
import { type Problem, problemAt } from '../file/problem.ts';
import { keeps, type Plan, type PlanTask } from '../plan.ts';
import type { Graph } from '../task-graph.ts';

const shownMax = 3;

export function writerProblems(plan: Plan, graph: Graph, strict: boolean): Problem[] {
  const writers = plan.tasks.filter((task) => keeps(plan, task) && (task.writes ?? []).length > 0);
  const overlaps = overlapping([...new Set(writers.flatMap(({ writes }) => writes ?? []))]);
  const users = new Map<string, PlanTask[]>();
  const severity = strict ? 'error' : 'warning';
  const problems: Problem[] = [];
  for (const task of writers) {
    const met = new Map<string, string>();
    for (const glob of task.writes ?? []) {
      for (const other of overlaps.get(glob) ?? []) {
        for (const user of users.get(other) ?? []) {
          if (met.size >= shownMax) break;
          if (!together(graph, task, user) || met.has(user.name)) continue;
          met.set(user.name, glob === other ? glob : `${glob} and ${other}`);
        }
      }
    }
    for (const glob of task.writes ?? []) {
      const list = users.get(glob);
      if (list === undefined) users.set(glob, [task]);
      else list.push(task);
    }
    const path = ['tasks', task.name, 'writes'];
    for (const [name, paths] of met) {
      const message = `"${task.name}" and "${name}" could run together and write the same files (${paths}): they will take turns`;
      const suggestion = 'let one need the other, or part what they write';
      problems.push(problemAt(plan.source, path, { message, suggestion, severity }));
    }
    if (task.matrix === null) continue;
    const message = `the tasks of the matrix "${task.name}" all write ${(task.writes ?? []).join(', ')}: they will take turns`;
    const suggestion =
      'leave "writes" out to let them work at once; what does not fit together is then found when it is merged';
    problems.push(problemAt(plan.source, path, { message, suggestion, severity }));
  }
  return problems;
}

function together(graph: Graph, a: PlanTask, b: PlanTask): boolean {
  return a.name !== b.name && !graph.waitsFor(a.name, b.name) && !graph.waitsFor(b.name, a.name);
}

/** For each glob those that can fit the same file, itself included. */
export function overlapping(globs: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const parsed = globs
    .map((glob) => ({ glob, begins: literalBeginning(glob), automaton: null as PathGlob | null }))
    .sort((a, b) => (a.begins < b.begins ? -1 : a.begins > b.begins ? 1 : 0));
  const out = new Map<string, string[]>(globs.map((glob) => [glob, [glob]]));
  for (const [i, one] of parsed.entries()) {
    // Both fit paths that begin as they do: only those whose beginning goes on from this one's can meet it.
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

/** What every path begins with that it fits. */
function literalBeginning(glob: string): string {
  const whole = glob.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  return /^[^*?[{\\]*/.exec(whole)?.[0] ?? '';
}
