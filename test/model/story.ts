// Tells a run's story to the model in tests: commands in, events folded, no engine and no clock but its own.

import type { Command, Decision } from '../../src/model/core/command.ts';
import type { RunEvent, RunEventBody } from '../../src/model/core/events.ts';
import { type AttemptId, attemptId, launchId, type TaskId } from '../../src/model/core/ids.ts';
import type { Run } from '../../src/model/core/run.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { decide } from '../../src/model/decide.ts';
import { evolve } from '../../src/model/evolve.ts';
import type { IntegrateResult } from '../../src/model/integrate/integration-queue.ts';
import { emptyRun } from '../../src/model/new-state.ts';
import { type Pending, pending } from '../../src/model/pending.ts';
import { plainTask } from '../plain-task.ts';

export interface Story {
  readonly run: Run;
  readonly events: RunEvent[];
  now: number;
  /** Decides and folds; a refusal is an error here. */
  tell(command: Command): readonly RunEventBody[];
  ask(command: Command): Decision;
  pending(): Pending;
}

export function createStory(): Story {
  const run = emptyRun();
  const story: Story = {
    run,
    events: [],
    now: 1_000,
    ask: (command) => decide(run, command, story.now),
    tell(command) {
      const decision = story.ask(command);
      if (decision.kind === 'refused') throw new Error(`${command.type}: ${decision.refusal.reason}`);
      for (const body of decision.events) {
        const event: RunEvent = { at: story.now, ...body };
        story.events.push(event);
        evolve(run, event);
      }
      return decision.events;
    },
    pending: () => pending(run, story.now),
  };
  return story;
}

export function task(name: string, more: Partial<TaskSpec> = {}): TaskSpec {
  return { ...plainTask, id: taskId(name), name, prompt: `do ${name}`, ...more };
}

export const taskId = (name: string): TaskId => `task_${name}`;
export const attempt = (name: string, n = 1) => attemptId(taskId(name), n);
export const launch = (name: string, n = 1, l = 1) => launchId(attempt(name, n), l);

export function submitted(...tasks: TaskSpec[]): Story {
  const story = createStory();
  story.tell({
    type: 'submit',
    run: {
      id: 'run_1',
      name: 'a run',
      repo: { path: '/repo', base: 'b0' },
      limits: { parallelMax: 100 },
      integrates: true,
    },
    tasks,
  });
  return story;
}

/** Brings a task's attempt to a running process. */
export function launched(story: Story, name: string, n = 1): void {
  story.tell({ type: 'start', taskId: taskId(name), host: 'h' });
  story.tell({ type: 'prepared', attemptId: attempt(name, n), path: '/w', base: 'b0' });
  story.tell({ type: 'launched', launchId: launch(name, n), process: null });
}

/** The agent acknowledges its prompt, names its session, and ends its turn, well or not. */
export function turned(story: Story, name: string, ok = true, n = 1, l = 1): void {
  const state = story.run.live.get(attempt(name, n))?.launches.current;
  story.tell({
    type: 'output',
    launchId: launch(name, n, l),
    from: state?.offset ?? 0,
    to: (state?.offset ?? 0) + 100,
    codec: '{}',
    replies: [],
    facts: [
      { kind: 'session', session: `s-${name}` },
      { kind: 'delivered', recordId: `record_${name}-${n}-1` },
      {
        kind: 'turnEnded',
        turn: ok
          ? { kind: 'ok', text: 'done', cut: false }
          : { kind: 'failed', failure: { reason: 'max-output', detail: 'too long' } },
      },
    ],
  });
}

export function down(story: Story, name: string, status: number | null, n = 1, l = 1): void {
  story.tell({ type: 'down', launchId: launch(name, n, l), status, turn: null });
}

export function saved(story: Story, name: string, n = 1): void {
  story.tell({ type: 'saved', attemptId: attempt(name, n), ref: 'refs/x', commit: `c-${name}-${n}` });
}

/** Its work fits and is on the run's branch. */
export function integrated(story: Story, name: string, n = 1): void {
  const {
    integration: { head },
  } = story.run;
  story.tell({ type: 'integrated', from: head, results: [onto(`${head}+${name}`, name, n)] });
}

export function onto(commit: string, name: string, n = 1): IntegrateResult {
  return { attemptId: attempt(name, n), kind: 'integrated', commit, tree: `tree of ${commit}`, items: [] };
}

/** Its work conflicts with the integrated work of these attempts. */
export function conflicted(
  story: Story,
  name: string,
  paths: readonly string[],
  n = 1,
  others: AttemptId[] = [],
): void {
  const result = { attemptId: attempt(name, n), kind: 'conflict', paths, pathsTotal: paths.length } as const;
  story.tell({ type: 'integrated', from: story.run.integration.head, results: [{ ...result, with: others }] });
}

/** Up to work that is good by its agent's word, and saved. */
export function worked(story: Story, name: string, n = 1): void {
  launched(story, name, n);
  turned(story, name, true, n);
  down(story, name, 0, n);
  saved(story, name, n);
}

/** The whole way of a task that goes well. */
export function succeed(story: Story, name: string, n = 1): void {
  worked(story, name, n);
  integrated(story, name, n);
}

export function fail(story: Story, name: string, n = 1): void {
  launched(story, name, n);
  turned(story, name, false, n);
  down(story, name, 1, n);
  saved(story, name, n);
}

export function outcomeOf(story: Story, name: string) {
  return story.run.tasks.get(taskId(name))?.outcome ?? null;
}
