// Finds why a task does not go on. Every open task without a working process has a wait.

import { openRequests } from '../asks/find-asks.ts';
import { holderOf } from '../children/blocking.ts';
import { isResting, restOf } from '../children/resting.ts';
import type { Attempt } from '../core/attempt.ts';
import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { effectDelay } from '../core/timing.ts';
import { freeSlots, type Host } from '../host/host.ts';
import { isMet } from '../inputs/needs.ts';
import { type Scene, wayFor } from '../parking/admit.ts';
import { wordsOf } from '../parking/parking.ts';
import { isFull, liveOf } from '../ready/ready-queues.ts';
import { isOver, lineName } from '../spending/account-line.ts';
import { rootOf } from '../spending/account-of.ts';
import { reserve, type Shortage } from '../spending/allowance.ts';
import { askWait, interruptWait, pauseWait, requestWait } from './person-wait.ts';
import type { BudgetDetail, SlotDetail, Wait } from './wait.ts';

export function waitOf(run: Run, task: Task, scene: Scene): Wait | null {
  const { host, now } = scene;
  switch (task.state) {
    case 'blocked':
      return task.graph.unmetNeeds === 0
        ? { kind: 'decision', until: null, owner: 'signalbox', detail: {} }
        : needsWait(run, task);
    case 'delayed': {
      const {
        delay,
        tries: { attempts, lastFailure },
      } = task;
      const until = delay === null ? null : delay.from + delay.ms;
      const detail = { attempt: attempts + 1, reason: lastFailure?.reason ?? null };
      return { kind: 'retry', until, owner: 'signalbox', detail };
    }
    case 'ready':
      return (
        pauseWait(run) ??
        pathWait(run, task) ??
        budgetWait(run, task, now) ??
        serviceWait(host, task.spec, now, null) ??
        slotWait(run, task, scene, 'start') ??
        machineWait(host) ??
        startWait(false)
      );
    case 'active':
      return activeWait(run, task, scene);
    case 'ended':
      return null;
  }
}

function activeWait(run: Run, task: Task, scene: Scene): Wait | null {
  const { host, now } = scene;
  const { attempt, spec } = task;
  const asked = askWait(run, task);
  if (asked !== null) return asked;
  if (spec.kind === 'matrix') {
    const all = task.graph.members.length;
    return { kind: 'members', until: null, owner: 'agent', detail: { ended: all - task.graph.membersOpen, all } };
  }
  if (attempt === null) return null;
  const [request] = openRequests(run, attempt);
  if (request !== undefined) return requestWait(request);
  const toGoOn = startWait(true);
  switch (attempt.parking.parked?.why.kind) {
    case undefined:
      return (isResting(run, attempt) ? restWait(run, attempt) : null) ?? failingWait(attempt);
    // It was answered and waits for a slot, or its process was lost meanwhile.
    case 'asks':
      return (
        pauseWait(run) ??
        slotWait(run, task, scene, 'answer') ??
        serviceWait(host, spec, now, rootOf(run, task)) ??
        toGoOn
      );
    case 'waits':
      return restWait(run, attempt) ?? pauseWait(run) ?? slotWait(run, task, scene, 'rest') ?? toGoOn;
    case 'interrupt':
      return interruptWait(run, task) ?? pauseWait(run) ?? slotWait(run, task, scene, 'rest') ?? toGoOn;
    default:
      return pauseWait(run) ?? budgetWait(run, task, now) ?? serviceWait(host, spec, now, rootOf(run, task)) ?? toGoOn;
  }
}

/** The first limit that leaves no slot for the task; null = there is a slot. */
function slotWait(
  run: Run,
  { spec: { harness } }: Task,
  { host, full }: Scene,
  after: SlotDetail['after'],
): Wait | null {
  const wait = (of: SlotDetail['of'], only: string | null, all: number): Wait => {
    return { kind: 'slot', until: null, owner: 'host', detail: { of, harness: only, all, after } };
  };
  const all = run.spec?.limits.parallelMax;
  if (freeSlots(host) === 0) return wait('host', null, host.slots);
  if (all !== undefined && run.live.size - run.parked.size >= all) return wait('run', null, all);
  if (isFull(run, harness)) return wait('run', harness, liveOf(run, harness));
  return full.has(harness) ? wait('host', harness, host.harnessSlots[harness] ?? 0) : null;
}

function startWait(resumes: boolean): Wait {
  return { kind: 'start', until: null, owner: 'signalbox', detail: { resumes } };
}

function machineWait({ scarce }: Host): Wait | null {
  return scarce === null ? null : { kind: 'machine', until: null, owner: 'host', detail: { lack: scarce } };
}

/** With the time limit that the agent has set itself. */
function restWait(run: Run, attempt: Attempt): Wait | null {
  const rest = restOf(run, attempt);
  const until = attempt.waits?.until ?? null;
  return rest === null
    ? null
    : { kind: 'rest', until, owner: rest.for === 'answer' ? 'person' : 'agent', detail: rest };
}

function pathWait(run: Run, task: Task): Wait | null {
  const holder = holderOf(run, task);
  if (holder === null && !run.ready.waiting.has(task.spec.id)) return null;
  const detail = { path: holder?.path ?? null, holder: holder?.task.spec.name ?? null };
  return { kind: 'paths', until: null, owner: 'agent', detail };
}

function budgetWait(run: Run, task: Task, now: number): Wait | null {
  const grant = reserve(run, task, now);
  if (grant.kind === 'granted') return null;
  if (grant.kind === 'short') {
    return { kind: 'budget', until: null, owner: 'person', detail: shortageDetail(run, grant.shortage) };
  }
  const words = 'what it may spend is set apart for others at the moment';
  const detail = { of: 'reserved', task: null, what: null, spent: null, limit: null, words } as const;
  return { kind: 'budget', until: null, owner: 'agent', detail };
}

function shortageDetail(run: Run, shortage: Shortage): BudgetDetail {
  const words = wordsOf(run, shortage);
  if (shortage.of !== 'scope') return { of: 'day', task: null, what: null, spent: null, limit: null, words };
  const { scope, what, spent, limit } = shortage;
  const task = scope.of === 'run' ? null : taskOf(run, scope.taskId).spec.name;
  return { of: scope.of, task, what, spent, limit, words };
}

/** Until when no attempt tries the service that the agent would use. */
function serviceWait(host: Host, spec: TaskSpec, now: number, root: TaskId | null): Wait | null {
  const { harness } = spec;
  const line = host.lines[lineName(harness, null)];
  if (line === undefined || wayFor({ host, runs: [], now, full: new Set() }, spec, root).kind === 'open') return null;
  const probed = isOver(line, now);
  const detail = { limit: line.limit, harness, probed };
  return { kind: 'service', until: probed ? null : line.until, owner: 'service', detail };
}

function failingWait({ failing }: Attempt): Wait | null {
  const [first] = Object.entries(failing);
  if (first === undefined) return null;
  const [effect, { times, message, at }] = first;
  const detail = { effect, times, message };
  return { kind: 'failing', until: at + effectDelay(times), owner: 'signalbox', detail };
}

/** An open phase stands for everything that the phase itself waits for. */
function needsWait(run: Run, task: Task): Wait {
  const unmet = task.spec.needs.map((id) => taskOf(run, id)).filter((need) => !isMet(task, need));
  const tasks = unmet
    .slice(0, namesShown)
    .map(({ spec: { name, kind } }) => ({ name, milestone: kind === 'milestone' }));
  return { kind: 'needs', until: null, owner: 'agent', detail: { tasks, more: unmet.length - tasks.length } };
}

const namesShown = 5;
