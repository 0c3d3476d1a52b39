// Views of agents spawned by agents: what they wait for, and reached limits. Derived on every request.

import { mayGoOn } from '../../model/asks/asks-alone.ts';
import { hasComeAbout } from '../../model/children/awaited.ts';
import { isResting } from '../../model/children/resting.ts';
import {
  type ChildLimit,
  type ChildLimits,
  childLimitRanges,
  childLimitsOf,
  limitOption,
  type ReachedLimit,
  usualChildLimits,
} from '../../model/core/child-limits.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { isIdle } from '../../model/lifecycle/standing.ts';
import type { InboxView } from '../../wire/ask-views.ts';
import type { LimitList, ReachedView } from '../../wire/children-views.ts';
import type { RunView } from '../../wire/views.ts';

/** Only of a running run: an ended one can reach no limit. */
export function viewReached(run: Run): ReachedView[] {
  if (run.state === 'ended') return [];
  return run.children.limitsNotified.map((reached) => {
    const { limit, max, taskId, at } = reached;
    const task = taskOf(run, taskId).spec.name;
    const key = `${run.spec?.id} ${limit} ${max}`;
    return { key, limit, max, taskId, task, since: at, words: reachedWords(run, reached, task) };
  });
}

function reachedWords({ spec }: Run, { limit, max }: ReachedLimit, task: string): string {
  const more = Math.min(2 * max, childLimitRanges[limit].max);
  const raise = more > max ? ` (raise it: signalbox limits ${spec?.id} --${limitOption(limit)} ${more})` : '';
  return `"${task}" reached a limit of the run: ${what[limit](max)}${raise}`;
}

export function viewLimits(run: Run): LimitList['limits'] {
  const now = childLimitsOf(run);
  return (Object.keys(usualChildLimits) as (keyof ChildLimits)[]).map((limit) => {
    const inUnits = (value: number): number => (limit === 'idleMs' || limit === 'shutdownMs' ? value / 1_000 : value);
    const reached = run.children.limitsNotified.some((each) => each.limit === limit);
    return {
      limit,
      option: limitOption(limit),
      max: inUnits(now[limit]),
      usual: inUnits(usualChildLimits[limit]),
      reached,
    };
  });
}

const what: Readonly<Record<ChildLimit, (max: number) => string>> = {
  depthMax: (max) => (max === 1 ? 'agents may not spawn agents' : `agents at most ${max} deep`),
  childrenMax: (max) => `${max} children of one agent at the same time`,
  agentsMax: (max) => `${max} spawned agents in total`,
  spawnsPerMinute: (max) => `${max} spawned agents per minute`,
  messagesPerMinute: (max) => `${max} messages of one agent per minute`,
  mailboxMax: (max) => `${max} unread messages of one agent`,
  mailboxCharsMax: (max) => `${max} unread characters of one agent`,
  hopsMax: (max) => `${max} messages in a chain of replies without other work`,
  teamsMax: (max) => `${max} teams`,
  teamItemsMax: (max) => `${max} items on the task list of a team`,
  teamCharsMax: (max) => `${max} characters on the task list of a team`,
};

/** Whether it resumes only after others act. A wait with a time limit resumes by itself. */
export function viewRests(run: Run, task: Task): boolean {
  const { attempt, children, mailbox } = task;
  if (attempt === null || !(attempt.parking.parked?.why.kind === 'waits' || isResting(run, attempt))) return false;
  if (mailbox.inbox.length > 0 || children.ids.some((id) => run.children.unnotified.has(id))) return false;
  // It has work and waits for a slot.
  if (attempt.parking.parked !== null && mayGoOn(run, task, attempt.parking.parked.why)) return false;
  const { waits } = attempt;
  return waits === null || (waits.until === null && (waits.tasks.length === 0 || !hasComeAbout(run, waits)));
}

/** The progress its agent reported; null once it is idle or has ended. */
export function viewTold(run: Run, task: Task): Task['children']['progress'] {
  return task.state === 'ended' || isIdle(run, task) ? null : task.children.progress;
}

export function allReached(runs: readonly RunView[]): InboxView['limits'] {
  return runs.flatMap(({ id, name, reached }) => reached.map((each) => ({ ...each, runId: id, run: name })));
}
