// Rules on artifacts: what is recorded as stored is on disk and is what its maker gave, and it is stamped with who made it,
// on which commit, and with all that its maker was given.

import type { AttemptView } from '../view/attempt-view.ts';
import type { Data, TextData } from '../view/event-data.ts';
import type { TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';
import { hasOutput } from './typed-output-rules.ts';
import { inputsOf } from './values.ts';

export function artifactEvent(view: View, attempt: AttemptView, data: Data): void {
  const { id, task, saved, verdict, given } = attempt;
  const { artifactId = 'undefined', kind = 'undefined' } = data;
  const there = view.artifacts.get(artifactId);
  if (there === undefined) return blame(view, 2, `${artifactId} is recorded as stored, and is not on disk`);
  if (there.of !== kind) blame(view, 2, `${artifactId} is recorded as ${kind} and is ${there.of}`);
  if (data.taskId !== task.id || data.agentId !== attempt.agentId) {
    blame(view, 2, `${artifactId} is stamped with another maker than ${id}`);
  }
  if (saved === null || data.commit !== saved.commit) {
    blame(
      view,
      2,
      `${artifactId} is stamped with ${data.commit}, the work of ${id} is ${saved?.commit ?? 'not saved'}`,
    );
  }
  if (kind === 'output' || kind === 'report') {
    if (verdict?.kind !== 'ok') blame(view, 4, `${artifactId} is a result of ${id}, which did not come to a good end`);
    if (kind === 'output' && JSON.stringify(there.value) !== JSON.stringify(given?.value ?? null)) {
      blame(view, 1, `${artifactId} is not what ${id} gave`);
    }
    attempt.result ??= artifactId;
  }
  checkInputs(view, attempt, artifactId, data.inputs ?? []);
}

function checkInputs(view: View, { task }: AttemptView, artifactId: string, inputs: readonly string[]): void {
  const expected = new Set([...sourcesOf(task).flatMap(resultsOf), ...(task.conflict === null ? [] : [task.conflict])]);
  for (const id of expected) {
    if (!inputs.includes(id)) blame(view, 2, `${artifactId} is not stamped with ${id}, which ${task.id} was given`);
  }
  for (const id of inputs) {
    if (!expected.has(id)) blame(view, 2, `${artifactId} is stamped with ${id}, which ${task.id} was not given`);
  }
}

/** The tasks whose outputs it was given. */
function sourcesOf(task: TaskView): TaskView[] {
  const { prompt = '', accounts = false, parent = null } = task.spec;
  const items = task.run.tasks.find(({ id }) => id === parent)?.spec.items ?? null;
  const over = items === null || !('ref' in items) ? [] : namesIn([items]);
  const named = [...namesIn(prompt), ...over].flatMap((name) => task.run.byName.get(name) ?? []);
  const attempts = accounts ? inputsOf(task).map((id) => id.replace('artifact_', 'attempt_')) : [];
  const given = task.run.tasks.filter(({ attempt }) => attempt !== null && attempts.includes(attempt.id));
  const declared = (task.spec.inputs ?? []).flatMap((id) => task.run.tasks.find((each) => each.id === id) ?? []);
  return [...named, ...given, ...declared];
}

function namesIn(text: TextData): string[] {
  if (typeof text === 'string') return [];
  return text.flatMap((part) => {
    const [root, name, what] = typeof part === 'string' ? [] : part.ref;
    return root === 'tasks' && name !== undefined && what === 'output' ? [name] : [];
  });
}

function resultsOf(task: TaskView): string[] {
  if (task.spec.kind === 'matrix') return task.members.flatMap(resultsOf);
  return task.outcome === 'succeeded' ? [task.attempt?.result ?? []].flat() : [];
}

/** An attempt has ended well: what it gave is kept. */
export function checkKept(view: View, { id, task, result }: AttemptView): void {
  if (hasOutput(task.spec) && result === null) blame(view, 6, `${id} has ended well, and what it gave was not stored`);
}
