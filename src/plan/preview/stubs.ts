// A dry run of a plan that costs nothing: the scripted agent plays every task, says a word and gives an example output.
// Commands and checks do not run either, and no person is asked: only the plan itself is tried.

import { scriptedHarness } from '../../wire/task-request.ts';
import type { CompiledRun } from '../compile/compile-plan.ts';
import { type Problem, problemAt } from '../file/problem.ts';
import type { Plan, PlanTask } from '../plan.ts';
import { exampleOf } from './example-of.ts';

/** Tasks for which no example can be made. */
export function stubProblems(plan: Plan): Problem[] {
  return plan.tasks
    .filter((task) => task.output !== null && exampleFor(task) === null)
    .map(({ name }) => {
      const message = `no example could be made for the output of "${name}"`;
      const suggestion = 'give the task an "example" that fits its schema';
      return problemAt(plan.source, ['tasks', name, 'output'], { message, suggestion });
    });
}

export function withStubs(run: CompiledRun, plan: Plan): CompiledRun {
  const byName = new Map(plan.tasks.map((task) => [task.name, task]));
  const tasks = run.tasks.map((compiled) => {
    const task = byName.get(compiled.name);
    if (task === undefined) return compiled;
    const script = JSON.stringify(scriptOf(task));
    // A stub reads nothing, so it cannot account for its inputs. No person is asked: defaults are filled in.
    const kind = compiled.kind === 'gate' ? 'work' : compiled.kind;
    const settings = { script };
    return {
      ...compiled,
      ...unlimited,
      kind,
      gate: null,
      harness: scriptedHarness,
      settings,
      setup: null,
      checks: [],
      accounts: false,
    };
  });
  return { ...run, harnessMax: {}, budget: null, tasks };
}

/** Stubs cost nothing and need no budget. */
const unlimited = { budget: null, treeBudget: null } as const;

function scriptOf(task: PlanTask): object[] {
  const said = { say: `This stands for the work of ${task.name}.` };
  const example = task.output === null ? null : exampleFor(task);
  return example === null ? [said] : [said, { output: example.value }];
}

function exampleFor({ example, output }: PlanTask): ReturnType<typeof exampleOf> {
  if (example !== undefined) return { value: example };
  return output === null ? null : exampleOf(output);
}
