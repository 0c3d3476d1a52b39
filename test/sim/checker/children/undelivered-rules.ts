// Rules on messages that will not be read: their task has ended, and the sender is told once, if its own task has not.

import type { AttemptView } from '../view/attempt-view.ts';
import { agentChildren, type MessageView } from '../view/children-view.ts';
import type { Data } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

/** What its sender is owed a report of, with the same commit. */
export interface OwedReport {
  readonly about: TaskView;
  readonly to: TaskView;
  readonly messages: readonly string[];
}

export function giveUpMessages(view: View, run: RunView, { taskId = '', messages = [] }: Data): void {
  const task = view.tasks.get(taskId);
  if (task?.run !== run || task.state !== 'ended')
    return blame(view, 5, `messages to ${taskId} are given up, and it has not ended`);
  const found = task.spawning.inbox.filter(({ id }) => messages.includes(id));
  if (found.length === 0 || found.length !== messages.length)
    blame(view, 5, `${messages.join()} to ${taskId} are given up, which do not wait for it`);
  const senders = new Set(found.map((message) => senderOf(view, message)));
  const [to = null] = senders;
  if (senders.size > 1 || to === null || to.state === 'ended')
    return blame(view, 5, `${messages.join()} to ${taskId} are given up, and nobody can be told`);
  for (const message of found) task.spawning.inbox.splice(task.spawning.inbox.indexOf(message), 1);
  run.spawning.owed.push({ about: task, to, messages });
}

function senderOf({ agents }: View, { data }: MessageView): TaskView | null {
  if (data.kind !== 'message' || data.trust !== 'agent') return null;
  return agents.get(data.from ?? '')?.task ?? null;
}

/** Whether a message of Signalbox's is such a report; it names what is owed, and ends that. */
export function isReport(view: View, { id, data, to }: MessageView): boolean {
  if (data.type !== 'not-delivered') return false;
  const { owed } = to.run.spawning;
  const at = owed.findIndex((each) => each.to === to && each.about.id === data.about);
  const [report] = at < 0 ? [] : owed.splice(at, 1);
  if (report === undefined) blame(view, 5, `${id} reports to ${to.id} what was not given up`);
  const named = report?.messages.slice(0, 10).filter((message) => !data.text.includes(`${message}: `)) ?? [];
  if (named.length > 0) blame(view, 5, `${id} does not name ${named.join()}`);
  return true;
}

export function checkAllReported(view: View, { id, spawning }: RunView): void {
  for (const { to, messages } of spawning.owed)
    blame(view, 8, `${id}: ${to.id} is not told that ${messages.join()} is given up`);
  spawning.owed.length = 0;
}

/** Its turn ended a good while after a task that had its unread messages: it was told by then. */
export function checkReportedTo(view: View, { id, task, agentId, spawning }: AttemptView): void {
  if (!view.healed || agentChildren(view, agentId).sentAt.length === 0) return;
  for (const other of task.run.tasks) {
    const { inbox, endedAt } = other.spawning;
    if (other.state !== 'ended' || endedAt === null || endedAt < (view.healedAt ?? 0)) continue;
    const unread = inbox.find(({ data }) => data.from === agentId && data.kind === 'message');
    if (unread !== undefined && spawning.turnEndedAt - endedAt > slackMs)
      blame(view, 8, `${id} is finished well and was never told that ${unread.id} is not delivered`);
  }
}

const slackMs = 2_000;
