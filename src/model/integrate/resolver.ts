// The role of a resolver: an agent that did not do the work and merges it with integrated work. It is the run's own role
// `resolver`; a run without one uses the role of the task.

import { agentId } from '../core/ids.ts';
import { narrowed } from '../core/narrowed.ts';
import type { Run, Task } from '../core/run.ts';
import { type RoleSpec, resolverRole, type TaskSpec } from '../core/spec.ts';

/** null: there is no conflict to resolve, or the task's agent is the author of the work. */
export function resolverOf(run: Run, { attempt, integration: { conflict }, spec }: Task): RoleSpec | null {
  // A command cannot take a role.
  if (attempt === null || conflict === null || !spec.spends) return null;
  const isAuthor = attempt.agentId !== agentId(attempt.id) || conflict.commit === attempt.workspace.commit;
  return isAuthor ? null : roleOf(run, resolverRole);
}

/** The task's text with that role's prompt in place of its own role's. */
export function inRole(run: Run, task: Task, role: RoleSpec, words: string): string {
  const own = task.spec.role === null ? null : roleOf(run, task.spec.role);
  const before = own === null ? '' : beforeWords(own);
  return beforeWords(role) + (words.startsWith(before) ? words.slice(before.length) : words);
}

/** The role's model, and those of its tools that the task has. `fits`: whether the harness knows a setting. */
export function settingsIn(
  role: RoleSpec,
  spec: TaskSpec,
  fits: (name: string, value: string) => boolean,
): TaskSpec['settings'] {
  const fitting = Object.entries(role.settings).filter(([name, value]) => fits(name, value));
  return narrowed(spec, { ...spec.settings, ...Object.fromEntries(fitting) });
}

function roleOf(run: Run, name: string): RoleSpec | null {
  const roles = run.spec?.roles ?? {};
  return Object.hasOwn(roles, name) ? (roles[name] ?? null) : null;
}

function beforeWords({ prompt }: RoleSpec): string {
  return `${prompt.trim()}\n\n---\n\n`;
}
