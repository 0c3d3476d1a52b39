// Reminders of unanswered asks: one for each period that a person has set, counted from when it was asked.

import type { Run } from '../core/run.ts';
import type { Host } from '../host/host.ts';
import type { Notice } from './notices.ts';

/** The reminders that are due now. After a time without a daemon there is one, not one for each period that passed. */
export function dueReminders(host: Host, runs: Iterable<Run>, now: number, everyMs: number): Notice[] {
  const due: Notice[] = [];
  for (const { runId, askId, openedAt } of waiting(runs)) {
    const n = Math.floor((now - openedAt) / everyMs);
    const isUntold = [...host.notices.keys()].some(
      (key) => key === `asks ${askId}` || key.startsWith(`asks ${askId} #`),
    );
    if (n > (host.reminded[askId] ?? 0) && !isUntold) due.push({ key: `asks ${askId} #${n}`, runId });
  }
  return due;
}

/** When the next one is due; null = nothing waits for a person. */
export function nextReminder(runs: Iterable<Run>, now: number, everyMs: number): number | null {
  let next: number | null = null;
  for (const { openedAt } of waiting(runs)) {
    const at = openedAt + (Math.floor(Math.max(0, now - openedAt) / everyMs) + 1) * everyMs;
    if (next === null || at < next) next = at;
  }
  return next;
}

/** The key of the notice that a reminder repeats. */
export function remindedKey(key: string): string {
  return key.replace(/ #\d+$/, '');
}

/** Budgets wait for money, not for an answer. */
function* waiting(runs: Iterable<Run>): Iterable<{ runId: Notice['runId']; askId: string; openedAt: number }> {
  for (const { spec, state, openAsks } of runs) {
    if (spec === null || state === 'ended') continue;
    for (const { id: askId, kind, openedAt } of openAsks.values())
      if (kind !== 'budget') yield { runId: spec.id, askId, openedAt };
  }
}
