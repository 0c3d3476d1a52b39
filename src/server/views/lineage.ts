// The origin of integrated work according to the journal: agent, prompt, evidence, approvals, and the same for all its
// inputs, recursively. Read-only.

import type { Engine } from '../../engine/engine.ts';
import { type AttemptId, launchId, taskOfAttempt } from '../../model/core/ids.ts';
import { agentOf, taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { inputTasks } from '../../model/inputs/task-inputs.ts';
import { approvals, modelsOf } from '../../model/integrate/integration-trailers.ts';
import type { LandingOutcome } from '../../model/land/landing.ts';
import { promptText } from '../../model/tasks/prompt.ts';
import type { Journal } from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import type { InputView, LineageView } from '../../wire/artifact-views.ts';
import { eventsOf } from './artifact-list.ts';
import { viewEvidence } from './evidence-view.ts';
import type { Runs } from './find-runs.ts';
import { runAtEndOf } from './past-run.ts';

export interface LineageSource {
  readonly engine: Pick<Engine, 'lookRun'>;
  readonly journal: Pick<Journal, 'read'>;
  transcriptPath(launchId: string): string;
}

const promptMax = 100_000;
const inputPromptMax = 1_000;
const depthMax = 20;
const inputsMax = 100;

export async function lineageOf(
  source: LineageSource,
  runs: Pick<Runs, 'runOfTask'>,
  attemptId: AttemptId,
): Promise<LineageView> {
  const runId = await runs.runOfTask(taskOfAttempt(attemptId));
  const events = await eventsOf(source.journal, runId, 'integration.succeeded', 'landing.ended');
  const integrated = events.flatMap((event) =>
    event.type === 'integration.succeeded' && event.attemptId === attemptId ? [event] : [],
  );
  const landings = events.flatMap((event) => (event.type === 'landing.ended' ? landedBy(event.outcome) : []));
  const view = (run: Run | null): LineageView | null => {
    const task = run?.tasks.get(taskOfAttempt(attemptId));
    if (!run?.spec || task?.attempt?.id !== attemptId) return null;
    const { attempt } = task;
    const { inputs, leftOut } = inputsOf(run, task);
    return {
      ...makerOf(run, task, promptMax),
      run: { id: run.spec.id, name: run.spec.name },
      repo: run.spec.repo.path,
      attempt: attempt.n,
      role: task.spec.role,
      agent: agentOf(run, attempt.agentId).name,
      startedAt: attempt.startedAt,
      why: attempt.origin.why,
      commit: attempt.workspace.commit,
      integrated: integrated.map(({ head }) => head),
      landings,
      approvals: approvals(run, task),
      checks: [...(attempt.result.evidence ?? []), ...integrated.flatMap(({ items = [] }) => items)].map(viewEvidence),
      conflict: task.integration.conflict?.artifact ?? null,
      transcripts: Array.from({ length: attempt.launches.count }, (_, n) =>
        source.transcriptPath(launchId(attempt.id, n + 1)),
      ),
      inputs,
      inputsLeftOut: leftOut,
    };
  };
  const now = await source.engine.lookRun(runId, view);
  // Integrated work counts even if its task was reopened since.
  const found = now ?? (integrated.length === 0 ? null : view(await runAtEndOf(source.journal, runId, attemptId)));
  if (found === null) throw new Fault('not_found', `the journal has no successful work of ${attemptId}`);
  return found;
}

function landedBy(outcome: LandingOutcome): LineageView['landings'] {
  if (outcome.kind === 'aside') return [{ branch: outcome.branch, from: null, commit: outcome.commit }];
  if (outcome.kind !== 'landed' || outcome.from === outcome.commit) return [];
  return [{ branch: outcome.branch, from: outcome.from, commit: outcome.commit }];
}

function makerOf(run: Run, task: Task, max: number): Omit<InputView, 'depth'> {
  const { spec, attempt } = task;
  const prompt = promptText(run, task, { again: false, inputs: 'inputs' });
  return {
    task: { id: spec.id, name: spec.name },
    attemptId: attempt?.id ?? '',
    agentId: attempt?.agentId ?? '',
    harness: spec.harness,
    model: attempt === null ? '' : modelsOf(run, task, attempt),
    item: spec.item ?? null,
    prompt: prompt.slice(0, max),
    promptCut: prompt.length > max,
    artifacts: (attempt?.result.artifacts ?? []).map(({ artifactId: id, kind, bytes }) => ({ id, kind, bytes })),
  };
}

/** Each input once, below the first task that used it. */
function inputsOf(run: Run, task: Task): { readonly inputs: InputView[]; readonly leftOut: number } {
  const seen = new Set<Task>([task]);
  const inputs: InputView[] = [];
  let leftOut = 0;
  const visit = (maker: Task, depth: number): void => {
    for (const input of inputTasks(run, maker).flatMap((each) => worked(run, each))) {
      if (seen.has(input)) continue;
      seen.add(input);
      if (inputs.length === inputsMax || depth > depthMax) {
        leftOut += 1;
        continue;
      }
      inputs.push({ ...makerOf(run, input, inputPromptMax), depth });
      visit(input, depth + 1);
    }
  };
  visit(task, 1);
  return { inputs, leftOut };
}

/** A matrix is replaced by its tasks; a gate is not work. */
function worked(run: Run, task: Task): Task[] {
  if (task.spec.kind === 'matrix') return task.graph.members.map((id) => taskOf(run, id));
  return task.spec.kind === 'work' ? [task] : [];
}
