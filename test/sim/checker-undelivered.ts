// Rules on messages that nobody will read: their task has ended, and the agent that wrote them is told once, if its own has not.

import { agentCrew, type LetterView } from './checker-children-view.ts';
import type { Data } from './checker-data.ts';
import { type AttemptView, blame, type RunView, type Scene, type TaskView } from './checker-state.ts';

/** What its sender is owed a report of, with the same commit. */
export interface OwedReport {
  readonly about: TaskView;
  readonly to: TaskView;
  readonly letters: readonly string[];
}

export function giveUpLetters(scene: Scene, run: RunView, { taskId = '', letters = [] }: Data): void {
  const task = scene.tasks.get(taskId);
  if (task?.run !== run || task.state !== 'settled')
    return blame(scene, 5, `messages to ${taskId} are given up, and it has not ended`);
  const found = task.crew.inbox.filter(({ id }) => letters.includes(id));
  if (found.length === 0 || found.length !== letters.length)
    blame(scene, 5, `${letters.join()} to ${taskId} are given up, which do not wait for it`);
  const senders = new Set(found.map((letter) => senderOf(scene, letter)));
  const [to = null] = senders;
  if (senders.size > 1 || to === null || to.state === 'settled')
    return blame(scene, 5, `${letters.join()} to ${taskId} are given up, and nobody can be told`);
  for (const letter of found) task.crew.inbox.splice(task.crew.inbox.indexOf(letter), 1);
  run.crew.owed.push({ about: task, to, letters });
}

function senderOf({ agents }: Scene, { data }: LetterView): TaskView | null {
  if (data.kind !== 'message' || data.trust !== 'agent') return null;
  return agents.get(data.from ?? '')?.task ?? null;
}

/** Whether a letter of Signalbox's is such a report; it names what is owed, and settles that. */
export function isReport(scene: Scene, { id, data, to }: LetterView): boolean {
  if (data.type !== 'not-delivered') return false;
  const { owed } = to.run.crew;
  const at = owed.findIndex((each) => each.to === to && each.about.id === data.about);
  const [report] = at < 0 ? [] : owed.splice(at, 1);
  if (report === undefined) blame(scene, 5, `${id} reports to ${to.id} what was not given up`);
  const named = report?.letters.slice(0, 10).filter((letter) => !data.text.includes(`${letter}: `)) ?? [];
  if (named.length > 0) blame(scene, 5, `${id} does not name ${named.join()}`);
  return true;
}

export function checkAllReported(scene: Scene, { id, crew }: RunView): void {
  for (const { to, letters } of crew.owed)
    blame(scene, 8, `${id}: ${to.id} is not told that ${letters.join()} is given up`);
  crew.owed.length = 0;
}

/** Its turn ended a good while after a task did that had messages of it: it was told by then. */
export function checkReportedTo(scene: Scene, { id, task, agentId, crew }: AttemptView): void {
  if (!scene.healed || agentCrew(scene, agentId).sentAt.length === 0) return;
  for (const other of task.run.tasks) {
    const { inbox, endedAt } = other.crew;
    if (other.state !== 'settled' || endedAt === null || endedAt < (scene.healedAt ?? 0)) continue;
    const unread = inbox.find(({ data }) => data.from === agentId && data.kind === 'message');
    if (unread !== undefined && crew.turnEndedAt - endedAt > slackMs)
      blame(scene, 8, `${id} is finished well and was never told that ${unread.id} is not delivered`);
  }
}

const slackMs = 2_000;
