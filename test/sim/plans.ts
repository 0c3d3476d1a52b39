// Random work for a simulated run: a graph of tasks, drawn from the seed.

import type { TaskId } from '../../src/model/ids.ts';
import type { RunSpec, TaskSpec } from '../../src/model/spec.ts';
import { plainTask } from '../plain-task.ts';
import { globPaths } from './checker-paths.ts';
import type { Chance } from './scheduler.ts';

export interface SimPlan {
  readonly run: RunSpec;
  readonly tasks: readonly TaskSpec[];
}

export function randomPlan(chance: Chance, index: number, tasksMin: number, tasksMax: number): SimPlan {
  const count = chance.int(tasksMin, tasksMax);
  const tasks: TaskSpec[] = [];
  for (let i = 0; i < count; i++) {
    const needs = tasks.filter(() => chance.hit(Math.min(0.5, 1.2 / count))).map((task) => task.id);
    tasks.push(task(chance, `task_r${index}t${String(i).padStart(3, '0')}`, `t${i}`, needs));
  }
  return {
    run: {
      id: `run_${String(index).padStart(26, '0')}`,
      name: `run ${index}`,
      repo: { path: '/repo', base: 'base' },
      limits: { parallelMax: chance.int(1, 8) },
      lands: true,
    },
    tasks,
  };
}

function globs(chance: Chance, max: number): string[] {
  return Array.from({ length: chance.int(1, max) }, () => chance.pick(Object.keys(globPaths)));
}

function task(chance: Chance, id: TaskId, name: string, needs: TaskId[]): TaskSpec {
  return {
    ...plainTask,
    id,
    name,
    needs,
    prompt: `do ${name}`,
    writes: chance.hit(0.4) ? globs(chance, 2) : null,
    reads: chance.hit(0.1) ? globs(chance, 1) : [],
    checks: chance.hit(0.4) ? [{ name: 'check', argv: ['true'], timeoutMs: 1_000 }] : [],
    retry: {
      attemptsMax: chance.int(1, 4),
      conflictsMax: chance.int(0, 2),
      delayMs: chance.int(1, 5_000),
      delayMaxMs: 10_000,
    },
    timeoutMs: chance.int(20_000, 120_000),
    caps: { outputBytes: 50_000, memoryBytes: 1_000_000, processesMax: 10, stallMs: chance.int(15_000, 60_000) },
    priority: chance.int(0, 2),
  };
}
