// Rules on waits with a time limit: who waits so goes on at that time, beyond its limits where it must, and within bounds.

import type { AttemptView, PauseView } from '../view/attempt-view.ts';
import { blame, type HostView, type View } from '../view/view.ts';

/** With those that go on by the clock, so many times the agents that a limit allows may be at work. */
const overCommit = 2;

/** Whether a wait had a time limit that has passed, or whose beginning lies in the future. */
export function isOverdue({ parked }: PauseView, at: number): boolean {
  if (parked === null || parked.until === null || parked.kind !== 'waits') return false;
  return at >= parked.until || at < parked.at;
}

/** How many a limit allows beside an attempt that goes on. */
export function allowedFor({ pause }: AttemptView, max: number): number {
  return pause.overdue ? overCommit * max : max;
}

/** It goes on: no later than it had to, where nothing but other agents could stand in its way. */
export function checkOnTime(view: View, attempt: AttemptView, at: number): void {
  const { id, pause, task, host: name } = attempt;
  const { parked } = pause;
  const host = view.hosts.get(`host/${name}`);
  if (parked === null || parked.until === null || host === undefined || !isOverdue(pause, at)) return;
  const due = Math.max(parked.until, parked.at);
  if (!view.healed || due < (view.healedAt ?? 0) || parked.at < (view.healedAt ?? 0)) return;
  if (!isFree(attempt, host) || host.held.size >= overCommit * host.slots - 1) return;
  if (task.run.live >= overCommit * task.run.parallelMax - 1 || Object.keys(task.run.harnessMax).length > 0) return;
  if (at - due > slackMs) blame(view, 8, `${id} goes on ${at - due} ms after the time that it wanted to wait`);
}

const slackMs = 2_000;

/** Neither a budget nor a service keeps it. */
function isFree({ task }: AttemptView, { lines, dayBudget }: HostView): boolean {
  if (task.run.wasPaused) return false;
  if (lines.size > 0 || Object.keys(dayBudget).length > 0 || task.run.budget !== null) return false;
  return task.run.tasks.every(({ budget, spec }) => budget === null && (spec.treeBudget ?? null) === null);
}
