// Rules on attempts that wait without a slot: why they do, that they hold nothing meanwhile, and how they go on.

import { isAtWork, lineOf } from '../spending/account-rules.ts';
import { nothing } from '../spending/amounts.ts';
import { checkAdmitted, isShort } from '../spending/budget-rules.ts';
import type { CommitDoings } from '../spending/host-rules.ts';
import {
  type AttemptView,
  hasInputWaiting,
  type PauseView,
  type PermissionView,
  stallsMax,
} from '../view/attempt-view.ts';
import { restsFor } from '../view/children-view.ts';
import type { Data } from '../view/event-data.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';
import { allowedFor, checkOnTime, isOverdue } from './overdue-rules.ts';

/** How a turn ends that is over by itself after a while: the service refused it. */
const passing: ReadonlySet<string> = new Set(['rate-limit', 'quota', 'unavailable']);

/** `former`: of the attempt that it goes on with, whose agent and session it has. */
export function newPause({ model, probe, reserved }: Data, former: PauseView | null): PauseView {
  return {
    parked: null,
    overdue: false,
    parkedMs: 0,
    braked: false,
    launches: 0,
    goesOn: false,
    model: model ?? null,
    probe: probe === true,
    limits: 0,
    reserved: reserved ?? null,
    before: nothing(),
    metered: former?.metered ?? [],
    ended: former?.ended ?? [],
    asked: former?.asked ?? nothing(),
    kept: former?.kept ?? nothing(),
    booked: former?.booked ?? nothing(),
    over: 0,
    ignored: 0,
    held: null,
  };
}

export function pauseEvent(
  view: View,
  attempt: AttemptView,
  type: string,
  at: number,
  data: Data,
  doings: CommitDoings,
): void {
  const { id, pause } = attempt;
  switch (type) {
    case 'attempt.parked':
      // One whose process was lost while it waited for a person has given its slot back before.
      if (pause.parked?.kind !== 'asks') doings.ended.set(id, `host/${attempt.host}`);
      park(view, attempt, at, data);
      return;
    case 'attempt.unparked':
      if (pause.parked?.kind === 'asks') hearAnswer(view, attempt, at, data, doings);
      else goOn(view, attempt, at, data);
      doings.started.set(id, `host/${attempt.host}`);
      return;
    case 'attempt.braked':
      if (pause.braked) blame(view, 2, `${id} is braked twice`);
      if (pause.parked !== null && pause.parked.kind !== 'asks') outOfPlace(view, attempt, type);
      pause.braked = true;
      return;
    case 'attempt.limited': {
      const untilMs = Math.max(data.untilMs ?? 0, doings.refused.get(lineOf(attempt))?.untilMs ?? 0);
      doings.refused.set(lineOf(attempt), { host: `host/${attempt.host}`, at, untilMs: untilMs > at ? untilMs : null });
      if (data.limit === 'quota') view.usedUpNow.add(lineOf(attempt));
      pause.limits += 1;
      return;
    }
    case 'attempt.served':
      doings.served.add(lineOf(attempt));
      if (pause.limits === 0 && !pause.probe) blame(view, 2, `${id} is served, and nobody had refused it`);
      pause.limits = 0;
      pause.probe = false;
      return;
    case 'usage.metered':
      pause.metered = data.parts ?? [];
      return;
  }
}

function park(view: View, attempt: AttemptView, at: number, { why }: Data): void {
  const { id, pause, launch, stop, task } = attempt;
  const kind = why?.kind ?? 'undefined';
  if (kind === 'asks') return parkAsker(view, attempt, at);
  if (pause.parked?.kind === 'asks') {
    pause.parkedMs += Math.max(0, at - pause.parked.at);
    task.run.live += 1;
  } else if (pause.parked !== null) return blame(view, 2, `${id} is parked twice`);
  if (attempt.state !== 'resting' || !attempt.hasWorkspace || attempt.verdict !== null) {
    outOfPlace(view, attempt, 'attempt.parked');
  }
  if (launch !== null && launch.down === null)
    blame(view, 3, `${id} is parked, and ${launch.id} is not known to be down`);
  for (const process of view.alive) {
    if (process.attemptId === id) blame(view, 7, `${id} is parked and leaves ${process.launchId} alive`);
  }
  // A silent one, or one that has late messages, may have to wait before it is started again.
  const goesOn = stop === 'finished' || (stop === 'stall' && attempt.stalls <= stallsMax);
  if (stop !== null && stop !== 'parked' && !goesOn)
    blame(view, 3, `${id} is parked although it was stopped for ${stop}`);
  if (task.run.state !== 'running') blame(view, 8, `${id} is parked while ${task.run.id} is ${task.run.state}`);
  // One that leaves its team while its process is given up ends when that is gone.
  const rests = restsFor(attempt) !== null || hasInputWaiting(attempt) || task.spawning.team !== null;
  if (kind === 'waits' && attempt.turn === 'ok' && attempt.spawning.claims.length > 0)
    blame(view, 8, `${id} is parked to wait, and holds ${attempt.spawning.claims.join()}`);
  if (kind === 'waits' && !rests) blame(view, 8, `${id} is parked to wait, and there is nothing to come`);
  const wants =
    pause.braked ||
    kind === 'waits' ||
    (kind === 'budget' || kind === 'pause' ? isShort(view, attempt, at) : isRefused(view, attempt));
  if (!wants) blame(view, 8, `${id} is parked for ${kind}, and nothing stands in its way`);
  pause.parked = { at, kind, until: attempt.spawning.waits?.until ?? null };
  pause.braked = false;
  pause.reserved = null;
  pause.probe = false;
  attempt.stop = null;
  task.run.live -= 1;
}

/** Its process waits for a person, and has nothing else to do. */
function parkAsker(view: View, attempt: AttemptView, at: number): void {
  const { id, pause, stop, task } = attempt;
  if (pause.parked !== null) return blame(view, 2, `${id} is parked twice`);
  if (attempt.state !== 'running' || stop !== null) outOfPlace(view, attempt, 'attempt.parked');
  if (task.run.state !== 'running') blame(view, 8, `${id} is parked while ${task.run.id} is ${task.run.state}`);
  if (!permissionsOf(view, attempt).some(({ state }) => state === 'open'))
    blame(view, 8, `${id} gives its slot back to wait for a person, and asks nothing`);
  pause.parked = { at, kind: 'asks', until: null };
  pause.overdue = false;
  pause.probe = false;
  task.run.live -= 1;
}

/** It needs a slot to read the answer; one that continues by itself has a slot at once, whether one is free or not. */
function hearAnswer(view: View, attempt: AttemptView, at: number, data: Data, doings: CommitDoings): void {
  const { id, pause, task } = attempt;
  if (pause.parked === null || attempt.state !== 'running') return outOfPlace(view, attempt, 'attempt.unparked');
  if (task.run.state !== 'running' && attempt.stop === null)
    blame(view, 7, `${id} goes on while ${task.run.id} is ${task.run.state}`);
  pause.parkedMs += Math.max(0, at - pause.parked.at);
  pause.parked = null;
  pause.probe = data.probe === true;
  // Also if it has read the answer already and the writing is not journalled yet.
  const isAnswered = attempt.records.some(
    ({ id, kind }) => kind === 'answer' && attempt.launch?.written.has(id) === false,
  );
  doings.unasked.set(id, !isAnswered);
  // It may withdraw what it asked while the answer waits for a slot.
  if (!isAnswered || hasUnread(view, attempt)) doings.byItself.add(id);
  else checkRoom(view, attempt);
  task.run.live += 1;
}

function hasUnread({ processes }: View, { launch }: AttemptView): boolean {
  const lines = processes.get(launch?.id ?? '')?.lines ?? [];
  return (lines.at(-1)?.end ?? 0) > (launch?.offset ?? 0);
}

function permissionsOf(view: View, attempt: AttemptView): PermissionView[] {
  return [...view.permissions.values()].filter(
    (permission) => permission.attempt === attempt && permission.launchId === attempt.launch?.id,
  );
}

/** An agent that waits only for a person holds no slot; and one that continues without an answer has a reason of its own. */
export function checkAskers(view: View, { unasked }: CommitDoings): void {
  for (const attempt of new Set([...view.permissions.values()].map((permission) => permission.attempt))) {
    const { id, pause, stop, state } = attempt;
    if (pause.parked?.kind !== 'asks' || stop !== null || state !== 'running') continue;
    if (
      !permissionsOf(view, attempt).some(
        (permission) => permission.state === 'open' || (permission.answers > 0 && !permission.heard),
      )
    )
      blame(view, 8, `${id} waits for nobody's answer, and holds no slot`);
  }
  for (const permission of view.permissions.values()) {
    const { attempt, state, launchId } = permission;
    const { pause, stop, task, turn } = attempt;
    if (state !== 'open' || attempt.launch?.id !== launchId || attempt.state !== 'running') continue;
    const isAtWork = isPartly(view, permission);
    if (unasked.get(attempt.id) === true && turn === null && !isAtWork)
      blame(view, 8, `${attempt.id} goes on, and nobody has answered ${permission.id}`);
    const isIdle = !isAtWork && stop === null && turn === null && task.run.state === 'running';
    if (isIdle && pause.parked === null)
      blame(view, 8, `${attempt.id} only waits for a person (${permission.id}) and holds a slot`);
  }
}

/** Of two things that it asks at once one was answered, by a person or a rule: it is at work with that. */
function isPartly(view: View, { attempt, requestId = '' }: PermissionView): boolean {
  // Simulated agents name them alike.
  const other = requestId.endsWith('a') ? requestId.replace(/a$/, 'b') : requestId.replace(/b$/, 'a');
  if (other === requestId) return false;
  return !permissionsOf(view, attempt).some(
    (permission) => permission.requestId === other && permission.state === 'open',
  );
}

/** Its last turn was refused by the service, or the line it would be on is. */
function isRefused(view: View, attempt: AttemptView): boolean {
  if (attempt.failure !== null && passing.has(attempt.failure)) return true;
  // For two runs in one commit it is unknown here which came first.
  if (view.refusedNow) return true;
  return view.hosts.get(`host/${attempt.host}`)?.lines.has(lineOf(attempt)) === true;
}

function goOn(view: View, attempt: AttemptView, at: number, data: Data): void {
  const { id, pause, task } = attempt;
  const { run } = task;
  if (pause.parked === null || attempt.state !== 'resting') return outOfPlace(view, attempt, 'attempt.unparked');
  if (run.state !== 'running') blame(view, 7, `${id} goes on while ${run.id} is ${run.state}`);
  if (pause.parked.kind === 'waits' && !hasInputWaiting(attempt))
    blame(view, 8, `${id} goes on, and there is nothing to tell it`);
  checkOnTime(view, attempt, at);
  pause.overdue = isOverdue(pause, at);
  pause.parkedMs += Math.max(0, at - pause.parked.at);
  pause.parked = null;
  pause.reserved = data.reserved ?? null;
  pause.before = { ...task.treeSpent };
  pause.model = data.model ?? null;
  pause.probe = data.probe === true;
  if (attempt.launch?.down !== 'lost') pause.launches += 1;
  pause.goesOn = true;
  // There is something left again.
  pause.over = 0;
  pause.ignored = 0;
  checkRoom(view, attempt);
  run.live += 1;
  checkAdmitted(view, attempt, at);
}

/** It needs what one that starts needs. */
function checkRoom(view: View, attempt: AttemptView): void {
  const { id, task } = attempt;
  const { run, spec } = task;
  if (run.live >= allowedFor(attempt, run.parallelMax))
    blame(view, 7, `${id} goes on beside ${run.live} others; ${run.id} allows ${run.parallelMax}`);
  const max = allowedFor(attempt, run.harnessMax[spec.harness ?? ''] ?? Number.POSITIVE_INFINITY);
  const beside = run.tasks.filter(
    (other) => other !== task && isAtWork(other.attempt) && other.spec.harness === spec.harness,
  );
  if (beside.length >= max)
    blame(view, 7, `${id} goes on beside ${beside.length} others of ${spec.harness}, which has ${max}`);
}

/** The launch of one that goes on is intended with the same commit, and there is something to tell it. */
export function checkGoingOn(view: View, { started }: CommitDoings): void {
  for (const id of started.keys()) {
    const attempt = view.attempts.get(id);
    if (attempt?.pause.goesOn !== true) continue;
    blame(view, 8, `${id} goes on, and no launch is intended`);
    attempt.pause.goesOn = false;
  }
}
