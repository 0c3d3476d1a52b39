// Rules on teams: exactly one member has each item of a list, no item is claimed before its needs are done, none is offered
// twice, no member is dismissed while there may be work, and a team is over only when its members are.

import { type AttemptView, hasInputWaiting } from '../view/attempt-view.ts';
import { isAbove, isOpen, liveAttempt, restsFor, stands } from '../view/children-view.ts';
import type { Data, MessagesData } from '../view/event-data.ts';
import type { RunView, TaskView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';
import { commonWrite, holdersFor } from './written-paths.ts';

export interface TeamView {
  readonly name: string;
  readonly lead: TaskView;
  readonly members: Map<TaskView, MemberView>;
  readonly items: ItemView[];
  forced: boolean;
  deleted: boolean;
}

export interface MemberView {
  askedAt: number | null;
  refused: boolean;
  leaves: boolean;
}

interface ItemView {
  readonly needs: readonly number[];
  state: 'free' | 'claimed' | 'done';
  by: TaskView | null;
  /** The members that were offered it since it is free, and those that had it. */
  offered: Set<TaskView>;
  readonly had: Set<TaskView>;
}

export function teamEvent(view: View, run: RunView, type: string, at: number, data: Data): void {
  if (type === 'team.created') return create(view, run, data);
  const team = run.spawning.teams.get(data.team ?? '');
  if (team === undefined) return blame(view, 2, `${type} names team ${data.team}, which is not there`);
  if (!isLed(team)) blame(view, 2, `${type} of team ${team.name}, which is over`);
  const task = view.tasks.get(data.by ?? data.taskId ?? data.to ?? '');
  switch (type) {
    case 'team.joined':
      return join(view, team, task);
    case 'team.itemOffered':
      return offer(view, team, data.n ?? 0, task);
    case 'team.dismissed':
      return dismiss(view, team, membersOf(view, data));
    case 'team.forced':
    case 'team.deleted':
    case 'team.shutdownAsked':
      return end(view, team, type, at, membersOf(view, data));
    default: {
      if (task === undefined || !belongs(team, task))
        return blame(view, 7, `${type} by ${task?.id}, none of ${team.name}`);
      did(view, task, type);
      if (type === 'team.shutdownAnswered') return answer(team, task, data.agreed === true);
      return changeList(view, team, type, task, data);
    }
  }
}

function create(view: View, run: RunView, { team: name = '', lead = '' }: Data): void {
  const leads = view.tasks.get(lead);
  if (leads === undefined) return blame(view, 2, `team ${name} is led by ${lead}, who is not there`);
  if (run.spawning.teams.has(name)) blame(view, 7, `there are two teams ${name}`);
  const { teamsMax = 20 } = run.spawning.limits;
  if (run.spawning.teams.size >= teamsMax) blame(view, 7, `with ${name} teamsMax is passed: ${teamsMax}`);
  run.spawning.teams.set(name, { name, lead: leads, members: new Map(), items: [], forced: false, deleted: false });
  did(view, leads, 'team.created');
}

/** It is not deleted, and its lead has not ended. */
export function isLed({ lead, deleted }: TeamView): boolean {
  return !deleted && isOpen(lead);
}

function belongs({ lead, members }: TeamView, task: TaskView): boolean {
  return task === lead || members.has(task);
}

function did(view: View, task: TaskView, type: string): void {
  const attempt = liveAttempt(task);
  if (attempt?.state !== 'running') blame(view, 7, `${type} by ${task.id}, who is not at work`);
  else attempt.spawning.doings.push(type);
}

function membersOf(view: View, { members = [] }: Data): TaskView[] {
  return members.flatMap((id) => view.tasks.get(id) ?? []);
}

function join(view: View, team: TeamView, task: TaskView | undefined): void {
  const asker = task?.spawning.asker ?? null;
  if (task === undefined || asker === null)
    return blame(view, 2, `${task?.id} joins ${team.name}, and nobody asked for it`);
  if (team.forced) blame(view, 7, `${task.id} joins ${team.name}, which is being ended`);
  if (asker !== team.lead && !isAbove(team.lead, asker))
    blame(view, 7, `${asker.id} adds ${task.id} to ${team.name}, and is not below its lead`);
  team.members.set(task, { askedAt: null, refused: false, leaves: false });
  task.spawning.team = team;
  did(view, asker, 'team.joined');
}

function changeList(view: View, team: TeamView, type: string, by: TaskView, { n = 0, items = [] }: Data): void {
  if (type === 'team.itemsAdded') {
    for (const { needs = [] } of items as readonly { needs?: readonly number[] }[])
      team.items.push({ needs, state: 'free', by: null, offered: new Set(), had: new Set() });
    const { teamItemsMax = 1_000 } = by.run.spawning.limits;
    if (team.items.length > teamItemsMax)
      blame(view, 7, `teamItemsMax of ${team.name} is passed: ${team.items.length}`);
    return;
  }
  const item = team.items[n - 1];
  if (item === undefined) return blame(view, 2, `${type} of item ${n} of ${team.name}, which is not there`);
  const what = `item ${n} of ${team.name}`;
  if (type === 'team.itemClaimed') {
    if (item.state !== 'free') blame(view, 7, `${by.id} claims ${what}, which ${item.by?.id} has (${item.state})`);
    if (!isClaimable(team, item)) blame(view, 7, `${by.id} claims ${what} before what it needs is done`);
    item.had.add(by);
    Object.assign(item, { state: 'claimed', by });
    return;
  }
  if (item.state === 'done') blame(view, 7, `${what} is done, and ${type} follows`);
  if (item.by !== by && team.lead !== by)
    blame(view, 7, `${type} of ${what} by ${by.id}, who neither has it nor leads`);
  if (type === 'team.itemDone') Object.assign(item, { state: 'done', by: item.by ?? by });
  else free(item);
}

function isClaimable({ items }: TeamView, { state, needs }: ItemView): boolean {
  return state === 'free' && needs.every((n) => items[n - 1]?.state === 'done');
}

/** An ended member holds nothing. */
export function giveBackAll(task: TaskView): void {
  for (const { items } of task.run.spawning.teams.values()) {
    for (const item of items) if (item.state === 'claimed' && item.by === task) free(item);
  }
}

/** It is offered again to all but those that had it. */
function free(item: ItemView): void {
  Object.assign(item, { state: 'free', by: null, offered: new Set(item.had) });
}

/** It rests for its team alone: its turn is over, and neither messages nor anything that it began are to come. */
function isIdle(task: TaskView): boolean {
  const attempt = liveAttempt(task);
  return attempt !== null && attempt.turn === 'ok' && !hasInputWaiting(attempt) && restsFor(attempt, false) === null;
}

function offer(view: View, team: TeamView, n: number, to: TaskView | undefined): void {
  const item = team.items[n - 1];
  if (item === undefined || to === undefined || !team.members.has(to))
    return blame(view, 2, `item ${n} of ${team.name} is offered to ${to?.id}`);
  if (!isClaimable(team, item)) blame(view, 8, `${to.id} is told of item ${n} of ${team.name}, which is not free`);
  if (!isIdle(to)) blame(view, 8, `${to.id} is told of item ${n} of ${team.name}, and does not rest`);
  if (item.offered.has(to)) blame(view, 8, `${to.id} is told twice of item ${n} of ${team.name}`);
  item.offered.add(to);
}

/** One that is to begin may wait for paths that a member holds, or behind another that does. */
function isHeldUp(task: TaskView): boolean {
  const { run, spec } = task;
  const before = run.tasks.filter((each) => each.state === 'waiting' && commonWrite(each.spec, spec) !== null);
  return task.state === 'waiting' && [task, ...before].some((each) => holdersFor(run, each).length > 0);
}

/** They rest, and their lead has ended its turn, as has that lead's lead: else it could still have work for them. */
function dismiss(view: View, team: TeamView, members: readonly TaskView[]): void {
  for (let above: TeamView | null = team; above !== null; above = teamAbove(above)) {
    if (canGoOn(above.lead)) blame(view, 8, `members of ${team.name} are let go, and ${above.lead.id} can go on`);
  }
  for (const task of members) {
    const member = team.members.get(task);
    if (member === undefined || !isIdle(task))
      blame(view, 8, `${task.id} is let go by ${team.name}, and does not rest`);
    else member.leaves = true;
  }
}

function canGoOn(task: TaskView): boolean {
  const attempt = liveAttempt(task);
  if (attempt === null) return !isHeldUp(task);
  return attempt.turn !== 'ok' || hasInputWaiting(attempt) || (attempt.spawning.waits?.until ?? null) !== null;
}

/** The team that a lead stands in itself. */
function teamAbove({ lead }: TeamView): TeamView | null {
  return stands(lead) ? lead.spawning.team : null;
}

function end(view: View, team: TeamView, type: string, at: number, members: readonly TaskView[]): void {
  did(view, team.lead, type);
  if (type === 'team.forced') team.forced = true;
  else if (type === 'team.deleted') {
    const open = [...team.members.keys()].find(isOpen);
    if (open !== undefined) blame(view, 7, `${team.name} is deleted while ${open.id} is active`);
    team.deleted = true;
  } else {
    for (const task of members) {
      const member = team.members.get(task);
      if (member === undefined || !isOpen(task)) blame(view, 2, `${task.id} is asked to end with ${team.name}`);
      else Object.assign(member, { askedAt: at, refused: false });
    }
  }
}

function answer({ members }: TeamView, task: TaskView, agreed: boolean): void {
  const member = members.get(task);
  if (member === undefined) return;
  if (agreed) member.leaves = true;
  else member.refused = true;
}

/** From Signalbox: what it tells members is in the journal before. */
export function teamMessage(view: View, { id, text }: MessagesData, to: TaskView): void {
  const { team } = to.spawning;
  const n = Number(/^Item (\d+) of team /.exec(text)?.[1] ?? 0);
  const isOffer = team?.items[n - 1]?.offered.has(to) === true;
  const isAsked = (team?.members.get(to)?.askedAt ?? null) !== null && text.includes('wants to end team');
  if (!isOffer && !isAsked) blame(view, 7, `${id} is of Signalbox to ${to.id}, which has nothing to say to it`);
}

/** A member that is stopped with its team was asked, has not agreed, and had its time. */
export function checkForced(view: View, { id, task }: AttemptView, at: number, detail: string): void {
  const name = /which ends team "(.*)" by force$/.exec(detail)?.[1];
  const team = name === undefined ? undefined : task.run.spawning.teams.get(name);
  const member = team?.members.get(task);
  // Its children are stopped with it.
  if (team === undefined || member === undefined) return;
  const { shutdownMs = 60_000 } = task.run.spawning.limits;
  if (!team.forced || member.askedAt === null) blame(view, 7, `${id} is stopped with ${name}, and was never asked`);
  else if (member.leaves) blame(view, 7, `${id} is stopped with ${name}, and has agreed to end`);
  else if (at < member.askedAt + shutdownMs) blame(view, 7, `${id} is stopped with ${name} before its time is over`);
}

/** What an answer says of a team is so: what is free is not refused, and a message to all goes to all. */
export function checkTeamCall(view: View, attempt: AttemptView, { tool, isError, input = '' }: Data): void {
  const asked = parsed(input);
  const { task, spawning } = attempt;
  const name = tool === 'send_message' ? /^team:(.*)$/.exec(String(asked['to']))?.[1] : asked['team'];
  const team = task.run.spawning.teams.get(String(name));
  if (team === undefined || !isLed(team) || !belongs(team, task)) return;
  // A task that is being stopped gets nothing but the reason.
  const isStopped = attempt.stop !== null || task.run.state !== 'running';
  if (tool === 'claim_task' && isError === true && !isStopped) {
    const n = asked['n'];
    const free = team.items.some((item, i) => (n === undefined || n === i + 1) && isClaimable(team, item));
    if (free) blame(view, 8, `${task.id} is refused what is free on the list of ${team.name}`);
  }
  if (tool !== 'send_message' || isError === true) return;
  const all = [team.lead, ...team.members.keys()].filter((each) => each !== task && isOpen(each));
  if (spawning.sentTo.join() !== all.map(({ id }) => id).join())
    blame(view, 5, `a message of ${task.id} to ${team.name} went to ${spawning.sentTo.join()}`);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
