// Finds things in a run that must exist: the caller has an id that the run itself gave out.

import { must } from '../../std/assert.ts';
import type { Launch } from '../attempt/attempt-state.ts';
import type { Agent } from './agent.ts';
import type { Attempt } from './attempt.ts';
import type { AgentId, AttemptId, LaunchId, TaskId } from './ids.ts';
import type { Run, Task } from './run.ts';

export function taskOf(run: Run, id: TaskId): Task {
  return must(run.tasks.get(id), `no task ${id}`);
}

/** The matrix whose member the task is. */
export function matrixOf(run: Run, { spec: { parent } }: Task): Task | null {
  const task = parent === null ? undefined : run.tasks.get(parent);
  return task?.spec.kind === 'matrix' ? task : null;
}

/** The task whose agent spawned it. */
export function askerOf(run: Run, { spec: { parent } }: Task): Task | null {
  const task = parent === null ? undefined : run.tasks.get(parent);
  return task?.spec.kind === 'work' ? task : null;
}

export function agentOf(run: Run, id: AgentId): Agent {
  return must(run.agents.get(id), `no agent ${id}`);
}

export function attemptOf(run: Run, id: AttemptId): Attempt {
  return must(run.live.get(id), `no live attempt ${id}`);
}

export function attemptOfLaunch(run: Run, id: LaunchId): Attempt {
  return must(run.liveByLaunch.get(id), `no live launch ${id}`);
}

export function launchOf(attempt: Attempt): Launch {
  return must(attempt.launches.current, `attempt ${attempt.id} has no launch`);
}

/** The attempt whose present launch has this id. */
export function presentLaunch(run: Run, id: LaunchId): { attempt: Attempt; launch: Launch } | null {
  const attempt = run.liveByLaunch.get(id);
  return attempt?.launches.current?.id === id ? { attempt, launch: attempt.launches.current } : null;
}
