// Decisions on orders of people and on the passing of time.

import { assert, must } from '../std/assert.ts';
import { withdraw, withdrawFor } from './asks/open-ask.ts';
import { askStop, isEnding, liveAttempt, stopForGood } from './attempt/stopping.ts';
import { decideResting } from './children/resting.ts';
import { stopOne } from './children/stop-below.ts';
import { type Command, type Decision, decided, refused } from './core/command.ts';
import type { RunEventBody } from './core/events.ts';
import { taskOf } from './core/lookup.ts';
import type { Run, Task } from './core/run.ts';
import { limitIsPassed, waitIsOver } from './core/timing.ts';
import { decideNextMessage } from './decide-messages.ts';
import { decideNextExpired } from './lifecycle/decide-answer.ts';
import { decideSpending } from './parking/decide-parking.ts';
import { decideNextOpen } from './tasks/decide-open.ts';
import { noConsequences, stopWaiting } from './tasks/end-task.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideStop(run: Run, command: Of<'stopRun' | 'stopTask'>): Decision {
  return command.type === 'stopRun' ? decideStopRun(run, command) : decideStopTask(run, command);
}

function decideStopRun(run: Run, command: Of<'stopRun'>): Decision {
  if (run.state === 'ended') return refused('notAllowed', 'the run has already ended');
  if (run.state === 'stopping') return refused('notAllowed', 'the run is already being stopped');
  const all = noConsequences({ type: 'run.stopAsked', by: command.by });
  for (const attempt of run.live.values()) {
    all.events.push(...withdrawFor(run, attempt, 'it is stopped'));
    all.events.push(...askStop(attempt, 'stopped', `stopped by ${command.by}`));
  }
  for (const task of run.tasks.values()) stopWaiting(run, task, all);
  return decided(all.events);
}

function decideStopTask(run: Run, command: Of<'stopTask'>): Decision {
  const task = run.tasks.get(command.taskId);
  if (task === undefined) return refused('unknown', `no task ${command.taskId} in this run`);
  if (task.state === 'ended') return refused('notAllowed', `task "${task.spec.name}" has already ended`);
  if (run.state === 'stopping') return refused('notAllowed', 'the run is already being stopped');
  const attempt = liveAttempt(run, task);
  if (attempt === null) {
    const all = noConsequences();
    for (const id of task.graph.members) stopOne(run, taskOf(run, id), command.by, all);
    stopWaiting(run, task, all);
    if (all.events.length > 0) return decided(all.events);
    return refused('notAllowed', `all that is left of task "${task.spec.name}" is already ending`);
  }
  const stop = stopForGood(run, attempt, task, `stopped by ${command.by}`);
  const events = [...withdraw(run, task, 'it is stopped'), ...stop];
  if (events.length > 0) return decided(events);
  return refused('notAllowed', `task "${task.spec.name}" is already ending (${attempt.stop?.reason ?? 'finished'})`);
}

/** Removes a run, or refuses any order to one that was removed. Whether its work is anywhere else is found out before. */
export function decideRemove(run: Run, command: Command): Decision {
  if (command.type === 'tick') return decided([]);
  if (run.removedBy !== null) return refused('notAllowed', `the run was removed by ${run.removedBy}`);
  assert(command.type === 'removeRun', 'only a removed run refuses every order');
  if (run.state !== 'ended') return refused('notAllowed', 'the run has not ended: wait for it, or stop it');
  return decided([{ type: 'run.removed', by: command.by }]);
}

export function decideTick(run: Run, now: number): Decision {
  const opened = decideNextOpen(run);
  // These events may end anything below: that is checked again once they are folded.
  if (opened.length > 0) return decided(opened);
  const expired = decideNextExpired(run, now);
  if (expired.length > 0) return decided(expired);
  const told = decideNextMessage(run, now);
  if (told.length > 0) return decided(told);
  const events: RunEventBody[] = [];
  for (const task of dueTasks(run, now)) events.push({ type: 'task.due', taskId: task.spec.id });
  for (const attempt of run.live.values()) {
    const { timeoutMs } = taskOf(run, attempt.taskId).spec;
    if (timeoutMs === null || isEnding(attempt) || attempt.parking.parked !== null) continue;
    // Time spent waiting for a budget or a service does not count.
    if (!limitIsPassed(now, attempt.startedAt + attempt.parking.parkedMs, timeoutMs)) continue;
    events.push(...askStop(attempt, 'timeout', `not finished after ${Math.round(timeoutMs / 1000)} s`));
  }
  // An attempt that timed out must not be parked as well: budgets are checked again once this is folded.
  if (events.length > 0) return decided(events);
  const paused = decideSpending(run, now);
  return decided(paused.length > 0 ? paused : decideResting(run, now));
}

/** Only the top of the heap, which is ordered by due time: the fold takes each task off. */
function dueTasks(run: Run, now: number): Task[] {
  const top = run.ready.delayed.peek();
  if (top === undefined) return [];
  const delay = must(top.task.delay, 'a delayed task has a delay');
  return waitIsOver(now, delay.from, delay.ms) ? [top.task] : [];
}
