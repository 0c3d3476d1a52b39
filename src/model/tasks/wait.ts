// Why a task is not at work: the wait's reason in words. Every openTasks task that no process works on has one.

import { localTime } from '../../std/clock.ts';
import { openQuestion } from '../asks/asking.ts';
import { openGates } from '../asks/evolve-gate.ts';
import type { Attempt, Gate } from '../attempt/attempt.ts';
import { isResting, restReason } from '../children/resting.ts';
import { holderOf } from '../dispatch/interlock.ts';
import { isFull, liveOf } from '../dispatch/ready-queues.ts';
import { freeSlots, type Host } from '../host.ts';
import { taskOf } from '../lookup.ts';
import type { Run, Task } from '../run.ts';
import type { TaskSpec } from '../spec.ts';
import { isOver, lineName } from '../spending/account-line.ts';
import { wayFor } from '../spending/admit.ts';
import { reserve } from '../spending/allowance.ts';
import { wordsOf } from '../spending/parking.ts';
import { isMet } from './needs.ts';

export function waitReason(run: Run, task: Task, host: Host, now: number): string | null {
  switch (task.state) {
    case 'blocked':
      return task.unmetNeeds === 0 ? 'to be decided' : unmetWords(run, task);
    case 'delayed':
      return `attempt ${task.attempts + 1} after a pause (${task.lastFailure?.reason ?? 'unknown'})`;
    case 'ready': {
      const holder = holderOf(run, task);
      if (holder !== null) return `path ${holder.path} held by task "${holder.task.spec.name}"`;
      if (run.waiting.has(task.spec.id)) return 'whoever wants the same paths and was first';
      const short = budgetWords(run, task, now);
      if (short !== null) return short;
      const closed = lineWords(host, task.spec, now);
      if (closed !== null) return closed;
      return slotWords(run, task, host, '') ?? host.scarce ?? 'to be started';
    }
    case 'active': {
      const question = openQuestion(task);
      if (question !== null) return `a person: ${firstLine(question.message)} (${question.id})`;
      if (task.spec.kind === 'matrix') {
        return `its tasks: ${task.members.length - task.membersOpen} of ${task.members.length} have ended`;
      }
      const gate = task.attempt === null ? undefined : openGates(task.attempt)[0];
      if (gate !== undefined) return personWords(gate, now);
      const parked = task.attempt?.parked;
      if (parked?.why.kind === 'asks') return goOnWords(run, task, host, now);
      if (parked?.why.kind === 'waits')
        return (
          (task.attempt && restWords(run, task.attempt, now)) ?? slotWords(run, task, host, ' to go on') ?? 'to go on'
        );
      if (parked) return budgetWords(run, task, now) ?? lineWords(host, task.spec, now) ?? 'to go on';
      const rests = task.attempt !== null && isResting(run, task.attempt) ? restWords(run, task.attempt, now) : null;
      if (rests !== null) return rests;
      const [failing] = Object.entries(task.attempt?.failing ?? {});
      if (failing === undefined) return null;
      const [effect, { times, message }] = failing;
      return `${effect} failed ${times} times: ${message}`;
    }
    case 'ended':
      return null;
  }
}

function personWords({ id, ask, openedAt }: Gate, now: number): string {
  return `a person: may it use ${ask.tool}? (${id}), since ${localTime(openedAt, now)}`;
}

/** It has its answer, or was lost while it waited for it. */
function goOnWords(run: Run, task: Task, host: Host, now: number): string {
  return slotWords(run, task, host, ' to go on with the answer') ?? lineWords(host, task.spec, now) ?? 'to go on';
}

/** Which limit it waits for, and whose that is; null = there is a slot for it. */
function slotWords(run: Run, { spec: { harness } }: Task, host: Host, why: string): string | null {
  const all = run.spec?.limits.parallelMax;
  const beside = why === '' ? '' : ',';
  if (freeSlots(host) === 0) return `a slot${why}: all ${host.slots} are taken`;
  if (all !== undefined && run.live.size - run.parked.size >= all)
    return `a slot of this run${why}: all ${all} are taken`;
  if (isFull(run, harness))
    return `a slot of this run${why}${beside} for ${harness}: all ${liveOf(run, harness)} are taken`;
  return host.full.has(harness)
    ? `a slot${why}${beside} for ${harness}: all ${host.harnessSlots[harness]} are taken`
    : null;
}

/** With the limit that it has set itself. */
function restWords(run: Run, attempt: Attempt, now: number): string | null {
  const reason = restReason(run, attempt);
  const until = attempt.waits?.until ?? null;
  return reason === null || until === null ? reason : `${reason} (until ${localTime(until, now)})`;
}

function budgetWords(run: Run, task: Task, now: number): string | null {
  const grant = reserve(run, task, now);
  if (grant.kind === 'granted') return null;
  if (grant.kind === 'short') return `budget: ${wordsOf(run, grant.shortage)}`;
  return 'budget: what it may spend is set apart for others at the moment';
}

/** Until when nobody tries the service that its agent would use. */
function lineWords(host: Host, spec: TaskSpec, now: number): string | null {
  const way = wayFor({ host, runs: [], now }, spec);
  const line = host.lines[lineName(spec.harness, null)];
  if (way.kind === 'open' || line === undefined) return null;
  const what = line.limit === 'quota' ? 'quota' : line.limit === 'rate' ? 'rate limit' : `service of ${spec.harness}`;
  return isOver(line, now) ? `${what}: another agent tries first` : `${what} until ${localTime(line.until, now)}`;
}

/** A phase that is not over stands for all that it waits for itself. */
function unmetWords(run: Run, task: Task): string {
  const unmet = task.spec.needs.map((id) => taskOf(run, id)).filter((need) => !isMet(task, need));
  const shown = unmet.slice(0, namesShown).map(({ spec: { name, kind } }) => {
    return kind === 'milestone' ? `the end of ${name.replace('.', ' ')}` : name;
  });
  const more = unmet.length > namesShown ? ` and ${unmet.length - namesShown} more` : '';
  return `needs ${shown.join(', ')}${more}`;
}

const namesShown = 5;

/** All of it is in the inbox. */
function firstLine(message: string): string {
  const line = message.trim().split('\n', 1)[0] ?? '';
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line;
}

const lineMax = 120;
