// What people are notified of: a question, a failure, an exhausted budget or a reached limit, the end of a run. Raised in the
// append of the event that it is about and kept with the host until it is sent, so that a crash loses none.

import type { RunEventBody } from '../core/events.ts';
import type { RunId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { Host } from '../host/host.ts';
import { scopeName } from '../spending/budget.ts';

export interface Notice {
  /** The same thing always has the same key. */
  readonly key: string;
  readonly runId: RunId;
}

export type NoticeEvent =
  | ({ readonly type: 'notice.raised' } & Notice)
  /** It was sent, or was out of date. `flaw`: why sending failed. */
  | { readonly type: 'notice.sent'; readonly key: string; readonly flaw?: string };

/** The oldest beyond this number are dropped. */
const noticesMax = 1_000;

export interface NoticeMoment {
  readonly host: Host;
  readonly now: number;
  readonly day: string;
}

/** The notice that an event raises; null = none. Called after the event was folded into the run. */
export function noticeOf(run: Run, event: RunEventBody, { host, now, day }: NoticeMoment): Notice | null {
  const runId = run.spec?.id;
  const key = runId === undefined ? null : keyOf(runId, event, { host, now, day });
  if (key === null || runId === undefined || host.notices.has(key) || host.notices.size >= noticesMax) return null;
  return { key, runId };
}

function keyOf(runId: RunId, event: RunEventBody, { host, now, day }: NoticeMoment): string | null {
  switch (event.type) {
    case 'ask.opened':
      if (event.kind === 'budget') return `budget ${runId} ${scopeName(event.scope)} ${now}`;
      return `asks ${event.askId}`;
    case 'budget.day':
      return event.exhausted === null ? null : newDay(host, `budget ${dayKey(host, day)}`);
    case 'limit.reached':
      return `limit ${runId} ${event.limit} ${event.max}`;
    case 'task.ended':
      return event.outcome.kind === 'failed' ? `failed ${event.taskId} ${now}` : null;
    case 'run.ended':
      return `ended ${runId} ${now}`;
    default:
      return null;
  }
}

function newDay({ dayNotice }: Host, key: string): string | null {
  return dayNotice === key ? null : key;
}

/** All runs share the day's budget; a changed budget gets another key. */
export function dayKey({ dayBudget }: Host, day: string): string {
  return `day ${day} ${JSON.stringify(dayBudget)}`;
}

export function evolveNotice(host: Host, event: NoticeEvent): void {
  if (event.type === 'notice.sent') host.notices.delete(event.key);
  else host.notices.set(event.key, { key: event.key, runId: event.runId });
  if (event.type === 'notice.raised' && event.key.startsWith('budget day ')) host.dayNotice = event.key;
  const [, askId, n] = /^asks (\S+) #(\d+)$/.exec(event.key) ?? [];
  if (event.type === 'notice.raised' && askId !== undefined) remember(host, askId, Number(n));
}

/** The last reminder of each ask; the oldest are dropped. */
function remember(host: Host, askId: string, n: number): void {
  const { [askId]: _, ...others } = host.reminded;
  const kept = Object.entries(others).slice(-noticesMax);
  host.reminded = { ...Object.fromEntries(kept), [askId]: n };
}
