// What people see of agents that ask for agents: what they wait for, and which limits they came up to. Derived at each look.

import { mayGoOn } from '../../model/asks/asking.ts';
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

/** Of a run that goes on: later nobody can come up to one. */
export function viewReached(run: Run): ReachedView[] {
  if (run.state === 'ended') return [];
  return run.limitsTold.map((reached) => {
    const { limit, max, taskId, at } = reached;
    const task = taskOf(run, taskId).spec.name;
    const key = `${run.spec?.id} ${limit} ${max}`;
    return { key, limit, max, taskId, task, since: at, words: reachedWords(run, reached, task) };
  });
}

function reachedWords({ spec }: Run, { limit, max }: ReachedLimit, task: string): string {
  const more = Math.min(2 * max, childLimitRanges[limit].max);
  const raise = more > max ? ` (more: signalbox limits ${spec?.id} --${limitOption(limit)} ${more})` : '';
  return `"${task}" came up to a limit of the run: ${what[limit](max)}${raise}`;
}

export function viewLimits(run: Run): LimitList['limits'] {
  const now = childLimitsOf(run);
  return (Object.keys(usualChildLimits) as (keyof ChildLimits)[]).map((limit) => {
    const inUnits = (value: number): number => (limit === 'idleMs' || limit === 'shutdownMs' ? value / 1_000 : value);
    const reached = run.limitsTold.some((each) => each.limit === limit);
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
  depthMax: (max) => (max === 1 ? 'nobody may ask for an agent' : `agents stand at most ${max} deep`),
  childrenMax: (max) => `${max} agents at once for one that asks for them`,
  agentsMax: (max) => `${max} agents asked for in all`,
  spawnsPerMinute: (max) => `${max} agents asked for in a minute`,
  messagesPerMinute: (max) => `${max} messages of one agent in a minute`,
  mailboxMax: (max) => `${max} messages that wait for one agent`,
  mailboxCharsMax: (max) => `${max} characters of messages that wait for one agent`,
  hopsMax: (max) => `${max} messages that lead to one another without other work`,
  teamsMax: (max) => `${max} teams`,
  teamItemsMax: (max) => `${max} items on the list of a team`,
  teamCharsMax: (max) => `${max} characters on the list of a team`,
};

/** Whether it goes on when others have done something, and not before. One that waits for a time at most goes on by itself. */
export function viewRests(run: Run, task: Task): boolean {
  const { attempt, children, inbox } = task;
  if (attempt === null || !(attempt.parking.parked?.why.kind === 'waits' || isResting(run, attempt))) return false;
  if (inbox.length > 0 || children.some((id) => run.untold.has(id))) return false;
  // It has something to do, and waits for a slot.
  if (attempt.parking.parked !== null && mayGoOn(run, task, attempt.parking.parked.why)) return false;
  const { waits } = attempt;
  return waits === null || (waits.until === null && (waits.tasks.length === 0 || !hasComeAbout(run, waits)));
}

/** How far its agent says that it is. Of one that has nothing to do, or has ended, that was before. */
export function viewTold(run: Run, task: Task): Task['progress'] {
  return task.state === 'ended' || isIdle(run, task) ? null : task.progress;
}

export function allReached(runs: readonly RunView[]): InboxView['limits'] {
  return runs.flatMap(({ id, name, reached }) => reached.map((each) => ({ ...each, runId: id, run: name })));
}
