// Rules on what agents really use, compared with the journal: no agent makes more than one further request after a budget is
// exhausted, every agent under a budget has a brake, and all usage is booked once.

import type { WorldEntry } from '../../world/world-entries.ts';
import type { AttemptView, LaunchView, RecordView } from '../view/attempt-view.ts';
import type { Data } from '../view/event-data.ts';
import { blame, type ProcessView, type View } from '../view/view.ts';
import { add, type PartData } from './amounts.ts';
import { isBraked, usedUp } from './budget-rules.ts';

type Spent = Extract<WorldEntry, { kind: 'requested' | 'kept' | 'refused' | 'ignored' }>;

export function spentInWorld(view: View, process: ProcessView, entry: Spent): void {
  const attempt = view.attempts.get(process.attemptId);
  if (attempt === undefined) return;
  const { pause } = attempt;
  switch (entry.kind) {
    case 'requested':
      add(pause.asked, partOf(entry));
      return requested(view, process, attempt);
    case 'kept':
      return add(pause.kept, partOf(entry));
    case 'ignored':
      pause.ignored += 1;
      return;
    case 'refused':
  }
}

/** A request that was allowed before the budget was exhausted may come after it; the next one is not allowed. */
function requested(view: View, process: ProcessView, { id, task, pause }: AttemptView): void {
  const lack = process.braked ? usedUp(view, task, null) : null;
  if (lack === null) {
    pause.over = 0;
    pause.ignored = 0;
    return;
  }
  pause.over += 1;
  if (pause.over <= 1 + pause.ignored) return;
  blame(view, 7, `${id} asked the model ${pause.over} times after ${lack.what} of ${lack.scope} was used up`);
}

/** Of what was said to it while there was something left; it asks once in each such turn, and is not let go on. */
export function beginsTurn(view: View, { attemptId }: ProcessView): void {
  const pause = view.attempts.get(attemptId)?.pause;
  if (pause !== undefined) pause.over = 0;
}

function partOf(spent: Extract<Spent, { kind: 'requested' | 'kept' }>): PartData {
  const { input, output, read, written, costMicroUsd } = spent;
  const tokens = { inputTokens: input, outputTokens: output, cacheReadTokens: read, cacheWriteTokens: written };
  return { model: null, usage: { ...tokens, costMicroUsd, turns: 1 } };
}

/** A process is down: in the books is what its agent used by its own record, and nothing that it did not use. */
export function checkTruth(view: View, { id, pause: { asked, kept, booked } }: AttemptView): void {
  for (const what of ['tokens', 'turns'] as const) {
    if (booked[what] < kept[what] || booked[what] > asked[what])
      blame(view, 1, `${id} used ${asked[what]} of ${what}, in the books are ${booked[what]}`);
  }
  if (kept.unknown > 0) {
    if (booked.unknown === 0) blame(view, 9, `${id} used something at an unknown cost, and the books know it`);
  } else if (booked.unknown === 0 && kept.turns === asked.turns && kept.microUsd !== booked.microUsd) {
    blame(view, 1, `${id} cost ${kept.microUsd} millionths, in the books are ${booked.microUsd}`);
  }
}

/** Its first record makes it ask between two requests. */
export function openedWith(process: ProcessView): void {
  process.braked = true;
}

/** Something is said to it: by now it asks, if a budget held for it when it was launched. */
export function checkSpokenTo(view: View, launch: LaunchView, process: ProcessView, message: RecordView): void {
  const { task, pause } = launch.attempt;
  if (launch.brakeDue && isBraked(view, task) && !process.braked) {
    blame(view, 7, `${launch.id} is under a budget and does not ask before it goes on`);
  }
  const { held } = pause;
  if (held === null || held.changes !== task.run.budgetChanges || message.order < held.records) return;
  const lack = usedUp(view, task, null);
  if (lack !== null)
    blame(view, 7, `${launch.id} is told ${message.id} although ${lack.what} of ${lack.scope} is used up`);
}

/** From now on nothing may be said to it that begins a turn, if nothing is left for one. */
export function holdInput(view: View, { task, pause, records }: AttemptView, isNew: boolean): void {
  const lack = usedUp(view, task, null);
  pause.held = lack === null ? null : { changes: task.run.budgetChanges, records: isNew ? 0 : records.length };
}

/** The answer to an agent that asks whether it may go on. */
export function answerRound(view: View, attempt: AttemptView, at: number, body: NonNullable<Data['body']>): void {
  const { id, pause, task, spawning } = attempt;
  attempt.heard.rounds.push(body.requestId ?? 'undefined');
  const lack = usedUp(view, task, at);
  if (body.goOn !== true) {
    if (!pause.braked && spawning.waits === null)
      blame(view, 8, `${id} is told not to go on, and nothing stands in its way`);
  } else if (lack !== null) blame(view, 7, `${id} is let go on although ${lack.what} of ${lack.scope} is used up`);
  else if (spawning.waits !== null) blame(view, 8, `${id} is let go on although it waits`);
  else if (pause.braked) blame(view, 7, `${id} is let go on although it is braked`);
  // The budget is no longer exhausted: an unknown cost became known, or a person has set more.
  else pause.over = 0;
}
