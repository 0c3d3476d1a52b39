// Rules on notices: each is raised with its event, once, and sent before it counts as sent.

import type { Data } from '../view/event-data.ts';
import { blame, type View } from '../view/view.ts';

/** What this event of a run has to raise in the same commit. */
export function noticeDue(view: View, stream: string, type: string, at: number, data: Data): void {
  if (type === 'ask.opened' && data.kind !== 'budget') view.noticesDue.add(`asks ${data.askId}`);
  if (type === 'run.ended') view.noticesDue.add(`ended ${stream} ${at}`);
  const { outcome, taskId } = data;
  const failed = type === 'task.ended' && typeof outcome === 'object' && outcome.kind === 'failed';
  if (failed) view.noticesDue.add(`failed ${taskId} ${at}`);
}

export function noticeEvent(view: View, type: string, key = 'undefined'): void {
  const state = view.notices.get(key);
  if (type === 'notice.raised') {
    if (state === 'raised') blame(view, 7, `"${key}" is raised twice`);
    view.notices.set(key, 'raised');
    view.noticesDue.delete(key);
    return;
  }
  if (state !== 'raised') blame(view, 7, `"${key}" counts as sent, and was ${state ?? 'never raised'}`);
  if (!view.notified.has(key)) blame(view, 7, `"${key}" counts as sent, and nobody was notified`);
  view.notices.set(key, 'sent');
}

export function checkNotices(view: View): void {
  for (const key of view.noticesDue) blame(view, 8, `nobody will be notified of "${key}"`);
  view.noticesDue.clear();
}

/** At the end: no notice is left to send. */
export function checkAllSent(view: View): void {
  for (const [key, state] of view.notices) {
    if (state === 'raised') blame(view, 8, `all is at rest and "${key}" was not sent`);
  }
}
