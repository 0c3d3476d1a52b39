// Artifacts in the journal: which ones to store of an attempt, with their maker, their inputs and their commit.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import type { AgentId, ArtifactId, AttemptId, TaskId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { inputTasks, resultArtifact, resultKind } from '../inputs/task-inputs.ts';
import type { ArtifactKind } from './artifact-kinds.ts';
import { outputProblems, schemaOf } from './typed-output.ts';

/** An artifact that is on disk. */
export interface StoredArtifact {
  readonly artifactId: ArtifactId;
  readonly kind: ArtifactKind;
  /** Size of its file. */
  readonly bytes: number;
}

export interface ArtifactStamp extends StoredArtifact {
  readonly taskId: TaskId;
  readonly attemptId: AttemptId;
  readonly agentId: AgentId;
  /** The artifacts that its maker got as input. */
  readonly inputs: readonly ArtifactId[];
  /** The commit of the work that it came with. */
  readonly commit: string;
  /** Signalbox's signature over the event that holds this stamp. */
  readonly seal?: string;
}

export function stampEvents(
  run: Run,
  attempt: Attempt,
  commit: string,
  stored: readonly StoredArtifact[],
): RunEventBody[] {
  const { id: attemptId, taskId, agentId } = attempt;
  const inputs = stored.length === 0 ? [] : inputArtifacts(run, taskOf(run, taskId));
  return stored.map((each) => ({ type: 'artifact.stored', ...each, taskId, attemptId, agentId, inputs, commit }));
}

/** The result of an attempt that ended well: its output or, if its task has none, the agent's last words. */
export function resultOf(run: Run, attempt: Attempt): { readonly kind: ArtifactKind; readonly value: Json } | null {
  if (attempt.result.verdict?.kind !== 'ok') return null;
  const { spec } = taskOf(run, attempt.taskId);
  if (schemaOf(spec) === null) return reportOf(spec.name, attempt);
  if (attempt.result.output === null || outputProblems(run, attempt, attempt.result.output).length > 0) return null;
  return { kind: resultKind(spec), value: attempt.result.output.value };
}

function reportOf(
  title: string,
  { turn: { ended: turn }, launches: { current: launch } }: Attempt,
): ReturnType<typeof resultOf> {
  if (turn?.kind !== 'ok' || turn.text === '') return null;
  const whole = turn.cut && launch !== null ? { whole: launch.id } : {};
  return { kind: 'report', value: { title, text: turn.text, ...whole } };
}

/** The artifacts of the tasks whose outputs a task was given, and the conflict that it has to fix. */
export function inputArtifacts(run: Run, task: Task): ArtifactId[] {
  const ids = inputTasks(run, task).flatMap((input) => {
    const tasks = input.spec.kind === 'matrix' ? input.graph.members.map((id) => taskOf(run, id)) : [input];
    return tasks.flatMap((each) => resultArtifact(each) ?? []);
  });
  const {
    integration: { conflict },
  } = task;
  return [...new Set([...ids, ...(conflict === null || conflict.artifact === null ? [] : [conflict.artifact])])];
}
