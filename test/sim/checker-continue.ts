// Rules on attempts that go on with the agent and the work of the one before: only where that makes sense, and then always.

import type { Data } from './checker-data.ts';
import { type AttemptView, blame, type Scene, type TaskView } from './checker-scene.ts';

/** Reasons that the same conversation does not cure. */
const anew: ReadonlySet<string> = new Set(['context-overflow', 'refusal', 'conflict', 'contract']);

/** The attempt that a new one goes on with, by its event; null = it begins anew. */
export function formerOf(
  scene: Scene,
  task: TaskView,
  { attemptId, agentId = '', continues }: Data,
): AttemptView | null {
  const last = task.attempt;
  const may = last !== null && mayContinue(task, last);
  if (continues === undefined) {
    if (may) blame(scene, 8, `${attemptId} begins anew, and could go on with ${last?.id}`);
    if (scene.agents.has(agentId)) blame(scene, 2, `${attemptId} is given ${agentId}, who has an attempt already`);
    return null;
  }
  if (!may || last?.id !== continues) blame(scene, 2, `${attemptId} is to go on with ${continues}, which cannot be`);
  if (last?.agentId !== agentId) blame(scene, 2, `${attemptId} goes on with ${continues}, but not with its agent`);
  return last;
}

function mayContinue({ spec, forgiven }: TaskView, { n, state, verdict, session, saved }: AttemptView): boolean {
  if (spec.retry?.how !== 'continue' || spec.keeps === false || state !== 'ended') return false;
  if (n <= forgiven || verdict?.kind !== 'failed' || anew.has(verdict.failure?.reason ?? '')) return false;
  return session !== null && saved !== null;
}

/** Its own work, or what it left as it was of the work that it went on with. */
export function isWorkOf(contents: ReadonlySet<string>, { id, saved, base, former }: AttemptView): boolean {
  if (contents.has(id)) return true;
  return former !== null && saved?.commit === base && isWorkOf(contents, former);
}

/** All attempts whose work is in that of this one. */
export function chainOf(attempt: AttemptView): readonly string[] {
  return attempt.former === null ? [attempt.id] : [attempt.id, ...chainOf(attempt.former)];
}
