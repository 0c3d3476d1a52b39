// Rules on attempts that go on with the agent and the work of the one before: only where that makes sense, and then always.

import type { AttemptView } from '../view/attempt-view.ts';
import type { Data } from '../view/event-data.ts';
import type { TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

/** Reasons for which the same session does not help. */
const anew: ReadonlySet<string> = new Set(['context-overflow', 'refusal', 'conflict', 'contract']);

/** The attempt that a new one continues, by its event; null = it begins from scratch. */
export function formerOf(
  view: View,
  task: TaskView,
  { attemptId, agentId = '', continues, onHead = false }: Data,
): AttemptView | null {
  const last = task.attempt;
  const isTakenUp = task.steered.length > 0 || (task.spawning.resumes && (last?.session ?? null) !== null);
  const right = last === null ? null : isTakenUp ? steersTo(last) : continuesWith(task, last);
  task.steered = [];
  task.spawning.resumes = false;
  if (continues === undefined) {
    if (right !== null) blame(view, 8, `${attemptId} begins anew, and could go on with ${last?.id}`);
    if (view.agents.has(agentId)) blame(view, 2, `${attemptId} is given ${agentId}, who has an attempt already`);
    return null;
  }
  if (right === null || last?.id !== continues) {
    blame(view, 2, `${attemptId} is to go on with ${continues}, which cannot be`);
  } else if (onHead !== (right === 'head')) {
    const wrong = onHead ? 'from the head of the branch' : 'with the work that did not fit';
    blame(view, 7, `${attemptId} goes on with ${continues}, but ${wrong}`);
  }
  if (last?.agentId !== agentId) blame(view, 2, `${attemptId} goes on with ${continues}, but not with its agent`);
  return last;
}

/** With its agent and its work, or with its agent alone. */
function continuesWith({ spec, forgiven }: TaskView, attempt: AttemptView): 'work' | 'head' | null {
  const { n, verdict, back } = attempt;
  if (!isRemembered(attempt) || n <= forgiven) return null;
  if (back !== null) return back;
  return spec.retry?.how === 'continue' && !anew.has(verdict?.failure?.reason ?? '') ? 'work' : null;
}

/** From the branch where its work is there already, or was never kept. */
function steersTo({ task: { run, spec }, verdict, saved }: AttemptView): 'work' | 'head' {
  const integrated = run.integrates && verdict?.kind === 'ok';
  return integrated || spec.keeps === false || saved === null ? 'head' : 'work';
}

/** A person has something to say to an agent whose task has ended, or is ending by a person's word. */
export function steerTask(view: View, task: TaskView, { recordId = 'undefined' }: Data): void {
  const { attempt, run, steered } = task;
  if (run.state !== 'running') blame(view, 2, `${task.id} is to go on while its run is ${run.state}`);
  if (attempt === null || attempt.session === null) {
    return blame(view, 2, `${task.id} is to go on, and nobody remembers it`);
  }
  const isEnding = attempt.stop === 'stopped' || ['saving', 'proving', 'integrating'].includes(attempt.state);
  if (task.state === 'active' && !isEnding)
    blame(view, 2, `${recordId} waits for an end of ${attempt.id} that nobody wants`);
  if (view.accepted.steered.has(recordId)) blame(view, 5, `${recordId} is to be said twice`);
  view.accepted.steered.add(recordId);
  task.steered = [...steered, recordId];
  task.forgiven = task.attempts;
  task.conflicts = 0;
  task.sentBack = 0;
  task.conflict = null;
}

/** Its author can be asked to mend it. */
function isRemembered({ task: { spec }, state, verdict, session, saved }: AttemptView): boolean {
  return spec.keeps !== false && state === 'ended' && verdict?.kind === 'failed' && session !== null && saved !== null;
}

/** An attempt has ended: whether its author is to mend what is missing, or to make it fit. */
export function sendBack(attempt: AttemptView): void {
  const { task, verdict } = attempt;
  const { sendBacksMax = 0 } = task.spec.retry ?? {};
  const reason = verdict?.failure?.reason;
  if (!isRemembered(attempt) || task.run.state !== 'running') return;
  if (reason === 'conflict' && task.conflicts === 1 && sendBacksMax > 0) attempt.back = 'head';
  if (reason !== 'check-failed' && reason !== 'out-of-scope') return;
  if (task.sentBack >= sendBacksMax) return;
  attempt.back = 'work';
  task.sentBack += 1;
}

/** Its own work, or what it left as it was of the work that it went on with. */
export function isWorkOf(contents: ReadonlySet<string>, { id, saved, base, formerWork }: AttemptView): boolean {
  if (contents.has(id)) return true;
  return formerWork !== null && saved?.commit === base && isWorkOf(contents, formerWork);
}

/** All attempts whose work is in that of this one. */
export function chainOf(attempt: AttemptView): readonly string[] {
  return attempt.formerWork === null ? [attempt.id] : [attempt.id, ...chainOf(attempt.formerWork)];
}
