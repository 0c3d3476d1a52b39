// The tasks whose outputs a task gets: those that its texts refer to, the one that its matrix iterates over, and those that it
// has to account for.

import type { ArtifactKind } from '../attempt/artifact-kinds.ts';
import type { ArtifactId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import { matrixOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { givenTo } from './needs.ts';
import type { Ref } from './reference.ts';

/** Each once. */
export function inputTasks(run: Run, task: Task): Task[] {
  const items = matrixOf(run, task)?.spec.items ?? null;
  const source = items === null || Array.isArray(items) ? [] : namesIn([items as Ref]);
  return tasksNamed(run, [...source, ...shownTo(run, task)]);
}

/** The outputs that a task refers to or has to account for, by the names of their tasks. */
export function inputsOf(run: Run, task: Task): { readonly name: string; readonly value: Json }[] {
  return tasksNamed(run, shownTo(run, task)).map((from) => ({ name: from.spec.name, value: resultIn(from) }));
}

/** A task's output, or its agent's last text if it has no typed output. */
export function resultIn({ output, spec, attempt }: Task): Json {
  if (spec.output !== null || output !== null || attempt?.turn.ended?.kind !== 'ok') return output;
  const { text, whole } = attempt.turn.ended;
  return { said: text, ...(whole === undefined ? {} : { whole }) };
}

function shownTo(run: Run, task: Task): string[] {
  const { prompt, env, accounts, inputs = [] } = task.spec;
  const texts = [prompt, ...Object.values(env)];
  const referred = texts.flatMap((text) => (typeof text === 'string' ? [] : namesIn(text)));
  const declared = inputs.map((id) => taskOf(run, id).spec.name);
  return [...referred, ...declared, ...(accounts ? givenTo(run, task) : []).map(({ task: from }) => from.spec.name)];
}

function namesIn(parts: readonly (string | Ref)[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    const [root, name, what] = part.ref;
    return root === 'tasks' && name !== undefined && (what === 'output' || what === 'artifact') ? [name] : [];
  });
}

function tasksNamed(run: Run, names: readonly string[]): Task[] {
  return [...new Set(names)].flatMap((name) => {
    const id = run.graph.taskByName.get(name);
    return id === undefined ? [] : [taskOf(run, id)];
  });
}

/** The artifact of a succeeded task's output. */
export function resultArtifact({ spec, outcome, attempt }: Task): ArtifactId | null {
  if (outcome?.kind !== 'succeeded' || attempt === null) return null;
  // The output is stored first, before artifacts about the work; artifacts that the agent submitted earlier may have the same
  // kind.
  const withWork = attempt.result.artifacts.slice(attempt.result.submitted);
  return withWork.find(({ kind }) => kind === resultKind(spec))?.artifactId ?? null;
}

/** A task that accounts for its inputs adds fields to its kind. */
export function resultKind(spec: TaskSpec): ArtifactKind {
  if (!spec.accounts && spec.output === null) return 'report';
  return spec.accounts ? 'output' : (spec.outputKind ?? 'output');
}
