// What waits for people, gathered from the runs as they are seen. Reads only.

import type { GateId } from '../../model/core/ids.ts';
import { Fault } from '../../std/fault.ts';
import type { AskedView, InboxView } from '../../wire/ask-views.ts';
import type { RunView, TaskView } from '../../wire/views.ts';
import { allExhausted } from './budget-view.ts';
import { allReached } from './children-view.ts';

/** The oldest first. */
export function inboxOf(runs: readonly RunView[]): InboxView {
  const tasks = runs.flatMap((run) => run.tasks.map((task) => ({ run, task })));
  const asks = tasks.flatMap(({ run, task }) => task.asks.map((ask) => ({ ...ask, ...placeOf(run, task) })));
  const questions = tasks.flatMap(({ run, task }) =>
    task.question?.state === 'open' ? [{ ...task.question, ...placeOf(run, task) }] : [],
  );
  const consents = runs.flatMap((run) => run.consents.map((each) => ({ ...each, runId: run.id, run: run.name })));
  return {
    asks: asks.sort((a, b) => a.since - b.since),
    questions: [...questions, ...consents.filter(({ state }) => state === 'open')].sort((a, b) => a.since - b.since),
    budgets: allExhausted(runs),
    limits: allReached(runs),
  };
}

/** The last question about a task or about mail to another run, open or decided. */
export function questionIn(run: RunView, gateId: GateId): AskedView {
  for (const task of run.tasks) {
    if (task.question?.id === gateId) return { ...task.question, ...placeOf(run, task) };
  }
  const consent = run.consents.find(({ id }) => id === gateId);
  if (consent !== undefined) return { ...consent, runId: run.id, run: run.name };
  throw new Fault('not_found', `nobody waits for an answer to ${gateId}`);
}

function placeOf(run: RunView, task: TaskView): Pick<AskedView, 'runId' | 'run' | 'taskId' | 'task'> {
  return { runId: run.id, run: run.name, taskId: task.id, task: task.name };
}
