// The inbox: open asks, gathered from the views of runs. Read-only.

import type { AskId } from '../../model/core/ids.ts';
import { Fault } from '../../std/fault.ts';
import type { AskView, InboxView } from '../../wire/ask-views.ts';
import type { RunView } from '../../wire/views.ts';
import { allReached } from './children-view.ts';

/** The oldest first. The day's budget is one ask, however many runs wait for it. */
export function inboxOf(runs: readonly RunView[]): InboxView {
  const asks = new Map<string, AskView>();
  for (const ask of runs.flatMap(asksOf)) if (ask.state === 'open' && !asks.has(ask.id)) asks.set(ask.id, ask);
  return {
    asks: [...asks.values()].sort((a, b) => (a.since ?? 0) - (b.since ?? 0)),
    limits: allReached(runs),
  };
}

/** An open ask, or the last about its task or its messages to another run. */
export function askIn(run: RunView, askId: AskId): AskView {
  const ask = asksOf(run).find(({ id }) => id === askId);
  if (ask === undefined) throw new Fault('not_found', `nobody waits for an answer to ${askId}`);
  return ask;
}

function asksOf({ tasks, asks }: RunView): AskView[] {
  return [...tasks.flatMap((task) => task.asks), ...asks];
}
