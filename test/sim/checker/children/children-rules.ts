// Rules on tool calls and agents that coordinate agents: a call does what its answer says and does it once, a waiting agent can
// be woken, limits hold, and no agent holds what another does.

import type { AttemptView } from '../view/attempt-view.ts';
import { agentChildren, isAbove, lately, liveAttempt, restsFor } from '../view/children-view.ts';
import type { Data } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';
import { takeMessages } from './message-rules.ts';
import { checkTeamCall } from './team-rules.ts';
import { checkReportedTo } from './undelivered-rules.ts';
import { circleFrom, hasEnded } from './waits-for.ts';
import { pathsOf } from './written-paths.ts';

export const childrenTypes: ReadonlySet<string> = new Set([
  'call.answered',
  'message.taken',
  'attempt.waiting',
  'paths.claimed',
  'progress.reported',
  'limit.reached',
  'limits.set',
]);

export function childrenEvent(view: View, run: RunView, type: string, at: number, data: Data): void {
  if (type === 'limits.set') return setLimits(view, run, data);
  const task = view.tasks.get(data.taskId ?? '');
  const attempt = view.attempts.get(data.attemptId ?? '') ?? task?.attempt ?? null;
  if (attempt === null || attempt.task.run !== run)
    return blame(view, 2, `${type} names nobody who is known in ${run.id}`);
  if (attempt.state !== 'running') return outOfPlace(view, attempt, type);
  switch (type) {
    case 'call.answered':
      return answered(view, attempt, data);
    case 'limit.reached':
      if (run.spawning.told.has(String(data.limit)))
        blame(view, 8, `people are told twice that ${data.limit} is reached`);
      run.spawning.told.add(String(data.limit));
      return;
    case 'message.taken':
      takeMessages(view, attempt, data.messages ?? []);
      break;
    case 'attempt.waiting':
      wait(view, attempt, at, data);
      break;
    case 'paths.claimed':
      claim(view, attempt, data);
      // An agent that comes to rest gives back its claims.
      if (attempt.turn === 'ok' && data.paths?.length === 0) return;
      break;
  }
  attempt.spawning.doings.push(type);
}

/** From now on; an agent that reaches the new limit is reported again. */
function setLimits(view: View, { id, state, spawning }: RunView, { limits = {} }: Data): void {
  view.traces.setLimits += 1;
  if (state === 'ended') blame(view, 2, `limits of ${id} are set, which has ended`);
  spawning.limits = { ...spawning.limits, ...limits };
  for (const limit of Object.keys(limits)) spawning.told.delete(limit);
}

/** Of a call that went well: what it does. */
const doingsOf: Readonly<Record<string, RegExp>> = {
  spawn_agent: /^task\.added(,team\.joined)?$/,
  send_message: /^(message\.sent(,message\.sent)*|team\.shutdownAnswered(,message\.sent)?)$/,
  wait: /^(attempt\.waiting)?$/,
  ask_person: /^ask\.opened,attempt\.waiting$/,
  claim_paths: /^paths\.claimed$/,
  release_paths: /^paths\.claimed$/,
  report_progress: /^progress\.reported$/,
  read_inbox: /^(message\.taken)?$/,
  team_create: /^team\.created$/,
  team_delete: /^team\.deleted$/,
  team_tasks: /^(team\.itemsAdded)?(,?team\.itemDone)*(,?team\.itemGivenBack)*$/,
  claim_task: /^(team\.itemClaimed)?$/,
};

/** While there are members they are asked to end. */
const refusedDelete = /^(team\.forced)?,?(team\.shutdownAsked)?$/;

/** Repeated calls of these are answered from the present state. */
const reading: ReadonlySet<string> = new Set(['get_task', 'list_tasks', 'read_output', 'team_list']);

function answered(view: View, attempt: AttemptView, data: Data): void {
  const { callId = 'undefined', tool = 'undefined', isError = false, text = '' } = data;
  const { doings } = attempt.spawning;
  const agent = agentChildren(view, attempt.agentId);
  const key = `${callId} ${tool}`;
  if (data.agentId !== attempt.agentId) blame(view, 2, `${callId} is answered to ${data.agentId}, not to its agent`);
  if (agent.calls.has(key) && !reading.has(tool)) blame(view, 7, `${callId} of ${attempt.id} is carried out twice`);
  const failed = tool === 'team_delete' ? refusedDelete : /^$/;
  const right = isError ? failed : (doingsOf[tool] ?? /^$/);
  if (!right.test(doings.join()))
    blame(view, 7, `${tool} (${callId}) of ${attempt.id} did ${doings.join() || 'nothing'}, not ${right.source}`);
  checkTeamCall(view, attempt, data);
  doings.length = 0;
  attempt.spawning.sentTo = [];
  agent.calls.set(key, { text, isError });
  attempt.heard.answered.push(callId);
}

/** Every call that was read by now was recorded as one. */
export function checkNoneUndone(view: View, { id, spawning }: AttemptView): void {
  if (spawning.doings.length > 0) blame(view, 7, `${spawning.doings.join()} of ${id} is by no call that it made`);
  spawning.doings.length = 0;
}

function wait(view: View, attempt: AttemptView, at: number, { waits }: Data): void {
  const { id, task, spawning } = attempt;
  if (waits === undefined) return outOfPlace(view, attempt, 'attempt.waiting');
  if (waits.askId === null) {
    const awaited = waits.tasks.flatMap((each) => view.tasks.get(each) ?? []);
    if (awaited.length !== waits.tasks.length || awaited.some(({ run }) => run !== task.run))
      blame(view, 2, `${id} waits for what is not there`);
    if (hasEnded(view, waits)) blame(view, 8, `${id} waits for what has come about`);
    const circles = awaited.map((each) => circleFrom(view, each, task));
    const circle = circles.find((each) => each !== null);
    if (circle && (waits.mode === 'all' || !circles.includes(null)))
      blame(view, 8, `${id} waits for itself: ${circle.join(' → ')}`);
  } else if (task.ask?.id !== waits.askId) blame(view, 2, `${id} waits for an answer that nobody is asked for`);
  spawning.waits = waits.until !== null && waits.until < at ? { ...waits, until: at } : waits;
}

/** Its claims are within its own paths, and no other agent at work holds them. */
function claim(view: View, attempt: AttemptView, { paths = [] }: Data): void {
  const { id, task, spawning } = attempt;
  const fresh = paths.filter((path) => !spawning.claims.includes(path));
  const own = task.spec.writes === null ? null : pathsOf(task.spec.writes);
  for (const path of pathsOf(fresh)) {
    if (own !== null && !own.includes(path)) blame(view, 7, `${id} claims ${path}, which it may not change`);
    const holder = task.run.tasks.find((other) => other !== task && holds(other, task, path));
    if (holder !== undefined) blame(view, 7, `${id} claims ${path}, which ${holder.id} holds`);
  }
  spawning.claims = paths;
}

function holds(holder: TaskView, other: TaskView, path: string): boolean {
  const attempt = liveAttempt(holder);
  if (attempt === null) return false;
  if (pathsOf(attempt.spawning.claims).includes(path)) return true;
  return !isAbove(holder, other) && pathsOf(holder.spec.writes).includes(path);
}

/** A child: spawned by an agent at work, within its limits, and with no more than its parent has. */
export function checkSpawn(view: View, asker: TaskView, child: TaskView, at: number): void {
  const { run, spec, id } = child;
  const attempt = liveAttempt(asker);
  if (attempt?.state !== 'running') return blame(view, 7, `${id} is asked for by ${asker.id}, who is not at work`);
  attempt.spawning.doings.push('task.added');
  if (run.state !== 'running') blame(view, 7, `${id} is asked for while ${run.id} is ${run.state}`);
  const { limits } = run.spawning;
  const over = (what: string, count: number): void => {
    if (count > (limits[what] ?? usual[what] ?? 0))
      blame(view, 7, `with ${id} ${what} is passed: ${count} of ${limits[what]}`);
  };
  let depth = 1;
  for (let above = child.spawning.asker; above !== null; above = above.spawning.asker) depth += 1;
  over('depthMax', depth);
  over('childrenMax', asker.spawning.children.filter(({ state }) => state !== 'ended').length);
  const agents = [...view.agents.values()].filter(
    ({ task }) => task.run === run && task.spawning.asker !== null,
  ).length;
  const without = run.tasks.filter((each) => each.spawning.asker !== null && each.attempts === 0);
  over('agentsMax', agents + without.length);
  const agent = agentChildren(view, attempt.agentId);
  agent.spawnedAt = lately(agent.spawnedAt, at);
  over('spawnsPerMinute', agent.spawnedAt.length);
  if (asker.spec.writes !== null) {
    const own = pathsOf(asker.spec.writes);
    const wider = spec.writes === null ? 'anything' : pathsOf(spec.writes).find((path) => !own.includes(path));
    if (wider !== undefined) blame(view, 7, `${id} may change ${wider}, which ${asker.id} may not`);
  }
  for (const what of ['tokens', 'microUsd', 'turns', 'timeMs'] as const) {
    if ((child.budget?.[what] ?? 0) > (asker.budget?.[what] ?? Number.POSITIVE_INFINITY))
      blame(view, 7, `${id} may spend more ${what} than ${asker.id}`);
  }
}

const usual: Readonly<Record<string, number>> = { depthMax: 4, childrenMax: 50, agentsMax: 200, spawnsPerMinute: 60 };

/** It finished well: none of its children is open and none of its messages unread. */
export function checkNothingLeft(view: View, attempt: AttemptView): void {
  const { id, task } = attempt;
  const open = task.spawning.children.find(({ state }) => state !== 'ended');
  if (open !== undefined) blame(view, 3, `${id} is finished well while ${open.id}, which it asked for, has not ended`);
  const unnotified = task.spawning.children.find(({ spawning }) => !spawning.told);
  if (unnotified !== undefined) blame(view, 8, `${id} is finished well and was never told how ${unnotified.id} ended`);
  const unread = task.spawning.inbox.find(({ data }) => data.kind !== 'message');
  if (unread !== undefined) blame(view, 8, `${id} is finished well and was never given ${unread.id}`);
  checkReportedTo(view, attempt);
}

/** It is asked to end as finished. */
export function checkDone(view: View, attempt: AttemptView): void {
  const why = attempt.turn === 'ok' ? restsFor(attempt) : null;
  if (why !== null) blame(view, 8, `${attempt.id} is asked to end as finished, and is to go on with ${why}`);
}

/** What must hold between two commits: no child of an ended parent is open. */
export function checkChildrenAtRest(view: View, run: RunView): void {
  for (const { id, spawning, state, attempt } of run.tasks) {
    if (spawning.asker?.state !== 'ended' || state === 'ended') continue;
    if (attempt === null || (attempt.stop === null && attempt.verdict === null))
      blame(view, 8, `${spawning.asker.id} has ended and ${id}, which it asked for, goes on`);
  }
}
